extension AsyncSequence where Element: Equatable {
  /// This sequence without the elements that are equal to the one before them.
  @_disfavoredOverload
  public func removeDuplicates() -> _RemoveDuplicatesSequence<Self> {
    _RemoveDuplicatesSequence(base: self, isRepetition: ==)
  }
}

extension AsyncSequence {
  /// This sequence without the elements that repeat the one before them.
  ///
  /// - Parameter predicate: Whether the second of two elements repeats the first.
  @_disfavoredOverload
  public func removeDuplicates(
    by predicate: @escaping @Sendable (Element, Element) -> Bool
  ) -> _RemoveDuplicatesSequence<Self> {
    _RemoveDuplicatesSequence(base: self, isRepetition: predicate)
  }
}

/// A sequence without the elements that repeat the one before them.
public struct _RemoveDuplicatesSequence<Base: AsyncSequence>: AsyncSequence {
  public typealias Element = Base.Element
  public typealias Failure = Base.Failure

  let base: Base
  // `@Sendable` only where the caller can say so: equality of an unknown type can't.
  let isRepetition: (Element, Element) -> Bool

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(base: self.base.makeAsyncIterator(), isRepetition: self.isRepetition)
  }

  public struct AsyncIterator: AsyncIteratorProtocol {
    var base: Base.AsyncIterator
    let isRepetition: (Element, Element) -> Bool
    var last: Element?

    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(Failure) -> Element? {
      while let element = try await self.base.next(isolation: actor) {
        if let last = self.last, self.isRepetition(last, element) { continue }
        self.last = element
        return element
      }
      return nil
    }
  }
}

// The function it holds is either `==` or given as `@Sendable`.
extension _RemoveDuplicatesSequence: @unchecked Sendable where Base: Sendable {}
