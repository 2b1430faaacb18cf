// The hash table behind the ids: linear probing, at most three slots of four in use.
//
// The functions that a look-up by id or an append runs are inlinable: unspecialized, a look-up
// takes several times as long as one in a Dictionary, specialized it takes no longer.

extension OrderedIDs {
  /// The slot where the search for an id begins.
  ///
  /// The multiplication spreads hash values of hand-written types that do not mix their bits.
  @inlinable
  func homeSlot(of id: ID) -> Int {
    let mixed: UInt64 =
      UInt64(truncatingIfNeeded: id.hashValue) &* 0x9E37_79B9_7F4A_7C15
    let shift: UInt64 = UInt64(truncatingIfNeeded: 64 &- slots.count.trailingZeroBitCount)
    return Int(truncatingIfNeeded: mixed &>> shift)
  }

  /// Where an id stands in the list, or nil.
  @inlinable
  func position(of id: ID) -> Int? {
    if slots.isEmpty {
      return storage.firstIndex(of: id)
    }
    let home: Int = homeSlot(of: id)
    return slots.withUnsafeBufferPointer { slots in
      storage.withUnsafeBufferPointer { storage in
        let mask: Int = slots.count &- 1
        var slot: Int = home
        while true {
          let value = Int(truncatingIfNeeded: slots[slot])
          if value == 0 { return nil }
          if storage[value &- 1] == id { return value &- 1 }
          slot = (slot &+ 1) & mask
        }
      }
    }
  }

  /// Adds an id that is known to be absent.
  @inlinable
  mutating func append(unchecked id: ID) {
    storage.append(id)
    if slots.isEmpty {
      if storage.count > Self.maximumScannedCount { rebuildTable() }
    } else if isTableTooSmall {
      rebuildTable()
    } else {
      fillSlot(with: id, at: storage.count &- 1)
    }
  }

  @inlinable
  var isTableTooSmall: Bool { storage.count &* 4 > slots.count &* 3 }

  @inlinable
  mutating func fillSlot(with id: ID, at position: Int) {
    let mask: Int = slots.count &- 1
    var slot: Int = homeSlot(of: id)
    while slots[slot] != 0 {
      slot = (slot &+ 1) & mask
    }
    slots[slot] = UInt32(position + 1)
  }

  /// Makes the table anew from the list, with room for `capacity` ids or more.
  @inlinable
  mutating func rebuildTable(capacity: Int = 0) {
    let count: Int = Swift.max(capacity, storage.count)
    guard count > Self.maximumScannedCount else {
      slots = []
      return
    }
    var size = 16
    // Half full at most after a rebuild, so that the next one is far away.
    while size < count &* 2 { size &*= 2 }
    slots = [UInt32](repeating: 0, count: size)
    for position in storage.indices {
      fillSlot(with: storage[position], at: position)
    }
  }

  @usableFromInline
  mutating func reserveCapacity(_ capacity: Int) {
    storage.reserveCapacity(capacity)
    if capacity &* 4 > slots.count &* 3 { rebuildTable(capacity: capacity) }
  }

  /// Adds an id that is known to be absent at a position.
  @usableFromInline
  mutating func insert(unchecked id: ID, at position: Int) {
    guard position < storage.count else { return append(unchecked: id) }
    storage.insert(id, at: position)
    if slots.isEmpty || isTableTooSmall {
      rebuildTable()
    } else {
      shiftPositions(from: position, by: 1)
      fillSlot(with: id, at: position)
    }
  }

  /// Takes the id at a position out.
  @usableFromInline
  mutating func remove(at position: Int) {
    if slots.isEmpty {
      storage.remove(at: position)
      return
    }
    freeSlot(ofPosition: position)
    storage.remove(at: position)
    if position < storage.count {
      shiftPositions(from: position + 1, by: -1)
    }
  }

  /// Puts another id, known to be absent, where one stands.
  @usableFromInline
  mutating func replace(unchecked id: ID, at position: Int) {
    if slots.isEmpty {
      storage[position] = id
      return
    }
    freeSlot(ofPosition: position)
    storage[position] = id
    fillSlot(with: id, at: position)
  }

  @usableFromInline
  mutating func swapAt(_ first: Int, _ second: Int) {
    guard first != second else { return }
    if !slots.isEmpty {
      let firstSlot: Int = slot(ofPosition: first)
      let secondSlot: Int = slot(ofPosition: second)
      slots.swapAt(firstSlot, secondSlot)
    }
    storage.swapAt(first, second)
  }

  /// Replaces the whole list by ids that are known to differ.
  @usableFromInline
  mutating func replaceAll(unchecked ids: [ID]) {
    storage = ids
    rebuildTable()
  }

  private func slot(ofPosition position: Int) -> Int {
    let mask: Int = slots.count &- 1
    let value = UInt32(position + 1)
    var slot: Int = homeSlot(of: storage[position])
    while slots[slot] != value {
      slot = (slot &+ 1) & mask
    }
    return slot
  }

  /// Frees a slot, and moves those after it back, so that no search ends too early.
  private mutating func freeSlot(ofPosition position: Int) {
    let mask: Int = slots.count &- 1
    var hole: Int = slot(ofPosition: position)
    var slot: Int = (hole &+ 1) & mask
    while slots[slot] != 0 {
      let home: Int = homeSlot(of: storage[Int(slots[slot]) - 1])
      // How far the entry and the hole lie behind the entry's home, around the table's end.
      if (slot &- home) & mask >= (slot &- hole) & mask {
        slots[hole] = slots[slot]
        hole = slot
      }
      slot = (slot &+ 1) & mask
    }
    slots[hole] = 0
  }

  /// Adds `amount` to each position in the table from `position` on.
  private mutating func shiftPositions(from position: Int, by amount: Int) {
    let bound = UInt32(position)
    let change = UInt32(truncatingIfNeeded: amount)
    for slot in slots.indices where slots[slot] > bound {
      slots[slot] &+= change
    }
  }
}
