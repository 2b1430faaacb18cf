internal import ConcurrencyExtras

extension Effect {
  /// An effect that sends each element of an asynchronous sequence.
  ///
  /// ```swift
  /// return .publisher {
  ///   state.$count.publisher.map(Action.countUpdated)
  /// }
  /// ```
  ///
  /// The sequence is made at once, and iterated on the main actor when the effect runs, with the
  /// dependencies that are in force now. It ends with the sequence, or when it is cancelled.
  ///
  /// - Parameter createPublisher: Makes a sequence that can't fail.
  public static func publisher(
    _ createPublisher: () -> some AsyncSequence<Action, Never>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) -> Self {
    let subscriptions = Subscriptions(UncheckedSendable(createPublisher()))
    let effect: Self = .run(
      operation: { @MainActor send in
        guard var iterator = subscriptions.take() else { return }
        while let action = await iterator.next(isolation: MainActor.shared) { send(action) }
      },
      fileID: fileID, filePath: filePath, line: line, column: column)
    guard case .run(var run) = effect.operation else { return effect }
    run.willStart = { subscriptions.add() }
    return Self(operation: .run(run))
  }
}

/// The iterations over the sequence of one effect that were begun, and whose task had no turn yet.
///
/// An iteration begins where the effect starts, so that it misses nothing from then on.
@MainActor
private final class Subscriptions<S: AsyncSequence> {
  private let sequence: UncheckedSendable<S>
  private var iterators: [S.AsyncIterator] = []

  nonisolated init(_ sequence: UncheckedSendable<S>) {
    self.sequence = sequence
  }

  func add() {
    self.iterators.append(self.sequence.value.makeAsyncIterator())
  }

  func take() -> S.AsyncIterator? {
    self.iterators.isEmpty ? nil : self.iterators.removeFirst()
  }
}
