/// The values of a shared reference over time: an asynchronous sequence that begins with the latest
/// value and goes on with each change, and ends only with the task that iterates over it.
///
///     for await count in $count.publisher {
///       print(count)
///     }
///
/// Each iteration follows the reference for itself, from when it begins, and misses no change.
public struct SharedPublisher<Value>: AsyncSequence, Sendable {
  public typealias Element = Value
  public typealias Failure = Never

  private let box: any FollowableBox<Value>

  init(_ box: any FollowableBox<Value>) {
    self.box = box
  }

  /// The values: this, under the name that publishers have for theirs.
  public var values: Self { self }

  public func makeAsyncIterator() -> Iterator {
    Iterator(box)
  }

  /// The iteration over the values.
  public struct Iterator: AsyncIteratorProtocol {
    private var elements: AsyncStream<_SharedElement<Value>>.Iterator
    private let following: Following

    fileprivate init(_ box: any FollowableBox<Value>) {
      let (stream, continuation) = AsyncStream<_SharedElement<Value>>.makeStream()
      self.elements = stream.makeAsyncIterator()
      self.following = Following(box, SharedFollower { continuation.yield($0) })
    }

    public mutating func next() async -> Value? {
      await next(isolation: #isolation)
    }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await elements.next(isolation: actor)?.value
    }
  }

  private final class Following: Sendable {
    private let box: any FollowableBox<Value>
    private let follower: SharedFollower<Value>

    init(_ box: any FollowableBox<Value>, _ follower: SharedFollower<Value>) {
      self.box = box
      self.follower = follower
      box.add(follower)
    }

    deinit {
      box.remove(follower)
    }
  }
}

/// What followers follow, from one reference to the next.
protocol FollowableBox<Value>: AnyObject, Sendable {
  associatedtype Value

  /// Adds a follower, which gets the latest value.
  func add(_ follower: SharedFollower<Value>)

  /// Removes a follower.
  func remove(_ follower: SharedFollower<Value>)
}

/// Who is given each value of the reference in a box.
final class SharedFollower<Value>: @unchecked Sendable {
  private let receive: @Sendable (_SharedElement<Value>) -> Void
  /// Guarded by the lock of the box.
  private var subscription: SharedSubscription?

  init(_ receive: @escaping @Sendable (_SharedElement<Value>) -> Void) {
    self.receive = receive
  }

  /// Follows another reference.
  ///
  /// - Returns: The subscription to the one before, to be ended once the box is not locked.
  func follow(_ reference: any Reference<Value>) -> SharedSubscription? {
    let old: SharedSubscription? = subscription
    subscription = reference._subscribe(receive)
    return old
  }

  /// Ends it, when the box knows this follower no more.
  func end() {
    subscription?.cancel()
  }
}
