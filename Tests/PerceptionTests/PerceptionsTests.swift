import Perception
import Testing
import TestSupport

@Perceptible @MainActor private final class Counter {
  var count = 0
}

@MainActor
@Suite(.mainSerialExecutor) struct PerceptionsTests {
  @Test func valuesOverTime() async {
    let counter = Counter()
    var seen: [Int] = []
    for await count in Perceptions({ counter.count }) {
      seen.append(count)
      if count == 3 { break }
      Task { counter.count += 1 }
    }
    #expect(seen == [0, 1, 2, 3])
  }

  @Test func untilFinished() async {
    let counter = Counter()
    let counts = Perceptions<Int, Never>.untilFinished {
      counter.count < 2 ? .next(counter.count) : .finish
    }
    var seen: [Int] = []
    for await count in counts {
      seen.append(count)
      Task { counter.count += 1 }
    }
    #expect(seen == [0, 1])
  }
}
