/// A place in the source.
struct SourcePlace: Sendable {
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
