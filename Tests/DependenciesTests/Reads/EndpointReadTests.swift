import ConcurrencyExtras
import Dependencies
import DependenciesMacros
import Foundation
import IssueReporting
import Testing

private struct Track: Codable, Equatable, Sendable {
  var title: String
}

private struct Failure: Error, Equatable, CustomStringConvertible {
  var description: String { "no such track" }
}

private final class Handle: Sendable {}

@DependencyClient
private struct LibraryClient: Sendable {
  var count: @Sendable () -> Int = { 0 }
  var track: @Sendable (_ title: String, _ of: Track?, Int) throws -> Track
  var find: @Sendable (String) -> Track?
  var open: @Sendable (_ title: String) -> Handle? = { _ in nil }
  var watch: @Sendable (Handle) throws -> Int
  var forget: @Sendable (_ title: String) -> Void
  var erase: @Sendable () throws -> Void
  var add: @Sendable (inout Int) -> Void
  var map: @Sendable (_ transform: (Int) -> Int) -> Int = { $0(0) }
  var exact: @Sendable (Int) throws(Failure) -> Int = { _ throws(Failure) in throw Failure() }
  var make: @Sendable () -> @Sendable () -> Int = { { 0 } }
  var load: @Sendable () async throws -> Int
}

extension LibraryClient: DependencyKey {
  static let liveValue = LibraryClient()
  static let testValue = LibraryClient()
}

private struct Calls {
  @Dependency(LibraryClient.self) var library

  /// Runs with a client that counts its calls, under a recording and in a replay of it.
  func roundTrip<R>(
    _ change: (inout LibraryClient, Counter) -> Void, _ body: (LibraryClient) -> R
  ) -> (live: R, again: R, recording: FakeRecording, replay: FakeReplay, calls: Int) {
    let counter = Counter()
    let (live, recording) = withDependencies {
      var client = LibraryClient()
      change(&client, counter)
      $0[LibraryClient.self] = client
    } operation: {
      recorded { body(library) }
    }
    // The replay has the same client, as if a reducer had set it.
    let (again, replay) = withDependencies {
      var client = LibraryClient()
      change(&client, counter)
      $0[LibraryClient.self] = client
    } operation: {
      replayed(recording) { body(library) }
    }
    return (live, again, recording, replay, counter.value)
  }
}

private final class Counter: Sendable {
  private let count = LockIsolated(0)
  var value: Int { count.value }
  @discardableResult func next() -> Int {
    count.withValue {
      $0 += 1
      return $0
    }
  }
}

