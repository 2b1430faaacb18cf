import ComposableArchitecture
import Foundation

/// A feature of which one line can be another.
@Reducer
struct Account {
  /// The line that was changed since the recording.
  enum Mutation: String, CaseIterable, Sendable {
    case otherArithmetic
    case droppedBranch
    case otherRead
    case moreRead
    case lessRead
    case otherArguments
    case renamedEffect
    case moreEffect
    case lessEffect
    case otherSend
    case otherSharedOrder
    case lessShared
  }

  @ObservableState
  struct State: Equatable {
    var balance = 0
    var bonus = Bonus()
    var visits: [Visit] = []
    var facts: [String] = []
    var answers = 0
    @Shared(.inMemory("account-total")) var total = 0
    @Shared(.inMemory("account-fees")) var fees = 0

    struct Bonus: Equatable {
      var points = 0
    }

    struct Visit: Equatable {
      var date: Date
      var id: UUID
    }
  }

  enum Action: Equatable {
    case deposit(Int)
    case visit
    case ask(Int)
    case fetch
    case refresh
    case answer(Int)
    case close
    case charge(Int)
  }

  var mutation: Mutation?

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(FactClient.self) var facts

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .deposit(let amount):
        state.balance &+= self.mutation == .otherArithmetic ? amount + 1 : amount
        if amount > 60, self.mutation != .droppedBranch { state.bonus.points += 1 }
        return .none
      case .visit:
        let id = self.mutation == .otherRead ? UUID(self.facts.limit()) : self.uuid()
        let date = self.mutation == .lessRead ? Date.distantPast : self.date.now
        if self.mutation == .moreRead { _ = self.facts.limit() }
        state.visits = state.visits.suffix(4) + [State.Visit(date: date, id: id)]
        return .none
      case .ask(let number):
        let asked = self.mutation == .otherArguments ? number + 1 : number
        state.facts = state.facts.suffix(4) + [self.facts.fact(number: asked)]
        return .none
      case .fetch:
        return .run(name: self.mutation == .renamedEffect ? "load" : "fetch") { send in
          await send(.answer(1))
        }
      case .refresh:
        if self.mutation == .lessEffect { return self.effect(1) }
        if self.mutation == .moreEffect {
          return .merge(self.effect(1), self.effect(2), self.effect(3))
        }
        return .merge(self.effect(1), self.effect(2))
      case .answer(let number):
        state.answers &+= number
        return .none
      case .charge(let amount):
        if self.mutation == .otherSharedOrder {
          state.$fees.withLock { $0 &+= 1 }
          state.$total.withLock { $0 &-= amount }
          return .none
        }
        state.$total.withLock { $0 &-= amount }
        if self.mutation != .lessShared { state.$fees.withLock { $0 &+= 1 } }
        return .none
      case .close:
        return .send(.answer(self.mutation == .otherSend ? 101 : 100))
      }
    }
  }

  private func effect(_ number: Int) -> Effect<Action> {
    .run(name: "refresh \(number)") { send in await send(.answer(number)) }
  }
}

extension Account.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(9) {
    case 0, 1: .deposit(random.below(100))
    case 2: .visit
    case 3: .ask(random.below(50))
    case 4: .fetch
    case 5: .refresh
    case 6: .answer(random.below(10))
    case 7: .charge(random.below(10))
    default: .close
    }
  }
}

extension Account.Mutation {
  /// Whether an action comes through the line that was changed.
  func changes(_ action: Account.Action) -> Bool {
    switch (self, action) {
    case (.otherArithmetic, .deposit), (.otherRead, .visit), (.moreRead, .visit),
      (.lessRead, .visit), (.otherArguments, .ask), (.renamedEffect, .fetch),
      (.moreEffect, .refresh), (.lessEffect, .refresh), (.otherSharedOrder, .charge),
      (.lessShared, .charge):
      true
    case (.droppedBranch, .deposit(let amount)): amount > 60
    // That it is another one shows once it comes.
    case (.otherSend, .answer(100)): true
    default: false
    }
  }
}
