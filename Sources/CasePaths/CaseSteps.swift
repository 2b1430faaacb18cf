import Synchronization

/// The first steps of case key paths, kept by the identity of the property that names the case.
///
/// `\.saved` makes a key path each time it is run, since it holds an argument: the key path of the
/// property `saved` of `AllCasePaths`. That one, outside of generic code, is one object for the
/// whole life of the process, so that its address finds in a few nanoseconds what would otherwise
/// be made again: two closures and a box for each look at an action.
@usableFromInline
enum CaseSteps {
  /// The places in the table.
  ///
  /// An entry is never replaced, so that it is read without a lock, and keeps its key path alive:
  /// this bounds what the key paths that generic code makes anew can hold on to. An application
  /// has some hundred cases.
  private static var capacity: Int { 4_096 }

  /// The places looked at for one key path.
  private static var probes: Int { 4 }

  private final class Entry: Sendable {
    nonisolated(unsafe) let keyPath: AnyKeyPath
    let step: AnyCaseStep

    init(keyPath: AnyKeyPath, step: AnyCaseStep) {
      self.keyPath = keyPath
      self.step = step
    }
  }

  /// Addresses of entries; 0 where there is none yet.
  private struct Table: @unchecked Sendable {
    let places: UnsafeMutablePointer<Atomic<UInt>>

    init() {
      places = .allocate(capacity: CaseSteps.capacity)
      for index in 0..<CaseSteps.capacity {
        (places + index).initialize(to: Atomic(0))
      }
    }
  }

  private static let table = Table()

  /// The step that was kept for a key path.
  @usableFromInline
  static func kept(_ keyPath: AnyKeyPath) -> AnyCaseStep? {
    let places = table.places
    let first = index(of: keyPath)
    for probe in 0..<probes {
      let address = places[(first &+ probe) & (capacity &- 1)].load(ordering: .acquiring)
      guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
      let entry = Unmanaged<Entry>.fromOpaque(pointer)
      if entry._withUnsafeGuaranteedRef({ $0.keyPath === keyPath }) {
        return entry._withUnsafeGuaranteedRef { $0.step }
      }
    }
    return nil
  }

  /// Keeps the step for a key path, if there is room for it.
  static func keep(_ step: AnyCaseStep, for keyPath: AnyKeyPath) {
    let entry = Unmanaged.passRetained(Entry(keyPath: keyPath, step: step))
    let address = UInt(bitPattern: entry.toOpaque())
    let first = index(of: keyPath)
    for probe in 0..<probes {
      let place = table.places + (first + probe) % capacity
      let (stored, found) = place.pointee.compareExchange(
        expected: 0, desired: address, ordering: .acquiringAndReleasing)
      if stored { return }
      guard let pointer = UnsafeRawPointer(bitPattern: found) else { continue }
      let other = Unmanaged<Entry>.fromOpaque(pointer).takeUnretainedValue()
      if other.keyPath === keyPath { break }
    }
    entry.release()
  }

  private static func index(of keyPath: AnyKeyPath) -> Int {
    // Addresses are multiples of 16.
    Int(bitPattern: UInt(bitPattern: ObjectIdentifier(keyPath)) >> 4) & (capacity &- 1)
  }
}
