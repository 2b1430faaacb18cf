import ComposableArchitecture
import Synchronization

/// Where effects wait before they answer.
struct Gates: Sendable {
  /// Waits in one of several ways; see `Worker.Wait`.
  var pass: @Sendable (_ wait: Worker.Wait) async throws -> Void
  /// Notes a number that is shared now, and may be another one before the next action.
  var wrote: @Sendable (_ number: Int) -> Void = { _ in }
}

extension Gates: DependencyKey {
  static let liveValue = Gates { _ in }
  static let testValue = Gates { _ in }
}

/// Effects that are held until they are let go, in whatever order.
final class GateBoard: Sendable {
  private struct Held {
    var number: Int
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var next = 0
    var held: [Held] = []
    var cancelled: Set<Int> = []
    var isOpen = false
    var written: Set<Int> = []
  }

  private let state = Mutex(State())

  var gates: Gates {
    Gates(
      pass: { [weak self] wait in
        switch wait {
        case .none:
          break
        case .yields(let count):
          for _ in 0..<count { await Task.yield() }
        case .held:
          try await self?.hold()
        case .elsewhere(let count):
          await Task.detached { for _ in 0..<count { await Task.yield() } }.value
        }
      },
      wrote: { [weak self] number in self?.wrote(number) })
  }

  /// The numbers that other threads have shared, each for a while.
  var written: Set<Int> { self.state.withLock(\.written) }

  /// Notes a number that another thread shares.
  func wrote(_ number: Int) {
    self.state.withLock { _ = $0.written.insert(number) }
  }

  /// How many effects are held.
  var count: Int { self.state.withLock { $0.held.count } }

  /// Lets one of those that are held go; returns whether there was one.
  @discardableResult
  func release(_ word: UInt64) -> Bool {
    let held = self.state.withLock { state -> Held? in
      guard !state.held.isEmpty else { return nil }
      return state.held.remove(at: Int(word % UInt64(state.held.count)))
    }
    held?.continuation.resume()
    return held != nil
  }

  /// Lets all go, and those that come later.
  func open() {
    let held = self.state.withLock { state in
      state.isOpen = true
      defer { state.held = [] }
      return state.held
    }
    for held in held { held.continuation.resume() }
  }

  private func hold() async throws {
    let number = self.state.withLock { state in
      state.next += 1
      return state.next
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let passes = self.state.withLock { state in
          if state.isOpen || state.cancelled.remove(number) != nil { return true }
          state.held.append(Held(number: number, continuation: continuation))
          return false
        }
        if passes { continuation.resume() }
      }
    } onCancel: {
      let held = self.state.withLock { state -> Held? in
        if let index = state.held.firstIndex(where: { $0.number == number }) {
          return state.held.remove(at: index)
        }
        state.cancelled.insert(number)
        return nil
      }
      held?.continuation.resume()
    }
    try Task.checkCancellation()
  }
}
