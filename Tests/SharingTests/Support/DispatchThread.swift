import Foundation

/// A thread that runs something, and that can be waited for.
struct DispatchThread {
  private let isDone = DispatchSemaphore(value: 0)

  init(_ body: @escaping @Sendable () -> Void) {
    let isDone = isDone
    Thread.detachNewThread {
      body()
      isDone.signal()
    }
  }

  func join() {
    isDone.wait()
  }
}
