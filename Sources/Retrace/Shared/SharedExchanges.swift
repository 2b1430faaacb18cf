internal import ComposableArchitecture
internal import Sharing
internal import Synchronization

/// The boxes whose references others than a stream's reducers have exchanged since that was written
/// last, and the states to be encoded that are to have what was there before.
///
/// Told on any thread.
final class SharedExchanges: Sendable {
  /// A box that has another reference by now.
  struct Pending: Sendable {
    var box: any ExchangeableBox
    /// The number of the reference that it had at first.
    var was: Int
  }

  fileprivate struct WeakCapture: Sendable {
    weak var capture: SharedCapture?
  }

  fileprivate struct WeakPending: Sendable {
    weak var box: (any ExchangeableBox)?
    var id: ObjectIdentifier
    var was: Int
  }

  fileprivate struct Contents {
    var captures: [WeakCapture] = []
    /// In the order of the first exchange of each.
    var pending: [WeakPending] = []
    var sizeAfterPruning = 64
    var wish: StateWish?
  }

  // What is looked at here may end here, and its end be somebody's code, which must not run under the
  // lock: it is handed out.
  private let contents = Mutex(Contents())

  /// Raised as long as something is pending.
  var wish: StateWish? {
    get { self.contents.withLock { $0.wish } }
    set { self.contents.withLock { $0.wish = newValue } }
  }

  /// A box is about to be given another reference, and no other one is meanwhile.
  ///
  /// - Parameters:
  ///   - isOwn: Whether a reducer of the stream does it, so that a replay will, too.
  ///   - number: Tells that of a reference which the stream knows.
  /// - Returns: What is to stay until others may be given one again.
  func add(
    _ box: any ExchangeableBox, isOwn: Bool, number: (any AnyRootReference) -> Int?
  ) -> [any AnyObject & Sendable] {
    // States that are encoded later are to have what the box holds until now.
    let captures = self.contents.withLock { $0.captures.compactMap(\.capture) }
    for capture in captures { capture.keep(box.content, of: box) }
    // Whether it is one that a state holds can't be told yet: it holds a value of the stream.
    guard !isOwn, let root = box.derivation?.root, let was = number(root) else { return captures }
    return captures + self.contents.withLock { $0.add(box, was: was) }
  }

  /// What is pending, which it is no longer.
  func take() -> [Pending] {
    SharedHooks.withoutExchanges {
      self.contents.withLock { contents in
        contents.wish?.isRaised = false
        defer { contents.pending.removeAll() }
        return contents.pending.compactMap { pending in
          pending.box.map { Pending(box: $0, was: pending.was) }
        }
      }
    }
  }

  /// Has a capture keep what is exchanged from now on.
  ///
  /// - Parameter isNoted: Whether nothing may be pending then.
  /// - Returns: Whether that is so.
  func follow(_ capture: SharedCapture, isNoted: Bool) -> Bool {
    let captures = SharedHooks.withoutExchanges {
      self.contents.withLock { contents -> [SharedCapture]? in
        guard !isNoted || contents.pending.isEmpty else { return nil }
        let captures = contents.captures.compactMap(\.capture) + [capture]
        contents.captures = captures.map { WeakCapture(capture: $0) }
        return captures
      }
    }
    return captures != nil
  }
}

extension SharedExchanges.Contents {
  fileprivate mutating func add(
    _ box: any ExchangeableBox, was: Int
  ) -> [any AnyObject & Sendable] {
    let new = SharedExchanges.WeakPending(box: box, id: ObjectIdentifier(box), was: was)
    if let index = self.pending.firstIndex(where: { $0.id == new.id }) {
      // One that is gone may have stood at the same address.
      if self.pending[index].box == nil { self.pending[index] = new }
    } else {
      self.pending.append(new)
    }
    self.wish?.isRaised = true
    guard self.pending.count >= 2 * self.sizeAfterPruning else { return [] }
    let boxes = self.pending.map(\.box)
    self.pending = zip(boxes, self.pending).compactMap { $0 == nil ? nil : $1 }
    self.sizeAfterPruning = max(64, self.pending.count)
    return boxes.compactMap { $0 }
  }
}
