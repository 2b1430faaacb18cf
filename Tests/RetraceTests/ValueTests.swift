import ActionCoding
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// What becomes of the values of a feature: those with code of their own, those that are only
/// `Codable`, and those that are neither.
@MainActor
@Suite
struct ValueTests {
  /// Only `Codable`.
  struct Money: Codable, Equatable {
    var cents: Int
    var currency: [String: String]
  }

  @Reducer
  struct Shop {
    struct State: Equatable {
      var money: Money?
      var when = Date(timeIntervalSince1970: 0.1)
      var ids: Set<UUID> = []
      var results = 0
    }
    enum Action {
      case paid(Money)
      case at(Date, ids: Set<UUID>)
      case loaded(Result<Int, any Error>)
      case callback(() -> Void)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .paid(let money): state.money = money
        case .at(let date, let ids):
          state.when = date
          state.ids = ids
        case .loaded(.success(let count)): state.results = count
        case .loaded(.failure): state.results = -1
        case .callback(let call): call()
        }
        return .none
      }
    }
  }

  struct Failure: Error {}

  @Test func valuesOfEveryKindComeBack() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Shop.State()) {
      Shop().recorded(by: recording)
    }
    let ids = Set((1...20).map { _ in UUID() })
    store.send(.paid(Money(cents: .min, currency: ["é": "€", "": "\u{0}"])))
    store.send(.at(Date(timeIntervalSince1970: 1.0 / 3), ids: ids))
    store.send(.loaded(.success(7)))
    let state = store.withState { $0 }
    try recording.close()
    let timeline = try Timeline(of: path) { Shop() }
    try timeline.move(to: 3)
    #expect(timeline.state == state)
    #expect(try timeline.stateValue(at: RecordPath(parsing: "money.cents")) == .int(.min))
  }

  @Test func whatCanNotBeEncodedIsShownAndStopsTheReplayThere() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Shop.State()) {
      Shop().recorded(by: recording)
    }
    store.send(.loaded(.success(1)))
    store.send(.callback {})
    store.send(.loaded(.failure(Failure())))
    try recording.close()

    let inspector = try LogInspector(at: path)
    let callback = try inspector.action(2, of: inspector.stream())
    #expect(callback.value.map { "\($0)".hasPrefix("callback(") } == true)
    let failure = try inspector.action(3, of: inspector.stream())
    #expect(failure.value.map { "\($0)".contains("Failure") } == true)

    let timeline = try Timeline(of: path) { Shop() }
    try timeline.move(to: 1)
    #expect(timeline.state.results == 1)
    do {
      try timeline.move(to: 2)
      Issue.record("A closure was replayed.")
    } catch let error as ReplayError {
      #expect(error.code == .undecodable)
      #expect(error.action == 2)
      #expect(error.message.hasPrefix("Action 2 of 'ValueTests.Shop' can't be replayed."))
      #expect(error.message.hasSuffix("with 'retrace show \(path) 2'."))
    }
    #expect(timeline.position == 1)
    #expect(timeline.state.results == 1)
  }

  @Test func aLogOfOtherTypesIsRefused() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    let store = Store(initialState: Shop.State()) {
      Shop().recorded(by: recording)
    }
    store.send(.loaded(.success(1)))
    try recording.close()
    do {
      _ = try Timeline(of: path) { Counter() }
      Issue.record("A log of a shop was replayed by a counter.")
    } catch let error as ReplayError {
      #expect(error.code == .otherTypes)
      #expect(
        error.message.hasPrefix(
          "'ValueTests.Shop' of run 1 was recorded with another type of state than this program "
            + "has. No value of 'State' can be read as it was recorded. "))
    }
  }
}
