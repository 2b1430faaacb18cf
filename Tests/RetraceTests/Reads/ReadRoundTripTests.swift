import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// Each kind of read, through a log and back.
@MainActor
@Suite struct ReadRoundTripTests {
  /// Records `actions` and replays them with the same feature and other dependencies around it.
  private func roundTrip(
    _ actions: [Reading.Action], _ change: (inout DependencyValues) -> Void = { _ in }
  ) async throws -> (live: Reading.State, again: Reading.State, divergence: Divergence?) {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    let state = await withDependencies {
      $0.context = .live
      change(&$0)
    } operation: {
      let store = Store(initialState: Reading.State()) { Reading().recorded(by: recording) }
      for action in actions { await store.send(action).finish() }
      return store.withState { $0 }
    }
    try recording.close()
    let timeline = try Timeline(of: path) { Reading() }
    try timeline.move(to: timeline.count)
    return (state, timeline.state, timeline.divergence)
  }

  @Test func everyKindOfReadComesBack() async throws {
    let trip = try await roundTrip([.builtIns, .builtIns, .client, .values, .push, .push]) {
      $0.calendar = Calendar(identifier: .buddhist)
      $0.locale = Locale(identifier: "de_CH")
      $0.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
      $0.environmentVariables = ["HOME": "/home/blob"]
      $0.retryLimit = 7
      $0[WeatherClient.self].degrees = { $0 == "Bern" ? 20 : nil }
      $0[WeatherClient.self].warn = { throw NoSuchPlace(name: $0) }
    }
    #expect(trip.live.texts.count == 15)
    #expect(
      trip.live.texts.suffix(5) == [
        "Optional(20)", "nil", "no place Oz", "7", "Optional(\"/home/blob\")",
      ])
    #expect(trip.live.path.count == 2)
    #expect(trip.again == trip.live)
    #expect(trip.divergence == nil)
  }

  @Test func effectsDoNotRecord() async throws {
    let trip = try await roundTrip([.effect, .builtIns, .effect])
    #expect(trip.again == trip.live)
    #expect(trip.divergence == nil)
  }

  @Test func aLiveDependencyIsNamed() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    let calls = LockIsolated(0)
    withDependencies {
      $0[WeatherClient.self].station = {
        calls.withValue { $0 += 1 }
        return Station()
      }
    } operation: {
      let store = Store(initialState: Reading.State()) { Reading().recorded(by: recording) }
      store.send(.station)
    }
    try recording.close()
    #expect(calls.value == 1)
    let timeline = try Timeline(of: path) {
      Reading().dependency(
        WeatherClient(
          degrees: { _ in nil }, warn: { _ in },
          station: {
            calls.withValue { $0 += 1 }
            return Station()
          }))
    }
    let divergence = #expect(throws: Divergence.self) { try timeline.move(to: 1) }
    #expect(divergence?.kind == .dependency)
    #expect(divergence?.action == 1)
    #expect(divergence?.path == "WeatherClient.station")
    #expect(calls.value == 1)
  }

  @Test func otherArgumentsAreADivergence() async throws {
    let folder = try TemporaryFolder()
    let path = folder.path("log.retrace")
    let recording = try Recording(at: path)
    withDependencies {
      $0[WeatherClient.self].degrees = { _ in 1 }
    } operation: {
      let store = Store(initialState: Reading.State()) {
        Reading(place: "Bern").recorded(by: recording)
      }
      store.send(.degrees)
    }
    try recording.close()
    let timeline = try Timeline(of: path) { Reading(place: "Basel") }
    let divergence = #expect(throws: Divergence.self) { try timeline.move(to: 1) }
    #expect(divergence?.kind == .read)
    #expect(divergence?.expected.contains("Bern") == true)
    #expect(divergence?.actual.contains("Basel") == true)
  }
}

private struct NoSuchPlace: Error, CustomStringConvertible {
  var name: String
  var description: String { "no place \(name)" }
}

final class Station: Sendable {}

@DependencyClient
struct WeatherClient: Sendable {
  var degrees: @Sendable (_ in: String) -> Int?
  var warn: @Sendable (_ in: String) throws -> Void
  var station: @Sendable () -> Station = { Station() }
}

extension WeatherClient: DependencyKey {
  static let liveValue = WeatherClient()
  static let testValue = WeatherClient()
}

extension DependencyValues {
  @DependencyEntry(liveValue: 3) fileprivate var retryLimit = 0
}

/// A feature that reads everything that a reducer can read.
@Reducer
private struct Reading {
  struct State: Equatable {
    var texts: [String] = []
    var path = StackState<Int>()
  }

  enum Action: Equatable {
    case builtIns
    case client
    case values
    case push
    case station
    case degrees
    case effect
    case answer(String)
  }

  var place = "Bern"

  @Dependency(\.date) var date
  @Dependency(\.uuid) var uuid
  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  @Dependency(\.calendar) var calendar
  @Dependency(\.locale) var locale
  @Dependency(\.timeZone) var timeZone
  @Dependency(\.continuousClock) var clock
  @Dependency(\.retryLimit) var retryLimit
  @Dependency(\.environmentVariables) var environment
  @Dependency(\.recording) var recording
  @Dependency(WeatherClient.self) var weather

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .builtIns:
        state.texts.append("\(self.date.now.timeIntervalSinceReferenceDate)")
        state.texts.append(self.uuid().uuidString)
        let number = self.withRandomNumberGenerator { UInt64.random(in: 0 ... .max, using: &$0) }
        state.texts.append("\(number)")
        state.texts.append("\(self.calendar.identifier) \(self.locale) \(self.timeZone)")
        state.texts.append("\(elapsed(on: self.clock))")
      case .client:
        state.texts.append("\(self.weather.degrees(in: "Bern") as Any)")
        state.texts.append("\(self.weather.degrees(in: "Oz") as Any)")
        do {
          try self.weather.warn(in: "Oz")
        } catch {
          state.texts.append("\(error)")
        }
      case .values:
        state.texts.append("\(self.retryLimit)")
        state.texts.append("\(self.environment["HOME"] as Any)")
      case .push:
        state.path.append(state.path.count)
      case .station:
        _ = self.weather.station()
      case .degrees:
        state.texts.append("\(self.weather.degrees(in: self.place) as Any)")
      case .effect:
        return .run { [date, clock] send in
          try await clock.sleep(for: .zero)
          await send(.answer("\(date.now) \(self.uuid()) \(self.recording.capture("a") { 1 })"))
        }
      case .answer(let text):
        state.texts.append(text)
      }
      return .none
    }
  }
}

private func elapsed(on clock: any Clock<Duration>) -> Duration {
  func measure<C: Clock<Duration>>(_ clock: C) -> Duration {
    let start: C.Instant = clock.now
    return start.duration(to: clock.now)
  }
  return measure(clock)
}
