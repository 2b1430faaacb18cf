import Clocks
import ConcurrencyExtras
import Dependencies
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct BuiltInValueTests {
  @Dependency(\.date) private var date
  @Dependency(\.date.now) private var now
  @Dependency(\.uuid) private var uuid
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator

  @Test func aFixedDate() {
    let date = Date(timeIntervalSince1970: 12)
    withDependencies {
      $0.date.now = date
    } operation: {
      #expect(self.date.now == date)
      #expect(self.date() == date)
      #expect(now == date)
    }
    withDependencies {
      $0.date = .constant(date)
    } operation: {
      #expect(now == date)
    }
  }

  @Test func countedUUIDs() {
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      #expect(uuid() == UUID(uuidString: "00000000-0000-0000-0000-000000000000"))
      #expect(uuid() == UUID(1))
    }
    #expect(UUID(10).uuidString == "00000000-0000-0000-0000-00000000000A")
    #expect(UUID(.max).uuidString == "00000000-0000-0000-7FFF-FFFFFFFFFFFF")
    #expect(UUID(-1).uuidString == "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF")
  }

  @Test func randomUUIDsAreOfVersion4AndDiffer() {
    withDependencies {
      $0.context = .live
    } operation: {
      var seen: Set<UUID> = []
      for _ in 0..<1_000 {
        let uuid = uuid()
        #expect(uuid.uuid.6 & 0xF0 == 0x40)
        #expect(uuid.uuid.8 & 0xC0 == 0x80)
        seen.insert(uuid)
      }
      #expect(seen.count == 1_000)
    }
  }

  @Test func valuesThatATestDidNotSetReportTheirUse() {
    let issues = issues {
      _ = date.now
      _ = uuid()
      _ = clock.now
      _ = withRandomNumberGenerator { $0.next() }
    }
    #expect(
      issues.texts == [
        #"Unimplemented: @Dependency(\.date)"#, #"Unimplemented: @Dependency(\.uuid)"#,
        #"Unimplemented: @Dependency(\.continuousClock).now"#,
        #"Unimplemented: @Dependency(\.withRandomNumberGenerator)"#,
      ])
  }

  @Test func placesHaveNoTestValue() {
    @Dependency(\.calendar) var calendar
    @Dependency(\.locale) var locale
    @Dependency(\.timeZone) var timeZone
    @Dependency(\.preferredLocales) var preferredLocales
    let issues = issues {
      _ = (calendar, locale, timeZone, preferredLocales)
    }
    #expect(
      issues.texts.map { String($0.prefix { $0 != "," }) } == [
        #"@Dependency(\.calendar) has no test implementation"#,
        #"@Dependency(\.locale) has no test implementation"#,
        #"@Dependency(\.timeZone) has no test implementation"#,
        #"@Dependency(\.preferredLocales) has no test implementation"#,
      ])
  }

  @Test func aClockIsOverridden() async throws {
    let clock = ImmediateClock()
    try await withDependencies {
      $0.continuousClock = clock
    } operation: {
      try await self.clock.sleep(for: .seconds(1))
    }
    #expect(clock.now == .init(offset: .seconds(1)))
  }

  @Test func aGeneratorIsLentAndKeepsItsState() {
    struct Counting: RandomNumberGenerator {
      var last = UInt64.zero
      mutating func next() -> UInt64 {
        last += 1
        return last
      }
    }
    withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Counting())
    } operation: {
      #expect(withRandomNumberGenerator { $0.next() } == 1)
      #expect(withRandomNumberGenerator { $0.next() } == 2)
    }
  }

  @Test func workThatNobodyWaitsForIsWaitedForInTests() async {
    @Dependency(\.fireAndForget) var fireAndForget
    let done = LockIsolated(false)
    await fireAndForget {
      await Task.yield()
      done.setValue(true)
    }
    #expect(done.value)
  }

  @Test func assertionsAreIssuesInTests() {
    @Dependency(\.assert) var assert
    @Dependency(\.assertionFailure) var assertionFailure
    @Dependency(\.precondition) var precondition
    let issues = issues {
      assert(1 > 2, "A")
      assert(2 > 1, "B")
      assertionFailure("C")
      precondition(1 > 2, "D")
      assert(1 > 2)
    }
    #expect(issues.texts == ["A", "C", "D", ""])
  }

  @Test func theNotificationCentre() {
    @Dependency(\.notificationCenter) var center
    let mine = NotificationCenter()
    withDependencies {
      $0.notificationCenter = mine
    } operation: {
      #expect(center === mine)
    }
  }

  @Test func aRequestOfATestFails() async throws {
    @Dependency(\.urlSession) var session
    let url = try #require(URL(string: "https://a.invalid"))
    await #expect {
      _ = try await session.data(from: url)
    } throws: {
      $0.localizedDescription == #"Unimplemented: @Dependency(\.urlSession)"#
    }
    let mine = URLSession(configuration: .ephemeral)
    withDependencies {
      $0.urlSession = mine
    } operation: {
      #expect(session === mine)
    }
  }

  @Test func aSuspendingClockIsOverridden() async throws {
    @Dependency(\.suspendingClock) var clock
    let seen = issues { _ = clock.minimumResolution }
    #expect(
      seen.texts == [#"Unimplemented: @Dependency(\.suspendingClock).minimumResolution"#])
    try await withDependencies {
      $0.suspendingClock = .immediate
    } operation: {
      try await clock.sleep(for: .seconds(1_000))
    }
  }

  @Test(.dependency(\.date.now, Date(timeIntervalSince1970: 7)))
  func aTraitForAPartOfAValueDoesNotUseIt() {
    @Dependency(\.date.now) var now
    #expect(now == Date(timeIntervalSince1970: 7))
  }

  @Test func aDependencyAsTheTypeThatItHas() {
    @Dependency(\.continuousClock, as: ContinuousClock.self) var clock
    @Dependency(SpokenKey.self, as: Parrot.self) var parrot
    let issues = issues {
      withDependencies {
        $0.continuousClock = ContinuousClock()
      } operation: {
        #expect(clock.minimumResolution == ContinuousClock().minimumResolution)
      }
      #expect(parrot.words == ["a"])
    }
    #expect(issues.texts.isEmpty)
  }
}

private protocol Speaker: Sendable {}

private struct Parrot: Speaker {
  var words = ["a"]
}

private enum SpokenKey: TestDependencyKey {
  static var testValue: any Speaker { Parrot() }
}
