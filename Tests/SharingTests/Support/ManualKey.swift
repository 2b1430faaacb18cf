import Foundation
import Sharing
import Synchronization

/// A place outside whose every answer the test gives.
final class ManualPlace<Value: Sendable>: Sendable {
  struct State: Sendable {
    var loads: [(context: LoadContext<Value>, continuation: LoadContinuation<Value>)] = []
    var saves: [(value: Value, context: SaveContext, continuation: SaveContinuation)] = []
    var subscribers: [SharedSubscriber<Value>] = []
    var subscriptionContexts: [LoadContext<Value>] = []
    var cancellations = 0
  }

  let state = Mutex(State())
  /// What a load gives at once; `nil` leaves it to the test.
  let answer: (@Sendable (LoadContext<Value>) -> Result<Value?, any Error>)?
  let savesAtOnce: Bool

  init(
    savesAtOnce: Bool = true,
    answer: (@Sendable (LoadContext<Value>) -> Result<Value?, any Error>)? = { _ in .success(nil) }
  ) {
    self.savesAtOnce = savesAtOnce
    self.answer = answer
  }

  var loadCount: Int { state.withLock { $0.loads.count } }
  var saved: [Value] { state.withLock { $0.saves.map(\.value) } }
  var saveContexts: [SaveContext] { state.withLock { $0.saves.map(\.context) } }
  var cancellations: Int { state.withLock { $0.cancellations } }

  func takeLoad() -> LoadContinuation<Value>? {
    state.withLock { $0.loads.popLast()?.continuation }
  }

  func takeSave() -> SaveContinuation? {
    state.withLock { $0.saves.popLast()?.continuation }
  }

  var subscriber: SharedSubscriber<Value>? { state.withLock { $0.subscribers.last } }
}

/// The key of a place.
struct ManualKey<Value: Sendable>: SharedKey {
  let place: ManualPlace<Value>

  var id: ObjectIdentifier { ObjectIdentifier(place) }

  func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    if let answer = place.answer {
      place.state.withLock {
        $0.loads.append((context, LoadContinuation { _ in }))
        $0.loads.last?.continuation.resumeReturningInitialValue()
      }
      continuation.resume(with: answer(context))
    } else {
      place.state.withLock { $0.loads.append((context, continuation)) }
    }
  }

  func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    place.state.withLock {
      $0.subscribers.append(subscriber)
      $0.subscriptionContexts.append(context)
    }
    return SharedSubscription { [place] in place.state.withLock { $0.cancellations += 1 } }
  }

  func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    place.state.withLock { $0.saves.append((value, context, continuation)) }
    if place.savesAtOnce { continuation.resume() }
  }
}

extension ManualKey: CustomStringConvertible {
  var description: String { ".manual" }
}

extension SharedReaderKey {
  static func manual<Value>(_ place: ManualPlace<Value>) -> Self where Self == ManualKey<Value> {
    ManualKey(place: place)
  }
}

struct SomeError: Error, Equatable {
  var text = "some error"
}
