public import ActionCoding
public import ActionLog

/// How the actions of a stream get into the log: where their type has code of its own to write it,
/// that and the log's part are compiled together, where the feature's types are known.
public struct _ActionAppend<Action> {
  /// Appends an action behind the word that stands for its header, and says that its reducer runs
  /// now.
  @usableFromInline let append:
    (_ place: ActionPlace, _ action: Action, _ number: Int, _ header: UInt64) -> Void

  @inlinable
  public init() where Action: Recordable {
    self.append = { (place, action, number, header) in
      place.append(number) { buffer in
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
    self.append = { (place, action, number, header) in
      place.append(number) { buffer in
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

/// Where the actions of one stream go.
@usableFromInline
final class ActionPlace: Sendable {
  @usableFromInline let log: LogWriter
  @usableFromInline let stream: UInt16
  @usableFromInline let slot: LiveSlot
  private let onFailure: @Sendable (LogError) -> Void

  init(_ log: LogWriter, stream: UInt16, onFailure: @escaping @Sendable (LogError) -> Void) {
    self.log = log
    self.stream = stream
    self.slot = LiveSlot(stream)
    self.onFailure = onFailure
  }

  @inlinable @inline(__always)
  func append(_ number: Int, _ body: (UnsafeMutableRawBufferPointer) -> Int?) {
    do throws(LogError) {
      try self.log.append(.action, stream: self.stream, body: body)
    } catch {
      self.fail(error)
    }
    self.begin(number)
  }

  // Not beside what runs each time.
  @usableFromInline @inline(never)
  func fail(_ error: LogError) {
    self.onFailure(error)
  }

  /// The reducer now runs the action of this number.
  @inlinable @inline(__always)
  func begin(_ number: Int) {
    self.log.setInFlight(self.slot, action: UInt64(truncatingIfNeeded: number))
  }

  /// The reducer is done.
  @inlinable @inline(__always)
  func end() {
    self.log.clearInFlight(self.slot)
  }
}
