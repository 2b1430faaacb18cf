extension AsyncStream {
  /// Forwards a sequence, element by element, only when asked for the next one.
  ///
  /// An error ends the stream.
  public init<S: AsyncSequence>(_ sequence: S) where S.Element == Element, S: Sendable {
    let iterator = OnDemandIterator(sequence)
    self.init { await (try? iterator.next()) ?? nil }
  }

  /// A stream that never gives an element; it ends when its task is cancelled.
  public static var never: Self {
    Self { _ in }
  }

  /// A stream that has ended.
  public static var finished: Self {
    Self { $0.finish() }
  }
}

extension AsyncSequence {
  /// Forgets the type of the sequence; an error ends the stream.
  public func eraseToStream() -> AsyncStream<Element> where Self: Sendable {
    AsyncStream(self)
  }

  /// Forgets the type of the sequence.
  public func eraseToThrowingStream() -> AsyncThrowingStream<Element, any Error>
  where Self: Sendable {
    AsyncThrowingStream(self)
  }
}

extension AsyncThrowingStream where Failure == any Error {
  /// Forwards a sequence, element by element, only when asked for the next one.
  public init<S: AsyncSequence>(_ sequence: S) where S.Element == Element, S: Sendable {
    let iterator = OnDemandIterator(sequence)
    self.init { try await iterator.next() }
  }

  /// A stream that never gives an element; it ends when its task is cancelled.
  public static var never: Self {
    Self { _ in }
  }

  /// A stream that has ended, with an error if one is given.
  public static func finished(throwing error: Failure? = nil) -> Self {
    Self { $0.finish(throwing: error) }
  }
}

/// Makes the iterator of a sequence at the first demand; a stream asks one demand at a time.
private final class OnDemandIterator<S: AsyncSequence & Sendable>: @unchecked Sendable {
  private let sequence: S
  private var iterator: S.AsyncIterator?

  init(_ sequence: S) { self.sequence = sequence }

  func next() async throws -> S.Element? {
    var current = iterator ?? sequence.makeAsyncIterator()
    let element = try await current.next()
    iterator = current
    return element
  }
}
