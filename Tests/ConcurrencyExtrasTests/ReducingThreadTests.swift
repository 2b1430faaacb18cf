import ConcurrencyExtras
import Foundation
import Testing

@Suite struct ReducingThreadTests {
  @Test func aThreadOutsideOfARunIsNeverTakenForOneInside() {
    let mistakes = LockIsolated(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      var count = 0
      for _ in 0..<20_000 {
        if ReducingThread.isCurrent { count += 1 }
        let entered = ReducingThread.enter()
        // Within a run another one has nothing to begin, unless somebody else's is known.
        let inner = ReducingThread.enter()
        ReducingThread.leave(inner)
        ReducingThread.leaving {
          if ReducingThread.isCurrent { mistakes.withValue { $0 += 1 } }
        }
        ReducingThread.leave(entered)
        if ReducingThread.isCurrent { count += 1 }
      }
      mistakes.withValue { [count] in $0 += count }
    }
    #expect(mistakes.value == 0)
  }
}
