#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

// Linking a test framework into a library doubles the start of every program that uses the
// library and forbids static linking. So its functions are looked up in the process by name.
//
// Swift Testing is a resilient library: its structs are always passed and returned in memory.
// A parameter of such a type is a pointer, and a result is written where the caller says, which
// a result type too large for registers (`Room`) brings about. Values are made and destroyed
// through their metadata, so no layout is assumed anywhere.

/// The test frameworks' functions, looked up by name.
enum TestFramework {
  /// Records an issue in the running test; `false` when no framework was found.
  static func record(_ text: String, severity: IssueSeverity, at place: IssueContext) -> Bool {
    switch TestProcess.framework {
    case nil: return false
    case .swiftTesting:
      // A warning of ours has no severity that every version of the framework knows.
      guard severity == .error else {
        writeToStandardError("🟣 \(place.fileID):\(place.line): \(text)\n")
        return true
      }
      return SwiftTesting.record(text, at: place)
    case .xcTest:
      guard severity == .error else {
        writeToStandardError("🟣 \(place.fileID):\(place.line): \(text)\n")
        return true
      }
      guard let fail = Symbols.fail else { return false }
      fail.call(text, place.filePath, place.line)
      return true
    }
  }

  /// The id of the test that the current task belongs to.
  static var currentTestID: AnyHashable? { SwiftTesting.currentTestID }

  /// Runs the body as a known issue; `false` when no framework was found (it has not run then).
  static func withKnownIssue(
    _ message: String?, isIntermittent: Bool, at place: IssueContext, _ body: () throws -> Void
  ) -> Bool {
    guard TestProcess.framework == .swiftTesting, let function = Symbols.withKnownIssue
    else { return false }
    return SwiftTesting.withArguments(message, at: place) { comment, location in
      function.call(comment, isIntermittent, location, body)
    }
  }

  /// Runs the body as a known issue; `false` when no framework was found (it has not run then).
  static func withKnownIssue(
    _ message: String?, isIntermittent: Bool, isolation: isolated (any Actor)?,
    at place: IssueContext, _ body: () async throws -> Void
  ) async -> Bool {
    guard TestProcess.framework == .swiftTesting, let function = Symbols.withKnownIssueAsync,
      let arguments = SwiftTesting.Arguments(message, at: place)
    else { return false }
    await function.call(
      arguments.comment, isIntermittent, isolation, arguments.location, body)
    arguments.destroy()
    return true
  }
}

/// Calls into Swift Testing.
private enum SwiftTesting {
  static let test: Any.Type? = _typeByName("7Testing4TestV")
  static let issue: Any.Type? = _typeByName("7Testing5IssueV")
  static let comment: Any.Type? = _typeByName("7Testing7CommentV")
  static let location: Any.Type? = _typeByName("7Testing14SourceLocationV")

  /// An optional comment and a place, in memory, as the framework takes them.
  struct Arguments: @unchecked Sendable {
    let comment: UnsafeMutableRawPointer
    let location: UnsafeMutableRawPointer

    /// Fails when the framework is not in this process.
    init?(_ text: String?, at place: IssueContext) {
      guard let commentType = SwiftTesting.comment as? any RawRepresentable<String>.Type,
        let locationType = SwiftTesting.location, Room.fits(locationType),
        let makeLocation = Symbols.makeLocation
      else { return nil }
      comment = Self.makeComment(commentType, text)
      location = .allocate(byteCount: MemoryLayout<Room>.size, alignment: 16)
      location.bindMemory(to: Room.self, capacity: 1).initialize(
        to: makeLocation.call(
          place.fileID.description, place.filePath.description, Int(place.line),
          // Columns start at 1 there, and zero would trap.
          max(1, Int(place.column))))
    }

    private static func makeComment<C: RawRepresentable<String>>(
      _ type: C.Type, _ text: String?
    ) -> UnsafeMutableRawPointer {
      let pointer = UnsafeMutablePointer<C?>.allocate(capacity: 1)
      pointer.initialize(to: text.flatMap(C.init(rawValue:)))
      return UnsafeMutableRawPointer(pointer)
    }

    func destroy() {
      func destroyComment<C>(_: C.Type) {
        comment.assumingMemoryBound(to: C?.self).deinitialize(count: 1)
      }
      if let type = SwiftTesting.comment { destroyComment(type) }
      if let type = SwiftTesting.location { Room.destroy(location, as: type) }
      comment.deallocate()
      location.deallocate()
    }
  }

  static func withArguments(
    _ text: String?, at place: IssueContext,
    _ body: (UnsafeRawPointer, UnsafeRawPointer) -> Void
  ) -> Bool {
    guard let arguments = Arguments(text, at: place) else { return false }
    body(arguments.comment, arguments.location)
    arguments.destroy()
    return true
  }

