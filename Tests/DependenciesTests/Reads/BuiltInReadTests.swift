import Clocks
import Dependencies
import DependenciesTestSupport
import Foundation
import IssueReporting
import Testing

@Suite(.dependency(\.context, .live)) struct BuiltInReadTests {
  @Dependency(\.date) private var date
  @Dependency(\.date.now) private var now
  @Dependency(\.uuid) private var uuid
  @Dependency(\.withRandomNumberGenerator) private var withRandomNumberGenerator
  @Dependency(\.continuousClock) private var clock
  @Dependency(\.calendar) private var calendar
  @Dependency(\.locale) private var locale
  @Dependency(\.preferredLocales) private var preferredLocales
  @Dependency(\.timeZone) private var timeZone
  @Dependency(\.context) private var context

  @Test func dates() {
    let trip = roundTrip { [date.now, date(), now] }
    #expect(trip.live == trip.again)
    #expect(trip.recording.names == ["date", "date", "date"])
    #expect(trip.replay.missing.isEmpty)
  }

  @Test func overridesAreReadAsWell() {
    let (values, recording) = recorded {
      withDependencies {
        $0.date.now = Date(timeIntervalSinceReferenceDate: 1)
        $0.uuid = .incrementing
        $0.timeZone = .gmt
      } operation: {
        (now, [uuid(), uuid()], timeZone)
      }
    }
    #expect(values.0 == Date(timeIntervalSinceReferenceDate: 1))
    #expect(values.1 == [UUID(0), UUID(1)])
    // The override of `date.now` reads `date` only to change it.
    #expect(recording.names == ["date", "uuid", "uuid", "timeZone"])
    // A replay does not even need the override.
    let (again, replay) = replayed(recording) { (now, [uuid(), uuid()], timeZone) }
    #expect(again == values)
    #expect(replay.missing.isEmpty)
  }

  @Test func settingAValueByKeyPathIsNoRead() {
    let (_, recording) = recorded {
      var values = DependencyValues._current
      values.override(\.date.now, with: Date())
      values.override(\.calendar.timeZone, with: .gmt)
      withDependencies {
        $0.calendar.firstWeekday = 3
        $0.environmentVariables["A"] = "a"
        $0.continuousClock = ImmediateClock()
      } operation: {
      }
    }
    #expect(recording.names.isEmpty)
  }

  @Test func uuidsAndRandomNumbers() {
    let trip = roundTrip { () -> [String] in
      let sides: [Int] = withRandomNumberGenerator { generator in
        // A generator may be asked for in the midst of another.
        (0..<3).map { _ in Int.random(in: 1...6, using: &generator) }
          + [withRandomNumberGenerator { Int($0.next() % 7) }]
      }
      return [uuid().uuidString] + sides.map(String.init)
    }
    #expect(trip.live == trip.again)
    #expect(trip.recording.names.last == "uuid")
    #expect(trip.recording.names.dropLast().allSatisfy { $0 == "randomNumber" })
    #expect(trip.recording.names.count >= 5)
  }

  @Test func aGeneratorOfOnesOwnKeepsItsState() {
    struct Counting: RandomNumberGenerator {
      var last = UInt64.zero
      mutating func next() -> UInt64 {
        last += 1
        return last
      }
    }
    let (numbers, recording) = withDependencies {
      $0.withRandomNumberGenerator = WithRandomNumberGenerator(Counting())
    } operation: {
      recorded {
        [
          withRandomNumberGenerator { $0.next() }, withRandomNumberGenerator { $0.next() },
          withRandomNumberGenerator {
            $0 = Counting(last: 10)
            return $0.next()
          }, withRandomNumberGenerator { $0.next() },
        ]
      }
    }
    #expect(numbers == [1, 2, 11, 12])
    // One was drawn from a generator that the reducer made itself.
    #expect(recording.names.count == 3)
  }

  @Test func placesAsTheyWere() {
    let here = withDependencies {
      var calendar = Calendar(identifier: .hebrew)
      calendar.locale = Locale(identifier: "de_CH")
      calendar.timeZone = TimeZone(identifier: "Asia/Tokyo") ?? .gmt
      calendar.firstWeekday = 4
      calendar.minimumDaysInFirstWeek = 3
      $0.calendar = calendar
      $0.locale = Locale(identifier: "sr_Latn_RS")
      $0.preferredLocales = [Locale(identifier: "fr"), Locale(identifier: "en_GB")]
      $0.timeZone = TimeZone(secondsFromGMT: 3_660) ?? .gmt
    } operation: {
      recorded { (calendar, locale, preferredLocales, timeZone) }
    }
    #expect(here.recording.names == ["calendar", "locale", "preferredLocales", "timeZone"])
    #expect(here.result.0.identifier == .hebrew)
    #expect(here.result.0.locale?.identifier == "de_CH")
    #expect(here.result.0.timeZone.identifier == "Asia/Tokyo")
    #expect(here.result.0.firstWeekday == 4)
    #expect(here.result.0.minimumDaysInFirstWeek == 3)
    let there = replayed(here.recording) { (calendar, locale, preferredLocales, timeZone) }
    #expect(there.result == here.result)
  }

  @Test func settingsOfTheMachineAreTakenAsTheyAre() {
    let trip = roundTrip { (calendar, locale, preferredLocales, timeZone) }
    #expect(trip.live == trip.again)
    // Not those that follow the settings, which a state would be encoded with as such.
    #expect(trip.live.0 != .autoupdatingCurrent)
    #expect(trip.live.3 != .autoupdatingCurrent)
    #expect(trip.live.0.timeZone.identifier == Calendar.current.timeZone.identifier)
  }

  @Test func everyCalendarHasAForm() {
    let identifiers: [Calendar.Identifier] = [
      .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew,
      .iso8601, .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina,
      .islamicTabular, .islamicUmmAlQura,
    ]
    for identifier in identifiers {
      let (live, recording) = withDependencies {
        $0.calendar = Calendar(identifier: identifier)
      } operation: {
        recorded { calendar }
      }
      #expect(live.identifier == identifier)
      #expect(replayed(recording) { calendar }.result == live)
    }
  }

  @Test func theTimeOfAClock() async throws {
    let test = TestClock()
    let (first, recording) = withDependencies {
      $0.continuousClock = test
    } operation: {
      recorded { elapsed(on: clock) }
    }
    #expect(first == .zero)
    #expect(recording.names == ["continuousClock", "continuousClock"])
    #expect(replayed(recording) { elapsed(on: clock) }.result == .zero)

    let trip = roundTrip { elapsed(on: clock) }
    #expect(trip.live == trip.again)

    // The clock of a reducer sleeps as the real one does.
    let captured = withDependencies {
      $0.continuousClock = test
    } operation: {
      recorded { clock }.result
    }
    let task = Task { try await captured.sleep(for: .seconds(1)) }
    // Again and again, since nothing tells when the task sleeps.
    let advancing = Task {
      while !Task.isCancelled {
        await test.advance(by: .seconds(1))
        await Task.yield()
      }
    }
    try await task.value
    advancing.cancel()
    #expect(captured.minimumResolution == .zero)
  }

  @Test func aClockOfAKnownTypeIsFoundUnderARecording() {
    @Dependency(\.continuousClock, as: TestClock<Duration>.self) var testClock
    let test = TestClock()
    withDependencies {
      $0.continuousClock = test
    } operation: {
      #expect(recorded { testClock }.result === test)
    }
  }

  @Test func theContext() {
    let trip = roundTrip { context }
    #expect(trip.live == .live)
    let (live, recording) = withDependencies {
      $0.context = .preview
    } operation: {
      recorded { context }
    }
    #expect(live == .preview)
    #expect(recording.names == ["context"])
    #expect(replayed(recording) { context }.result == .preview)
  }

  @Test func whatWasNotRecordedIsMadeUpAndNeverTheSame() {
    let (values, replay) = replayed(FakeRecording()) {
      (
        [date.now, date.now], [uuid(), uuid()],
        // An algorithm that draws until a number is in its range must come to an end.
        withRandomNumberGenerator { Int.random(in: 0..<(1 << 62) + 1, using: &$0) }
      )
    }
    #expect(values.0[0] < values.0[1])
    #expect(values.1[0] != values.1[1])
    #expect(replay.differences.prefix(4) == ["date", "date", "uuid", "uuid"])
    #expect(Set(replay.differences.dropFirst(4)) == ["randomNumber"])
    #expect(replay.touchedNames.isEmpty)
  }

  @Test func aValueThatATestDidNotSetIsReportedOnce() {
    let issues = issues {
      withDependencies {
        $0.context = .test
      } operation: {
        _ = recorded { uuid() }
      }
    }
    #expect(issues.texts == [#"Unimplemented: @Dependency(\.uuid)"#])
  }
}

private func elapsed(on clock: any Clock<Duration>) -> Duration {
  func measure<C: Clock<Duration>>(_ clock: C) -> Duration {
    let start: C.Instant = clock.now
    return start.duration(to: clock.now)
  }
  return measure(clock)
}
