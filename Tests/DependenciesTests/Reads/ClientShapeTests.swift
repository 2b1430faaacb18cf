import Dependencies
import DependenciesMacros
import Foundation
import Testing

// Clients of many shapes: that they compile is half of the test.

@DependencyClient
public struct PublicClient: Sendable {
  public var number: @Sendable (_ of: [String: Int], _ in: ClosedRange<Int>) -> Int = { _, _ in 0 }
  public var pair: @Sendable () -> (Int, String) = { (0, "") }
  public var result: @Sendable () -> Result<Int, Never> = { .success(0) }
  public var anything: @Sendable (any Error) -> any Error = { $0 }
}

private enum Outer {
  @DependencyClient
  struct Inner {
    var number: () -> Int = { 0 }
    var `default`: (_ default: Int) -> Int = { $0 }
    var throwing: () throws -> Int
    var callback: (_ done: @escaping (Int) -> Void) -> Void
    var optionalCallback: (_ done: ((Int) -> Void)?) -> Void
    var lazily: (_ text: @autoclosure () -> String) -> Int = { _ in 0 }
    var all: (_ numbers: Int...) -> Int = { _ in 0 }
    var never: () -> Never = { fatalError("never called") }
    var borrowing: (borrowing String) -> Int = { _ in 0 }
    var file: () -> File = { File() }
  }
}

private struct File: ~Copyable {}

@MainActor private final class Screen {
  var title = ""
}

@DependencyClient
private struct ScreenClient: Sendable {
  var title: @MainActor @Sendable () -> String = { "" }
  var setTitle: @MainActor @Sendable (_ title: String) throws -> Void
  var screen: @MainActor @Sendable () -> Screen = { Screen() }
}

@MainActor
@DependencyClient
private struct ActorClient {
  var title: () -> String = { "" }
  var setTitle: (_ title: String) -> Void
}

@DependencyClient
private struct GenericClient<Value: Codable & Sendable>: Sendable {
  var value: @Sendable () throws -> Value
  var values: @Sendable (_ after: Value?) -> [Value] = { _ in [] }
}

extension GenericClient {
  @DependencyClient
  struct Nested: Sendable {
    var value: @Sendable () -> Value? = { nil }
  }
}

@Suite struct ClientShapeTests {
  @Test func theNameOfAClientHasItsNesting() {
    let (_, recording) = recorded { () -> Int in
      var client = Outer.Inner()
      client.number = { 1 }
      client.default = { $0 }
      client.lazily = { $0().count }
      client.all = { (numbers: Int...) in numbers.count }
      return client.number() + client.default(default: 2) + client.lazily("a") + client.all(1, 2)
    }
    #expect(recording.names == ["Outer.Inner.number", "Outer.Inner.default"])
    #expect(recording.arguments == [nil, #"{"default":2}"#])
  }

  @Test func argumentsOfManyTypes() {
    var client = PublicClient()
    client.number = { $0.count + $1.count }
    let (number, recording) = recorded { client.number(of: ["a": 1], in: 1...3) }
    #expect(number == 4)
    #expect(
      recording.arguments == [#"{"of":{"a":1},"in":{"lowerBound":1,"upperBound":3}}"#])
  }

  @Test func anythingIsNotRecorded() {
    var client = PublicClient()
    client.pair = { (1, "a") }
    client.result = { .success(2) }
    client.anything = { $0 }
    let (_, recording) = recorded { (client.pair(), client.result(), client.anything(Oops())) }
    #expect(recording.names == ["PublicClient.result"])
    var inner = Outer.Inner()
    inner.file = { File() }
    #expect(recorded { _ = inner.file() }.recording.names.isEmpty)
    let (_, replay) = replayed(FakeRecording()) {
      _ = inner.file()
      _ = client.pair()
    }
    #expect(replay.touchedNames == ["Outer.Inner.file", "PublicClient.pair"])
  }

  @MainActor @Test func endpointsOfTheMainActor() throws {
    let screen = Screen()
    var client = ScreenClient()
    client.title = { screen.title }
    client.setTitle = { screen.title = $0 }
    client.screen = { screen }
    func run() throws -> String {
      try client.setTitle(title: client.title() + "a")
      return client.title() + client.screen().title
    }
    let (live, recording) = try recorded { try run() }
    #expect(live == "aa")
    #expect(
      recording.names == ["ScreenClient.title", "ScreenClient.setTitle", "ScreenClient.title"])
    let (again, replay) = try replayed(recording) { try run() }
    #expect(again == "a")
    #expect(screen.title == "a")
    #expect(replay.touchedNames == ["ScreenClient.screen"])

    var ofActor = ActorClient()
    ofActor.title = { "t" }
    ofActor.setTitle = { _ in }
    let (_, other) = recorded { ofActor.setTitle(title: ofActor.title()) }
    #expect(other.names == ["ActorClient.title", "ActorClient.setTitle"])
  }

  @Test func aGenericClient() throws {
    var client = GenericClient<Int>()
    client.value = { 1 }
    client.values = { [$0 ?? 0] }
    var texts = GenericClient<String>()
    texts.value = { "a" }
    var nested = GenericClient<Int>.Nested()
    nested.value = { 2 }
    let trip = try roundTrip {
      (try client.value(), client.values(after: 3), try texts.value(), nested.value())
    }
    #expect(trip.live == (1, [3], "a", 2))
    #expect(trip.again == trip.live)
    #expect(
      trip.recording.names == [
        "GenericClient<Int>.value", "GenericClient<Int>.values", "GenericClient<String>.value",
        "GenericClient<Int>.Nested.value",
      ])
  }

  @Test func aLocalClient() {
    @DependencyClient
    struct LocalClient {
      var number: () -> Int = { 0 }
    }
    var client = LocalClient()
    client.number = { 1 }
    #expect(recorded { client.number() }.recording.names == ["ClientShapeTests.LocalClient.number"])
  }
}

private struct Oops: Error {}
