import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Work that must be done before the process ends by itself.
enum AtExit {
  private static let work = Mutex<[@Sendable () -> Void]>([])

  /// Adds work, to be done as `exit` is called or `main` returns.
  static func add(_ operation: @escaping @Sendable () -> Void) {
    let isFirst: Bool = work.withLock { work in
      work.append(operation)
      return work.count == 1
    }
    if isFirst {
      atexit { AtExit.run() }
    }
  }

  private static func run() {
    for operation in work.withLock({ $0 }) { operation() }
  }
}
