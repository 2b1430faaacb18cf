import Dependencies
import DependenciesMacros
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

@DependencyClient
private struct PlayerClient: Sendable {
  var load: @Sendable (_ url: URL, _ volume: Float) async throws -> Int  // a comment
  var stop: @Sendable () async -> Void /* another */
  var isPlaying: @Sendable () -> Bool = { false }
  var names: @Sendable (_ of: String) -> [String] = { _ in
    let names = ["a"]
    return names
  }
  @DependencyEndpoint(method: "increment") var add: @Sendable (inout Int) -> Void
  var perform: @Sendable (_ work: @escaping @Sendable () -> Int, String) throws -> Int
  @DependencyEndpointIgnored var ignored: @Sendable () -> Int = { 7 }
  var limit = 3
  var title: String?
  var `default`: @Sendable () throws -> Void
  private var secret: @Sendable () -> Void
  static let shared = PlayerClient()
}

extension PlayerClient: TestDependencyKey {
  static let testValue = PlayerClient()
}

@DependencyClient
private struct SongClient: Sendable {
  var position: @Sendable () async -> Double?
  var artist: @Sendable (_ of: String) -> Optional<String>
  var cover: @Sendable () throws -> URL?
}

@Suite struct DependencyClientTests {
  @Test func anEndpointOfAnOptionalGivesNothing() async {
    let client = SongClient()
    let issues = Issues()
    await withIssueReporters([issues]) { () async -> Void in
      #expect(await client.position() == nil)
      #expect(client.artist(of: "b") == nil)
      #expect(throws: Unimplemented.self) { try client.cover() }
    }
    #expect(
      issues.texts == [
        "Unimplemented: 'SongClient.position'", "Unimplemented: 'SongClient.artist'",
        "Unimplemented: 'SongClient.cover'",
      ])
  }

  @Test func anEndpointWithoutABodyReportsAndThrows() async {
    let client = PlayerClient()
    let issues = Issues()
    await withIssueReporters([issues]) {
      await #expect(throws: Unimplemented.self) {
        try await client.load(url: URL(filePath: "/"), volume: 1)
      }
      await client.stop()
      #expect(client.isPlaying() == false)
      #expect(client.names(of: "b") == ["a"])
      #expect(client.ignored() == 7)
    }
    #expect(
      issues.texts == [
        "Unimplemented: 'PlayerClient.load'", "Unimplemented: 'PlayerClient.stop'",
        "Unimplemented: 'PlayerClient.isPlaying'", "Unimplemented: 'PlayerClient.names'",
      ])
  }

  @Test func anEndpointWithABodyIsCalled() async throws {
    var client = PlayerClient()
    client.load = { _, volume in Int(volume) }
    client.add = { $0 += 1 }
    client.perform = { work, text in work() + text.count }
    #expect(try await client.load(url: URL(filePath: "/"), volume: 3) == 3)
    var number = 1
    client.increment(&number)
    #expect(number == 2)
    #expect(try client.perform(work: { 4 }, "abc") == 7)
  }

  @Test func theMemberwiseInitializerTakesTheEndpoints() async throws {
    let client = PlayerClient(
      load: { _, _ in 1 }, stop: {}, isPlaying: { true }, names: { [$0] }, add: { _ in },
      perform: { _, _ in 0 }, ignored: { 8 }, default: {})
    #expect(client.isPlaying())
    #expect(client.limit == 3)
    #expect(client.ignored() == 8)
    #expect(
      PlayerClient(
        load: { _, _ in 1 }, stop: {}, isPlaying: { true }, names: { [$0] }, add: { _ in },
        perform: { _, _ in 0 }, ignored: { 8 }, limit: 4, title: "t", default: {}
      ).limit == 4)
  }
}

extension DependencyValues {
  @DependencyEntry fileprivate var cacheLimit = 100
  @DependencyEntry(liveValue: "live", previewValue: "preview") fileprivate var name: String = "test"
  @DependencyEntry("ColourKey", liveValue: "red") fileprivate var colour: String = "grey"
}

@Suite struct DependencyEntryTests {
  @Dependency(\.cacheLimit) private var cacheLimit
  @Dependency(\.name) private var name
  @Dependency(\.colour) private var colour

  @Test func theInitialValueIsTheTestValue() {
    #expect(cacheLimit == 100)
    #expect(name == "test")
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(name == "live")
      #expect(colour == "red")
    }
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(name == "preview")
    }
    withDependencies {
      $0.cacheLimit = 1
    } operation: {
      #expect(cacheLimit == 1)
    }
    #expect(DependencyValues.ColourKey.testValue == "grey")
  }
}
