import ComposableArchitecture
import Foundation

/// Shares values in every way: by each kind of key, without one, in parts, and with its own parts.
@Reducer
struct Vault {
  struct Settings: Codable, Equatable, Sendable {
    var name = ""
    var width = 0
  }

  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("vault-total")) var total = 0
    @SharedReader(.inMemory("vault-total")) var totalToRead = 0
    @Shared(.appStorage("vault-level")) var level = 1
    @Shared var settings: Settings
    @Shared var width: Int
    @Shared var own: [Int]
    var seen: [Int] = []
    var parts: IdentifiedArrayOf<VaultPart.State> = []

    init() {
      let settings = Shared(wrappedValue: Settings(), .fileStorage(.vault))
      self._settings = settings
      self._width = settings.width
      self._own = Shared(value: [])
    }

    /// What is shared may be another value by the time that states are compared.
    static func == (first: Self, second: Self) -> Bool {
      first.seen == second.seen && first.parts == second.parts
    }
  }

  enum Action {
    case add(Int)
    case all(Int)
    case own(Int)
    case exchange
    case resize(Int)
    case rename(String)
    case look
    case later(Worker.Wait, Int)
    case exchangeLater(Worker.Wait, Int)
    case adopt(Shared<Int>)
    case addPart
    case removePart
    case parts(IdentifiedActionOf<VaultPart>)
  }

  @Dependency(Gates.self) var gates

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let amount):
        state.$total.withLock { $0 &+= amount }
        return .none
      case .all(let number):
        state.$level.withLock { $0 &+= number }
        state.$settings.withLock { $0.name = "\(number)" }
        state.$total.withLock { $0 = $0 &* 3 &+ number }
        return .none
      case .own(let number):
        state.$own.withLock { $0 = $0.suffix(4) + [number] }
        return .none
      case .exchange:
        state.$own = Shared(value: [state.total])
        return .none
      case .resize(let width):
        state.$width.withLock { $0 = width }
        return .none
      case .rename(let name):
        state.$settings.name.withLock { $0 = name }
        return .none
      case .look:
        let values = VaultValues(state)
        state.seen = [values.total, values.level, values.width, values.own.count]
        return .none
      case .later(let wait, let number):
        return .run { [total = state.$total, level = state.$level, own = state.$own] send in
          try await self.gates.pass(wait)
          await Task.detached {
            self.gates.wrote(number)
            total.withLock {
              $0 &+= number
              self.gates.wrote($0)
            }
            if number % 2 == 0 { level.withLock { $0 = number } }
            if number % 3 == 0 { own.withLock { $0 = [number] } }
          }.value
          await send(.look)
        }
      case .exchangeLater(let wait, let number):
        return .run { [total = state.$total, reader = state.$totalToRead, own = state.$own] send in
          try await self.gates.pass(wait)
          // Not while a reducer runs, which might see it or not.
          await MainActor.run {
            self.gates.wrote(number)
            switch number % 4 {
            case 0: total.projectedValue = Shared(wrappedValue: number, .inMemory("vault-other"))
            case 1: total.projectedValue = Shared(wrappedValue: number, .inMemory("vault-total"))
            case 2: reader.projectedValue = SharedReader(total)
            default: own.projectedValue = Shared(value: [number])
            }
          }
          await send(.look)
        }
      case .adopt(let total):
        state.seen.append(total.wrappedValue)
        state.seen.removeFirst(max(0, state.seen.count - 6))
        total.withLock { $0 &-= 1 }
        return .none
      case .addPart:
        let id = (state.parts.ids.max() ?? 0) + 1
        state.parts.append(VaultPart.State(id: id, total: state.$total, own: state.$own))
        return .none
      case .removePart:
        if !state.parts.isEmpty { state.parts.removeFirst() }
        return .none
      case .parts:
        return .none
      }
    }
    .forEach(\.parts, action: \.parts) { VaultPart() }
  }
}

/// A part of a vault that shares what its parent does.
@Reducer
struct VaultPart {
  @ObservableState
  struct State: Equatable, Identifiable {
    let id: Int
    @Shared var total: Int
    @Shared var own: [Int]
    @Shared(value: 0) var taps: Int
    var seen = 0

    init(id: Int, total: Shared<Int>, own: Shared<[Int]>) {
      self.id = id
      self._total = total
      self._own = own
    }

    static func == (first: Self, second: Self) -> Bool {
      first.id == second.id && first.seen == second.seen
    }
  }

  enum Action {
    case tap
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      state.$taps.withLock { $0 += 1 }
      state.$own.withLock { $0 = $0.suffix(3) + [state.taps] }
      state.$total.withLock { $0 &+= state.own.count }
      state.seen = state.total
      return .none
    }
  }
}

extension URL {
  fileprivate static let vault = URL(fileURLWithPath: "/vault.json")
}

/// What a vault shares, at one time.
struct VaultValues: Equatable {
  var total: Int
  var totalToRead: Int
  var level: Int
  var settings: Vault.Settings
  var width: Int
  var own: [Int]
  var parts: [Part]

  struct Part: Equatable {
    var taps: Int
    var total: Int
    var own: [Int]
  }

  init(_ state: Vault.State) {
    self.total = state.total
    self.totalToRead = state.totalToRead
    self.level = state.level
    self.settings = state.settings
    self.width = state.width
    self.own = state.own
    self.parts = state.parts.map { Part(taps: $0.taps, total: $0.total, own: $0.own) }
  }

  /// Whether each value is that of one or the other, or what another thread has written between.
  func isMixed(of first: Self, _ second: Self, written: Set<Int>) -> Bool {
    func isMixed<Value: Equatable>(_ value: KeyPath<Self, Value>) -> Bool {
      [first[keyPath: value], second[keyPath: value]].contains(self[keyPath: value])
    }
    func isNumber(_ value: KeyPath<Self, Int>) -> Bool {
      isMixed(value) || written.contains(self[keyPath: value])
    }
    func isList(_ value: KeyPath<Self, [Int]>) -> Bool {
      let list = self[keyPath: value]
      return isMixed(value) || list.count == 1 && written.contains(list[0])
    }
    guard first.parts.count == self.parts.count, second.parts.count == self.parts.count else {
      return isMixed(\.self)
    }
    return isNumber(\.total) && isNumber(\.totalToRead) && isNumber(\.level)
      && isMixed(\.settings.name) && isNumber(\.settings.width) && isNumber(\.width)
      && isList(\.own)
      && self.parts.indices.allSatisfy {
        isMixed(\.parts[$0].taps) && isNumber(\.parts[$0].total) && isList(\.parts[$0].own)
      }
  }
}
