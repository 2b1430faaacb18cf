#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// Random bytes from the system, fetched many at a time.
///
/// The system's generator costs a system call for each number; a request for 256 bytes costs
/// hardly more than one for 8.
final class RandomBytes: Sendable {
  static let shared = RandomBytes()

  private struct Buffer {
    // As many bytes as `getentropy` gives at once.
    var words: [UInt64] = Array(repeating: 0, count: 32)
    var used = 32
  }

  private let buffer = Mutex(Buffer())

  private init() {
    // A child must not repeat its parent's numbers. The lock itself is left as it is: a child of
    // a process with threads has to replace itself anyway.
    pthread_atfork(nil, nil) { RandomBytes.generation.wrappingAdd(1, ordering: .relaxed) }
  }

  private static let generation = Atomic<Int>(0)
  private let seen = Atomic<Int>(0)

  /// Two random numbers.
  func next() -> (UInt64, UInt64) {
    buffer.withLock { buffer in
      let generation: Int = Self.generation.load(ordering: .relaxed)
      if buffer.used == buffer.words.count || generation != seen.load(ordering: .relaxed) {
        guard Self.fill(&buffer.words) else {
          // No entropy through this door (an old kernel): the slow one always works.
          var system = SystemRandomNumberGenerator()
          return (system.next(), system.next())
        }
        seen.store(generation, ordering: .relaxed)
        buffer.used = 0
      }
      defer { buffer.used += 2 }
      return (buffer.words[buffer.used], buffer.words[buffer.used + 1])
    }
  }

  private static func fill(_ words: inout [UInt64]) -> Bool {
    words.withUnsafeMutableBytes { bytes in
      guard let start = bytes.baseAddress else { return false }
      return getentropy(start, bytes.count) == 0
    }
  }
}
