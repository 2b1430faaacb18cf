internal import ActionCoding
internal import ActionLog

extension LogInspector {
  /// What the reducer read while it ran an action, and texts for what in the action has no form in
  /// bytes.
  func reads(
    of number: Int, in stream: StreamInfo
  ) throws -> (reads: [LoggedRead], texts: [LoggedText]) {
    var reads: [LoggedRead] = []
    var texts: [LoggedText] = []
    // Values that are the same as before stand in the log once.
    var last: [Int: RecordValue] = [:]
    var cursor = StreamCursor(self, stream, from: number)
    while let record = try cursor.next(), cursor.number <= number {
      var reader = RecordReader(record.payload)
      if record.kind == .note, cursor.number == number {
        // It is about the record before it.
        guard case .texts(let noted)? = try? NotePayload(from: &reader) else { continue }
        let found = noted.map { LoggedText(path: $0.path, text: $0.text) }
        if reads.isEmpty { texts += found } else { reads[reads.count - 1].texts += found }
        continue
      }
      guard record.kind == .read else { continue }
      guard let (index, read) = try? stream.definitions.read(from: &reader, last) else { continue }
      if let value = read.value { last[index] = value }
      if cursor.number == number { reads.append(read) }
    }
    return (reads, texts)
  }
}

extension DefinitionTable {
  /// Reads the record of a read.
  ///
  /// - Parameter last: The values that stood in the log before, by number.
  fileprivate func read(
    from reader: inout RecordReader, _ last: [Int: RecordValue]
  ) throws(RecordDecodingError) -> (Int, LoggedRead) {
    let number = try reader.getInt("A read's number")
    guard let definition = self.reads[number] else {
      throw reader.error("The definition of read \(number) is not in the log.")
    }
    var read = LoggedRead(name: definition.name)
    let byte = try reader.getByte()
    guard let form = ReadForm(rawValue: byte & ~ReadForm.redactedArguments) else {
      throw reader.error("A read is of a form that is not known here.")
    }
    if let schema = definition.arguments {
      let arguments = try reader.getCounted()
      read.arguments = try? RecordValue(Array(arguments), schema: schema)
    }
    switch form {
    case .value:
      read.value = try RecordValue(from: &reader, schema: definition.value)
    case .same:
      read.value = last[number]
      if read.value == nil { read.reasonForAbsence = "The same as before." }
    case .error:
      read.reasonForAbsence = "\(try reader.getString()): \(try reader.getString())"
    case .absent:
      read.reasonForAbsence = try reader.getString()
    }
    return (number, read)
  }
}