@Suite struct EndpointReadTests {
  @Test func answersAreRecordedWithTheirArguments() {
    let trip = Calls().roundTrip {
      let counter = $1
      $0.count = { counter.next() }
      $0.find = {
        counter.next()
        return $0 == "b" ? Track(title: $0) : nil
      }
    } _: {
      ["\($0.count())", "\($0.count())", $0.find("a")?.title, $0.find("b")?.title]
    }
    #expect(trip.live == ["1", "2", nil, "b"])
    #expect(trip.again == trip.live)
    #expect(
      trip.recording.names == [
        "LibraryClient.count", "LibraryClient.count", "LibraryClient.find", "LibraryClient.find",
      ])
    #expect(trip.recording.arguments == [nil, nil, #"{"_0":"a"}"#, #"{"_0":"b"}"#])
    #expect(trip.replay.missing.isEmpty)
    #expect(trip.replay.touchedNames.isEmpty)
    #expect(trip.calls == 4)
  }

  @Test func thrownErrors() throws {
    let trip = Calls().roundTrip {
      $1.next()
      $0.track = { title, other, number throws in
        guard title == "a" else { throw Failure() }
        return Track(title: "\(title)\(other?.title ?? "-")\(number)")
      }
    } _: { client in
      [
        Result { try client.track(title: "a", of: nil, 1) },
        Result { try client.track("a", Track(title: "x"), 2) },
        Result { try client.track(title: "b", of: nil, 3) },
      ]
    }
    #expect(try trip.live.prefix(2).map { try $0.get().title } == ["a-1", "ax2"])
    #expect(try trip.again.prefix(2).map { try $0.get().title } == ["a-1", "ax2"])
    #expect(throws: Failure()) { try trip.live[2].get() }
    let failure = #expect(throws: _ReadFailure.self) { try trip.again[2].get() }
    #expect(failure?.type == "Failure")
    #expect(failure?.description == "no such track")
    #expect(
      trip.recording.arguments == [
        #"{"title":"a","of":null,"_2":1}"#, #"{"title":"a","of":{"title":"x"},"_2":2}"#,
        #"{"title":"b","of":null,"_2":3}"#,
      ])
  }

  @Test func otherArgumentsAreAnotherRead() {
    let (_, recording) = withDependencies {
      $0[LibraryClient.self].find = { Track(title: $0) }
    } operation: {
      @Dependency(LibraryClient.self) var library
      return recorded { library.find("a") }
    }
    let (again, replay) = replayed(recording) {
      @Dependency(LibraryClient.self) var library
      return library.find("b")
    }
    #expect(again == nil)
    #expect(replay.differences == [#"LibraryClient.find{"_0":"b"}"#])
    #expect(replay.touchedNames.isEmpty)
  }

  @Test func endpointsThatReturnNothingAreNotCalledAgain() throws {
    let trip = Calls().roundTrip { client, counter in
      client.forget = { _ in counter.next() }
      client.erase = {
        counter.next()
        throw Failure()
      }
    } _: { client in
      client.forget(title: "a")
      return Result { try client.erase() }
    }
    #expect(trip.calls == 2)
    #expect(throws: Failure()) { try trip.live.get() }
    #expect(throws: _ReadFailure.self) { try trip.again.get() }
    #expect(trip.recording.names == ["LibraryClient.forget", "LibraryClient.erase"])
    #expect(trip.recording.arguments == [#"{"title":"a"}"#, nil])
    #expect(trip.replay.missing.isEmpty)
  }

  @Test func whatHasNoFormInBytesIsNeverCalledAgain() {
    let trip = Calls().roundTrip { client, counter in
      client.open = { _ in
        counter.next()
        return Handle()
      }
      client.watch = { _ in counter.next() }
      client.add = { $0 += counter.next() }
      client.map = { $0(counter.next()) }
      client.exact = { _ in counter.next() }
      client.make = { { counter.next() } }
    } _: { client -> [Int] in
      var number = 10
      client.add(&number)
      return [
        client.open(title: "a") == nil ? 0 : 1, (try? client.watch(Handle())) ?? 0, number,
        client.map { $0 * 10 }, (try? client.exact(1)) ?? 0, client.make()(),
      ]
    }
    #expect(trip.live == [1, 3, 11, 40, 5, 6])
    // `add` without a body does nothing, `map` with one is called with 0.
    #expect(trip.again == [0, 0, 10, 0, 0, 0])
    #expect(trip.recording.names.isEmpty)
    #expect(
      trip.replay.touchedNames == [
        "LibraryClient.add", "LibraryClient.open", "LibraryClient.watch", "LibraryClient.map",
        "LibraryClient.exact", "LibraryClient.make",
      ])
    #expect(trip.calls == 6)
  }

  @Test func aReplayWithoutAnAnswerTakesTheUnimplementedOneSilently() {
    let issues = issues {
      let (values, replay) = replayed(FakeRecording()) {
        @Dependency(LibraryClient.self) var library
        library.forget(title: "a")
        return (
          library.count(), library.find("a"), Result { try library.track(title: "a", of: nil, 1) },
          Result { try library.erase() }
        )
      }
      #expect(values.0 == 0)
      #expect(values.1 == nil)
      #expect(throws: Unimplemented.self) { try values.2.get() }
      #expect(throws: Unimplemented.self) { try values.3.get() }
      #expect(replay.differences.count == 5)
      #expect(replay.touchedNames.isEmpty)
    }
    #expect(issues.texts.isEmpty)
  }

  @Test func anEndpointWithoutABodyReportsUnderARecording() {
    let issues = issues {
      let (value, recording) = recorded { LibraryClient().count() }
      #expect(value == 0)
      #expect(recording.names == ["LibraryClient.count"])
    }
    #expect(issues.texts == ["Unimplemented: 'LibraryClient.count'"])
  }

  @Test func aReadWithinAReadIsPartOfIt() {
    let trip = Calls().roundTrip { client, _ in
      client.count = {
        @Dependency(\.date.now) var now
        @Dependency(LibraryClient.self) var library
        return Int(now.timeIntervalSince1970) + (library.find("a") == nil ? 0 : 1)
      }
      client.find = { Track(title: $0) }
    } _: {
      withDependencies {
        $0.date.now = Date(timeIntervalSince1970: 5)
      } operation: { [client = $0] in
        client.count()
      }
    }
    #expect(trip.live == 6)
    #expect(trip.again == 6)
    #expect(trip.recording.names == ["LibraryClient.count"])
  }

  @Test func anEndpointThatWrapsItselfIsOneRead() {
    let trip = Calls().roundTrip { client, counter in
      client.count = { counter.next() }
    } _: { client -> Int in
      var client = client
      let count = client.count
      client.count = { count() + 10 }
      return client.count()
    }
    #expect(trip.live == 11)
    #expect(trip.again == 11)
    #expect(trip.recording.names == ["LibraryClient.count"])
  }
}
