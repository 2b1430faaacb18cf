import ConcurrencyExtras
import Testing

@Suite(.serialized) struct MainSerialExecutorTests {
  @MainActor @Test func tasksRunInTheOrderOfTheirStart() async {
    for _ in 0..<20 {
      let order = LockIsolated<[Int]>([])
      await withMainSerialExecutor {
        #expect(uncheckedUseMainSerialExecutor)
        await withTaskGroup(of: Void.self) { group in
          for index in 0..<50 {
            group.addTask {
              order.withValue { $0.append(index) }
              await Task.yield()
              order.withValue { $0.append(index + 50) }
            }
          }
        }
      }
      #expect(order.value == Array(0..<100))
    }
  }

  @Test func theExecutorIsPutBack() {
    let before = uncheckedUseMainSerialExecutor
    withMainSerialExecutor { #expect(uncheckedUseMainSerialExecutor) }
    #expect(uncheckedUseMainSerialExecutor == before)
  }

  @Test func otherTasksRunMeanwhile() async {
    let done = LockIsolated(false)
    let task = Task { done.setValue(true) }
    await Task.megaYield()
    await task.value
    #expect(done.value)
    await Task.megaYield(count: 0)
    await Task.megaYield(count: -1)
  }
}
