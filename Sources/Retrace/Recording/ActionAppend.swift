public import ActionCoding
public import ActionLog

/// How the actions of a stream get into the log: where their type has code of its own to write it,
/// that and the log's part are compiled together, where the feature's types are known.
public struct _ActionAppend<Action> {
  /// Appends an action behind the word that stands for its header.
  @usableFromInline let append:
    (_ log: LogWriter, _ stream: UInt16, _ action: Action, _ header: UInt64) throws(LogError) ->
      Void

  @inlinable
  public init() where Action: Recordable {
    self.append = { (log, stream, action, header) throws(LogError) in
      try log.append(.action, stream: stream) { buffer in
        var writer = RecordWriter(buffer)
        do throws(RecordOverflow) {
          try writer.put(varint: header)
          try action.encode(to: &writer)
          return writer.count
        } catch {
          return _ActionAppend.writeAbsent(error, header, buffer)
        }
      }
    }
  }

  /// For any type, by its coder.
  init(_ coder: ValueCoder<Action>) {
    self.append = { (log, stream, action, header) throws(LogError) in
      try log.append(.action, stream: stream) { buffer in
        var writer = RecordWriter(buffer)
        do throws(RecordOverflow) {
          try writer.put(varint: header)
          try coder.encode(action, to: &writer)
          return writer.count
        } catch {
          return _ActionAppend.writeAbsent(error, header, buffer)
        }
      }
    }
  }

  /// Writes why there is no value in the place of an action; `nil` where more memory is needed.
  @usableFromInline
  static func writeAbsent(
    _ error: RecordOverflow, _ header: UInt64, _ buffer: UnsafeMutableRawBufferPointer
  ) -> Int? {
    guard error != .space else { return nil }
    var writer = RecordWriter(buffer)
    do throws(RecordOverflow) {
      try writer.put(varint: header | ActionHeader.absentBit)
      try writer.put(string: "\(error)")
      return writer.count
    } catch {
      return nil
    }
  }
}
