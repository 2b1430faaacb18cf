import ConcurrencyExtras
import Dependencies
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

private struct Configuration: Codable, Equatable, Sendable {
  var limit = 3
  var names = ["a"]
}

extension DependencyValues {
  @DependencyEntry(liveValue: 100) fileprivate var cacheLimit = 1
  @DependencyEntry fileprivate var configuration = Configuration()

  fileprivate var zone: TimeZone {
    get { self[ZoneKey.self] }
    set { self[ZoneKey.self] = newValue }
  }

  private enum ZoneKey: DependencyKey {
    static let liveValue: TimeZone = .autoupdatingCurrent
  }
}

/// Counts how often values are made.
private let made = LockIsolated<[String]>([])

private struct Closures: Sendable {
  var name: String
  var run: @Sendable () -> String
}

private enum WithTestValue: DependencyKey {
  static var liveValue: Closures {
    made.withValue { $0.append("live") }
    return Closures(name: "live") { "live" }
  }
  static var testValue: Closures { Closures(name: "test") { "test" } }
}

private enum WithPreviewValue: DependencyKey {
  static let liveValue = Closures(name: "live") { "live" }
  static let previewValue = Closures(name: "preview") { "preview" }
}

private enum OnlyLive: DependencyKey {
  static let liveValue = Closures(name: "live") { "live" }
}

private enum OnlyTest: TestDependencyKey {
  static var testValue: Closures {
    if shouldReportUnimplemented { reportIssue("not here") }
    return Closures(name: "test") { "test" }
  }
}

private protocol Speaker: Sendable {
  var word: String { get }
}

private struct Parrot: Speaker, Codable {
  var word = "a"
}

private enum SpeakerKey: DependencyKey {
  static var liveValue: any Speaker { Parrot(word: "live") }
  static var testValue: any Speaker { Parrot(word: "test") }
}

private final class Box: Codable, Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

private enum BoxKey: DependencyKey {
  static let liveValue: Box? = Box(1)
  static let testValue: Box? = Box(2)
}

private enum ReadingKey: DependencyKey {
  static var liveValue: Closures {
    @Dependency(\.uuid) var uuid
    let name = uuid().uuidString
    return Closures(name: name) { name }
  }
  static let testValue = Closures(name: "test") { "test" }
}

@Suite(.dependency(\.context, .live)) struct ValueReadTests {
  @Dependency(\.cacheLimit) private var cacheLimit
  @Dependency(\.configuration) private var configuration
  @Dependency(\.zone) private var zone

  @Test func valuesAreReadByTheNamesOfTheirKeys() {
    let (values, recording) = withDependencies {
      $0.configuration = Configuration(limit: 4, names: [])
      $0.zone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
    } operation: {
      recorded { (cacheLimit, configuration, zone) }
    }
    #expect(values == (100, Configuration(limit: 4, names: []), TimeZone(identifier: "Asia/Tokyo")))
    #expect(recording.names == ["cacheLimit", "configuration", "ZoneKey"])
    let (again, replay) = replayed(recording) { (cacheLimit, configuration, zone) }
    #expect(again == values)
    #expect(replay.missing.isEmpty)
    #expect(replay.handedOutNames.isEmpty)
  }

  @Test func aPartOfAValueReadsAllOfIt() {
    @Dependency(\.configuration.limit) var limit
    let (value, recording) = withDependencies {
      $0.configuration = Configuration(limit: 5)
    } operation: {
      recorded { limit }
    }
    #expect(value == 5)
    #expect(recording.names == ["configuration"])
    #expect(replayed(recording) { limit }.result == 5)
  }

  @Test func anOverrideWithinAReducerIsNoRead() {
    let (values, recording) = withDependencies {
      $0.configuration = Configuration(limit: 6)
    } operation: {
      recorded {
        withDependencies {
          $0.configuration.limit += 1
        } operation: {
          configuration.limit
        }
      }
    }
    #expect(values == 7)
    #expect(recording.names == ["configuration"])
    let (again, replay) = replayed(recording) {
      withDependencies {
        $0.configuration.limit += 1
      } operation: {
        configuration.limit
      }
    }
    #expect(again == 7)
    #expect(replay.differences.isEmpty)
  }

  @Test func aReplayHasTheValueForTests() {
    @Dependency(WithTestValue.self) var closures
    @Dependency(SpeakerKey.self) var speaker
    @Dependency(OnlyTest.self) var onlyTest
    @Dependency(BoxKey.self) var box
    let issues = issues {
      made.setValue([])
      let (names, replay) = replayed(FakeRecording()) {
        [closures.name, closures.run(), speaker.word, onlyTest.name, "\(box?.number ?? 0)"]
      }
      #expect(names == ["test", "test", "test", "test", "2"])
      #expect(replay.differences.isEmpty)
      #expect(replay.handedOutNames.isEmpty)
      #expect(made.value.isEmpty)
    }
    #expect(issues.texts.isEmpty)
    let (live, recording) = recorded { (closures.name, speaker.word, box?.number) }
    #expect(live == ("live", "live", 1))
    #expect(recording.names.isEmpty)
  }

  @Test func aLiveValueForLackOfAnotherIsTold() {
    @Dependency(OnlyLive.self) var onlyLive
    @Dependency(WithPreviewValue.self) var withPreview
    let issues = issues {
      let (names, replay) = replayed(FakeRecording()) {
        [onlyLive.name, withPreview.name, onlyLive.run()]
      }
      #expect(names == ["live", "preview", "live"])
      #expect(replay.handedOutNames == ["OnlyLive", "OnlyLive"])
      let (name, other) = replayed(FakeRecording()) {
        withDependencies {
          $0[OnlyLive.self] = Closures(name: "own") { "own" }
        } operation: {
          onlyLive.name
        }
      }
      #expect(name == "own")
      #expect(other.handedOutNames.isEmpty)
    }
    #expect(issues.texts.isEmpty)
  }

  @Test func theValuesOfAReplayAreItsOwn() {
    @Dependency(WithTestValue.self) var closures
    #expect(replayed(FakeRecording()) { closures.name }.result == "test")
    #expect(closures.name == "live")
    #expect(replayed(FakeRecording()) { closures.name }.result == "test")
  }

  @Test func aReplayPostsNoNotifications() {
    @Dependency(\.notificationCenter) var center
    #expect(recorded { center }.result === NotificationCenter.default)
    let (mine, replay) = replayed(FakeRecording()) { center }
    #expect(mine !== NotificationCenter.default)
    #expect(replay.handedOutNames.isEmpty)
  }

  @Test func whatAValueIsMadeOfIsNoRead() {
    @Dependency(ReadingKey.self) var reading
    let (name, recording) = recorded { reading.name }
    #expect(name.count == 36)
    #expect(recording.names.isEmpty)
  }

  @Test func theNamesOfKeys() {
    let (_, recording) = recorded {
      _ = DependencyValues._current[Places.Home.self]
      _ = DependencyValues._current[Typed<Int>.Inner.self]
    }
    #expect(recording.names == ["Places.Home", "Typed<Int>.Inner"])
  }
}

private enum Places {
  enum Home: DependencyKey {
    static let liveValue = "home"
  }
}

private enum Typed<Value> {
  enum Inner: DependencyKey {
    static var liveValue: Bool { true }
  }
}
