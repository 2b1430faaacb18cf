#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Who reads a dependency, for the texts of issues.
///
/// Reading is synchronous, so a word of the thread for the reader does what a task-local would, at
/// a tenth of its cost.
struct DependencyReader: BitwiseCopyable {
  /// The place of the property wrapper.
  var place: SourcePlace?
  /// The name of the property of `DependencyValues` that is read.
  var function: StaticString?
  /// The value is read to be changed, in the making of an override.
  var isSetting = false
  /// The value is made for a replay.
  var isReplaying = false
  /// A key's value for tests or previews has turned out to be its live one.
  var gaveLive = false

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { $0?.deallocate() }
    return key
  }()

  /// This thread's reader: set it, read, and put back what was there.
  static var current: UnsafeMutablePointer<DependencyReader> {
    if let pointer = pthread_getspecific(key) {
      return pointer.assumingMemoryBound(to: DependencyReader.self)
    }
    let pointer = UnsafeMutablePointer<DependencyReader>.allocate(capacity: 1)
    pointer.initialize(to: DependencyReader())
    pthread_setspecific(key, pointer)
    return pointer
  }

  /// How the source spells the dependency.
  func name<Key: TestDependencyKey>(for key: Key.Type) -> String {
    if let function {
      let name: String = function.description
      // A read by key type alone has the name of a subscript or of a method.
      if !name.contains("(") { return #"@Dependency(\.\#(name))"# }
    }
    return "@Dependency(\(typeName(key)).self)"
  }

  /// Place, key and value, indented, one below the other.
  func details<Key: TestDependencyKey>(for key: Key.Type) -> String {
    var text = ""
    if let place { text += "  Location:\n    \(place.fileID):\(place.line)\n" }
    text += "  Key:\n    \(typeName(key))\n"
    text += "  Value:\n    \(typeName(Key.Value.self))"
    return text
  }
}

/// A place in the source.
struct SourcePlace: BitwiseCopyable {
  var fileID: StaticString
  var filePath: StaticString
  private var _line: UInt32
  private var _column: UInt32

  init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self._line = UInt32(truncatingIfNeeded: line)
    self._column = UInt32(truncatingIfNeeded: column)
  }

  var line: UInt { UInt(_line) }
  var column: UInt { UInt(_column) }
}
