import ComposableArchitecture
import Foundation

/// Reads everything that a reducer can read besides its action.
@Reducer
struct Reader {
  @ObservableState
  struct State: Equatable {
    var date: Date?
    var id: UUID?
    var numbers: [Int] = []
    var place = ""
    var facts: [String] = []
    var table: [String: Int]?
    var measure = 0.0
    var failures = 0
    var pace = 0
  }

  enum Action: Equatable {
    case date
    case uuid
    case random(Int)
    case shuffle
    case place
    case fact(Int)
    case limit
    case lookUp(String, Bool)
    case check(Int)
    case note
    case pace
    case everything
  }

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  @Dependency(\.calendar) var calendar
  @Dependency(\.locale) var locale
  @Dependency(\.timeZone) var timeZone
  @Dependency(FactClient.self) var facts
  @Dependency(Pace.self) var pace

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .date:
        state.date = self.date.now
      case .uuid:
        state.id = self.uuid()
      case .random(let count):
        self.withRandomNumberGenerator { generator in
          for _ in 0..<count { state.numbers.append(Int.random(in: 0..<100, using: &generator)) }
        }
        state.numbers.removeFirst(max(0, state.numbers.count - 8))
      case .shuffle:
        self.withRandomNumberGenerator { state.numbers.shuffle(using: &$0) }
      case .place:
        let hour = self.calendar.component(.hour, from: self.date())
        state.place = "\(self.locale.identifier) \(self.timeZone.identifier) \(hour)"
      case .fact(let number):
        state.facts.append(self.facts.fact(number: number))
        state.facts.removeFirst(max(0, state.facts.count - 4))
      case .limit:
        while state.numbers.count > self.facts.limit() { state.numbers.removeLast() }
      case .lookUp(let name, let isExact):
        state.table = self.facts.lookUp(name: name, isExact: isExact)
      case .check(let number):
        do {
          state.measure = try self.facts.check(number: number)
        } catch {
          state.failures += 1
        }
      case .note:
        self.facts.note(text: "noted \(state.failures)")
      case .pace:
        state.pace += self.pace.factor
      case .everything:
        state.id = self.uuid()
        state.date = self.date.now
        state.measure = self.withRandomNumberGenerator { Double.random(in: 0...1, using: &$0) }
        state.facts = [self.facts.fact(number: 1), self.facts.fact(number: 2)]
        state.pace += self.pace.factor
      }
      return .none
    }
  }
}
