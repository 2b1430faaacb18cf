import Synchronization

/// Objects by the identity of types, as the live values by that of their keys; read without a lock.
///
/// Entries are added and never change nor go, so a reader sees an entry or does not see it yet; a
/// table that became too small is left in memory for readers that still look at it.
package final class TypeTable: @unchecked Sendable {
  private struct Slot: ~Copyable {
    let id = Atomic<UInt>(0)
    let box = Atomic<UInt>(0)
  }

  private struct Table: BitwiseCopyable, @unchecked Sendable {
    let slots: UnsafeMutablePointer<Slot>
    let capacity: Int

    init(capacity: Int) {
      slots = .allocate(capacity: capacity)
      self.capacity = capacity
      for index in 0..<capacity { (slots + index).initialize(to: Slot()) }
    }

    /// The index to look at first.
    ///
    /// Metadata are aligned, so their lowest bits say nothing.
    @inline(__always)
    func start(_ id: UInt) -> Int { Int((id >> 4) ^ (id >> 12)) & (capacity - 1) }
  }

  private struct Content {
    var table: Table
    var count = 0
  }

  private let current: Atomic<UnsafeRawPointer?>
  private let writer: Mutex<Content>

  package init() {
    // A power of two, well above the number of dependencies that most programs have.
    let table = Table(capacity: 64)
    writer = Mutex(Content(table: table))
    current = Atomic(Self.published(table))
  }

  private static func published(_ table: Table) -> UnsafeRawPointer {
    let pointer = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    pointer.initialize(to: table)
    return UnsafeRawPointer(pointer)
  }

  /// The box of a key, which is never released.
  @inline(__always)
  package subscript(id: ObjectIdentifier) -> Unmanaged<AnyObject>? {
    let id = UInt(bitPattern: id)
    guard let pointer = current.load(ordering: .acquiring) else { return nil }
    let table: Table = pointer.assumingMemoryBound(to: Table.self).pointee
    var index: Int = table.start(id)
    while true {
      let found: UInt = table.slots[index].id.load(ordering: .acquiring)
      if found == id {
        let box: UInt = table.slots[index].box.load(ordering: .relaxed)
        return UnsafeRawPointer(bitPattern: box).map(Unmanaged.fromOpaque)
      }
      if found == 0 { return nil }
      index = (index + 1) & (table.capacity - 1)
    }
  }

  /// Adds a box; `false` when the key has one already.
  package func insert(_ box: AnyObject, for id: ObjectIdentifier) -> Bool {
    writer.withLock { content in
      guard self[id] == nil else { return false }
      // A quarter stays free at least, so that a search always meets a free slot soon.
      if (content.count + 1) * 4 > content.table.capacity * 3 {
        let larger = Table(capacity: content.table.capacity * 2)
        for index in 0..<content.table.capacity {
          let id: UInt = content.table.slots[index].id.load(ordering: .relaxed)
          guard id != 0 else { continue }
          Self.add(id, content.table.slots[index].box.load(ordering: .relaxed), to: larger)
        }
        content.table = larger
        current.store(Self.published(larger), ordering: .releasing)
      }
      let bits = UInt(bitPattern: Unmanaged.passRetained(box).toOpaque())
      Self.add(UInt(bitPattern: id), bits, to: content.table)
      content.count += 1
      return true
    }
  }

  private static func add(_ id: UInt, _ box: UInt, to table: Table) {
    var index: Int = table.start(id)
    while table.slots[index].id.load(ordering: .relaxed) != 0 {
      index = (index + 1) & (table.capacity - 1)
    }
    table.slots[index].box.store(box, ordering: .relaxed)
    table.slots[index].id.store(id, ordering: .releasing)
  }
}
