import ActionCoding
public import Foundation
import IssueReporting
import Synchronization

extension DependencyValues {
  /// Makes UUIDs: random in the program, an issue in tests that did not say which.
  public var uuid: UUIDGenerator {
    get { self[UUIDGeneratorKey.self] }
    set { self[UUIDGeneratorKey.self] = newValue }
  }

  private enum UUIDGeneratorKey: DependencyKey, UnreadKey {
    static let liveValue = UUIDGenerator { .random() }
    static var testValue: UUIDGenerator {
      UUIDGenerator {
        reportIssue(#"Unimplemented: @Dependency(\.uuid)"#)
        return .random()
      }
    }
  }
}

/// Makes UUIDs.
public struct UUIDGenerator: Sendable {
  private let generate: @Sendable () -> UUID

  /// A generator that always gives the same UUID.
  public static func constant(_ uuid: UUID) -> Self { Self { uuid } }

  /// A generator that counts from 0.
  ///
  /// It gives `00000000-0000-0000-0000-000000000000`, then `…0001`, and so on.
  public static var incrementing: Self {
    let counter = Counter()
    return Self { UUID(counter.next()) }
  }

  public init(_ generate: @escaping @Sendable () -> UUID) {
    self.generate = generate
  }

  public func callAsFunction() -> UUID { Self.read.read(generate) }

  private static let read = _ReadKey(
    "uuid", coder: recordCoder(for: UUID.self),
    placeholder: { UUID(Int(truncatingIfNeeded: Placeholders.next())) })

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)
    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
  }
}

extension UUID {
  /// The UUID with the number in its last 48 bits: `UUID(1)` ends in `000000000001`.
  ///
  /// Bits beyond the 48 go into the groups before. The digits are hexadecimal, so `UUID(10)` ends
  /// in `00000000000a`.
  public init(_ intValue: Int) {
    let high: UInt64 = intValue < 0 ? .max : 0
    self.init(high: high, low: UInt64(bitPattern: Int64(intValue)))
  }

  /// A random UUID of version 4.
  ///
  /// Foundation opens a device for each of its own, which costs a hundred times as much.
  static func random() -> UUID {
    let (first, second) = RandomBytes.shared.next()
    let high: UInt64 = (first & 0xFFFF_FFFF_FFFF_0FFF) | 0x0000_0000_0000_4000
    let low: UInt64 = (second & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    return UUID(high: high, low: low)
  }

  private init(high: UInt64, low: UInt64) {
    var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    withUnsafeMutableBytes(of: &bytes) {
      $0.storeBytes(of: high.bigEndian, toByteOffset: 0, as: UInt64.self)
      $0.storeBytes(of: low.bigEndian, toByteOffset: 8, as: UInt64.self)
    }
    self.init(uuid: bytes)
  }
}
