#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where the reducer that runs on this thread stands, in whatever terms its runtime has for that.
///
/// A reducer is synchronous, so a word of the thread does for it what a task-local does for
/// effects, at a small part of the cost. What outlives the reducer captures it: see
/// ``DependencyValues/Continuation``.
package enum ReducerPlace {
  /// A place; what it is only its runtime knows.
  package typealias Place = any AnyObject & Sendable

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// The place; `nil` where no reducer runs on this thread.
  package static var current: Place? {
    pthread_getspecific(self.key).map {
      // A marker protocol adds nothing to a reference.
      unsafeBitCast(Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue(), to: Place.self)
    }
  }

  /// Runs a reducer at a place.
  package static func with<R>(
    _ place: Place, _ body: () throws -> R
  ) rethrows -> R {
    let outer = pthread_getspecific(self.key)
    return try withExtendedLifetime(place) {
      pthread_setspecific(self.key, Unmanaged<AnyObject>.passUnretained(place).toOpaque())
      defer { pthread_setspecific(self.key, outer) }
      return try body()
    }
  }
}