  static func record(_ text: String, at place: IssueContext) -> Bool {
    guard let issue, Room.fits(issue), let function = Symbols.record else { return false }
    return withArguments(text, at: place) { comment, location in
      var room = function.call(comment, location)
      withUnsafeMutablePointer(to: &room) { Room.destroy($0, as: issue) }
    }
  }

  static var currentTestID: AnyHashable? {
    guard let test, Room.fits(test), let function = Symbols.currentTest else { return nil }
    func id<T>(_: T.Type) -> AnyHashable? {
      var room = function.call()
      return withUnsafeMutablePointer(to: &room) { pointer -> AnyHashable? in
        let raw = UnsafeMutableRawPointer(pointer)
        let value: T? = raw.assumingMemoryBound(to: T?.self).move()
        func id<I: Identifiable>(_ test: I) -> AnyHashable { AnyHashable(test.id) }
        guard let test = value as? any Identifiable else { return nil }
        return id(test)
      }
    }
    return id(test)
  }
}

/// Memory for one value of the framework, returned in memory since it is too large for registers.
private struct Room {
  typealias Words = (
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64,
    UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64, UInt64
  )
  var first: Words
  var second: Words
  var third: Words
  var fourth: Words

  /// Whether an optional of the type fits.
  static func fits(_ type: Any.Type) -> Bool {
    func fits<T>(_: T.Type) -> Bool {
      MemoryLayout<T?>.size <= MemoryLayout<Room>.size && MemoryLayout<T?>.alignment <= 16
    }
    return fits(type)
  }

  static func destroy(_ pointer: UnsafeMutableRawPointer, as type: Any.Type) {
    func destroy<T>(_: T.Type) {
      pointer.assumingMemoryBound(to: T.self).deinitialize(count: 1)
    }
    destroy(type)
  }
}

/// The functions by their symbols.
///
/// Each is a struct that holds a closure: code and no context.
private enum Symbols {
  struct Record: @unchecked Sendable {
    var call: (_ comment: UnsafeRawPointer, _ location: UnsafeRawPointer) -> Room
  }
  struct CurrentTest: @unchecked Sendable {
    var call: () -> Room
  }
  struct MakeLocation: @unchecked Sendable {
    var call:
      (_ fileID: __owned String, _ filePath: __owned String, _ line: Int, _ column: Int) -> Room
  }
  struct KnownIssue: @unchecked Sendable {
    var call:
      (
        _ comment: UnsafeRawPointer, _ isIntermittent: Bool, _ location: UnsafeRawPointer,
        _ body: () throws -> Void
      ) -> Void
  }
  struct KnownIssueAsync: @unchecked Sendable {
    var call:
      (
        _ comment: UnsafeRawPointer, _ isIntermittent: Bool, _ isolation: isolated (any Actor)?,
        _ location: UnsafeRawPointer, _ body: () async throws -> Void
      ) async -> Void
  }
  struct Fail: @unchecked Sendable {
    var call: (_ text: String, _ file: StaticString, _ line: UInt) -> Void
  }

  static let record: Record? = find(
    "$s7Testing5IssueV6record_14sourceLocationAcA7CommentVSg_AA06SourceE0VtFZ")
  static let currentTest: CurrentTest? = find("$s7Testing4TestV7currentACSgvgZ")
  static let makeLocation: MakeLocation? = find(
    "$s7Testing14SourceLocationV6fileID0D4Path4line6columnACSS_SSS2itcfC")
  static let withKnownIssue: KnownIssue? = find(
    "$s7Testing14withKnownIssue_14isIntermittent14sourceLocation_yAA7CommentVSg_SbAA06Source"
      + "H0VyyKXEtF")
  static let withKnownIssueAsync: KnownIssueAsync? = find(
    "$s7Testing14withKnownIssue_14isIntermittent9isolation14sourceLocation_yAA7CommentVSg_SbScA"
      + "_pSgYiAA06SourceI0VyyYaKXEtYaFTu")
  static let fail: Fail? = find("$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF")

  private static func find<Function>(_ symbol: String) -> Function? {
    // nil as the handle: everything that is loaded in this process.
    guard let code = dlsym(dlopen(nil, RTLD_LAZY), symbol) else { return nil }
    let closure: (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) = (code, nil)
    guard MemoryLayout<Function>.size == MemoryLayout.size(ofValue: closure) else { return nil }
    return withUnsafePointer(to: closure) {
      UnsafeRawPointer($0).assumingMemoryBound(to: Function.self).pointee
    }
  }
}
