import ConcurrencyExtras
import Dependencies
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

private struct Battery: Codable, Equatable {
  var level: Double
}

private struct Flat: Error {}

@Suite struct CaptureTests {
  @Dependency(\.recording) private var recording
  @Dependency(\.environmentVariables) private var environment

  @Test func whatIsCapturedComesFromTheRecording() throws {
    let calls = LockIsolated(0)
    func next() -> Int {
      calls.withValue {
        $0 += 1
        return $0
      }
    }
    let trip = try roundTrip {
      (
        recording.capture("number") { next() },
        recording.capture("battery") { Battery(level: Double(next()) / 2) },
        try recording.capture("maybe") { () throws -> Int? in next() == 3 ? nil : 1 },
        Result { try recording.capture("flat") { () throws -> Battery in throw Flat() } }
      )
    }
    #expect(trip.live.0 == 1)
    #expect(trip.live.1 == Battery(level: 1))
    #expect(trip.live.2 == nil)
    #expect(throws: Flat.self) { try trip.live.3.get() }
    #expect(trip.again.0 == 1)
    #expect(trip.again.1 == Battery(level: 1))
    #expect(trip.again.2 == nil)
    let failure = #expect(throws: _ReadFailure.self) { try trip.again.3.get() }
    #expect(failure?.type == "Flat")
    #expect(trip.recording.names == ["number", "battery", "maybe", "flat"])
    #expect(calls.value == 3)
  }

  @Test func outsideOfAReducerItOnlyAsks() throws {
    #expect(recording.capture("a") { 1 } == 1)
    #expect(throws: Flat.self) { try recording.capture("a") { throw Flat() } as Battery }
  }

  @Test func aReplayWithoutTheValueTellsThatItAsked() throws {
    let (values, replay) = replayed(FakeRecording()) {
      (
        recording.capture("a") { 1 },
        Result { try recording.capture("b") { () throws -> Int in 2 } }
      )
    }
    #expect(values.0 == 1)
    let failure = #expect(throws: _ReadFailure.self) { try values.1.get() }
    #expect(failure?.type == "")
    #expect(failure?.description == "The recording has no value of 'b' here.")
    #expect(replay.differences == ["a", "b"])
    #expect(replay.touchedNames == ["a"])
  }

  @Test func variablesOfTheEnvironment() {
    let (live, recording) = withDependencies {
      $0.environmentVariables = ["HOME": "/home/blob"]
      $0.environmentVariables["SHELL"] = "sh"
    } operation: {
      recorded { [environment["HOME"], environment["NONE"], environment["SHELL"]] }
    }
    #expect(live == ["/home/blob", nil, "sh"])
    #expect(recording.names == Array(repeating: "environmentVariables", count: 3))
    #expect(
      recording.arguments == [#"{"name":"HOME"}"#, #"{"name":"NONE"}"#, #"{"name":"SHELL"}"#])
    let (again, replay) = replayed(recording) {
      [environment["HOME"], environment["NONE"], environment["SHELL"]]
    }
    #expect(again == live)
    #expect(replay.missing.isEmpty)
  }

  @Test func theEnvironmentOfTheProcess() {
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(environment["PATH"] == ProcessInfo.processInfo.environment["PATH"])
    }
    let issues = issues {
      #expect(environment["PATH"] == nil)
      withDependencies {
        $0.environmentVariables["PATH"] = "/bin"
      } operation: {
        #expect(environment["PATH"] == "/bin")
      }
    }
    #expect(issues.texts == [#"Unimplemented: @Dependency(\.environmentVariables)"#])
  }
}

@Suite(.dependency(\.context, .live)) struct ReadScopeTests {
  @Dependency(\.date) private var date
  @Dependency(\.uuid) private var uuid
  @Dependency(\.recording) private var recording
  @Dependency(\.calendar) private var calendar
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator

  private func readAll() {
    _ = (date.now, uuid(), calendar, recording.capture("a") { 1 })
    _ = withRandomNumberGenerator { $0.next() }
  }

  @Test func whatAReducerStartsIsNotItself() async {
    let (task, recording) = recorded {
      Task { readAll() }
    }
    await task.value
    #expect(recording.names.isEmpty)
  }

  @Test func aCapturedDependencyIsNotRead() async throws {
    let (operation, recording) = recorded { () -> @Sendable () async throws -> Void in
      @Dependency(\.continuousClock) var clock
      let captured = (date: date, uuid: uuid, clock: clock, random: withRandomNumberGenerator)
      return {
        _ = (captured.date.now, captured.uuid(), captured.clock.now)
        _ = captured.random { $0.next() }
        try await captured.clock.sleep(for: .zero)
      }
    }
    try await operation()
    #expect(recording.names.isEmpty)
  }

  @Test func effectsThatBeginOnTheReducersThreadDoNotRecord() async {
    let reads = FakeRecording()
    let session = ReducerReads(reads)
    let operation = withEscapedDependencies { continuation in
      session.with { { @Sendable in continuation.yield { readAll() } } }
    }
    // The store starts effects after the reducer, on its thread.
    operation()
    #expect(reads.names.isEmpty)
    session.with { readAll() }
    #expect(reads.names == ["date", "uuid", "calendar", "a", "randomNumber"])
    #expect(ReducerReads.current == nil)
  }

  @Test func aReducerThatThrowsLeavesNothingBehind() {
    struct Oops: Error {}
    #expect(throws: Oops.self) { try recorded { throw Oops() } as (Void, FakeRecording) }
    #expect(ReducerReads.current == nil)
  }

  @Test func nothingIsReadOnAnotherThread() async {
    let reads = FakeRecording()
    ReducerReads(reads).with {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        readAll()
        done.signal()
      }
      done.wait()
    }
    #expect(reads.names.isEmpty)
  }
}
