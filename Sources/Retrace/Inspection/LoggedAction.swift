public import ActionCoding
internal import ActionLog
public import ComposableArchitecture

/// An action as the log has it, read by its schema alone.
public struct LoggedAction: Sendable {
  /// 1, 2, 3 … in its stream.
  public var number: Int
  /// When it was recorded, in microseconds since 1970.
  public var time: UInt64
  /// Who sent it.
  public var origin: ActionOrigin
  /// Its value, and `nil` where it was recorded without one.
  public var value: RecordValue?
  /// Why there is no value.
  public var reasonForAbsence: String?
  /// The place of its record in the log.
  public var sequence: UInt64
  /// How many bytes its record takes, before compression.
  public var byteCount: Int
  /// What its reducer read from outside, in order.
  public var reads: [LoggedRead] = []
  /// The effects that it started.
  public var effects: [LoggedEffect] = []
  /// Texts for what in it has no form in bytes, where the recording kept some.
  public var texts: [LoggedText] = []
}

/// A text for a value that has no form in bytes.
public struct LoggedText: Hashable, Sendable {
  /// Where the value stands; empty for the whole.
  public var path: String
  public var text: String
}

/// Something that a reducer read from outside, as the log has it.
public struct LoggedRead: Sendable {
  /// What was read.
  public var name: String
  /// What it was asked with, if it takes arguments.
  public var arguments: RecordValue?
  /// The value; `nil` where there is none in the log.
  public var value: RecordValue?
  /// What the error said that was thrown instead, with its type; or why the value is not in the log.
  public var reasonForAbsence: String?
  /// Texts for what in it has no form in bytes, where the recording kept some.
  public var texts: [LoggedText] = []
}

/// An effect as the log has it.
public struct LoggedEffect: Hashable, Sendable {
  /// Its name, the place where it was made, and its place among those of its action.
  public var start: EffectStart
  /// How it ended, `nil` as long as it has not.
  public var end: EffectEnd?
  /// During or after which action it ended.
  public var endedAfter: Int?
  /// When it ended, in microseconds since 1970.
  public var endTime: UInt64?
}

extension LogInspector {
  /// The actions of a stream, one at a time.
  ///
  /// - Parameters:
  ///   - stream: The stream.
  ///   - first: The number of the first action.
  ///   - last: The number of the last one; the stream's last when `nil`.
  public func actions(
    of stream: StreamInfo, from first: Int = 1, through last: Int? = nil
  ) -> LoggedActions {
    LoggedActions(
      cursor: StreamCursor(self, stream, from: max(1, first)), stream: stream,
      first: max(1, first), last: last ?? stream.actionCount)
  }

  /// One action with the effects that it started, and how they ended.
  ///
  /// - Throws: A ``ReplayError`` when there is no such action, a `LogError` for damage.
  public func action(_ number: Int, of stream: StreamInfo) throws -> LoggedAction {
    try self.check(number, in: 1...max(1, stream.actionCount), of: stream)
    var actions = self.actions(of: stream, from: number, through: number)
    guard var action = try actions.next() else {
      throw ReplayError(.gap, "Action \(number) is not in '\(self.path)'.", action: number)
    }
    action.effects = try self.effects(of: number, in: stream)
    (action.reads, action.texts) = try self.reads(of: number, in: stream)
    return action
  }

  func check(_ number: Int, in range: ClosedRange<Int>, of stream: StreamInfo) throws(ReplayError) {
    guard range.contains(number), stream.actionCount > 0 || number == 0 else {
      let have =
        stream.actionCount == 0
        ? "no action" : "the actions 1 to \(stream.actionCount)"
      throw ReplayError(
        .outOfRange,
        "\(number) is out of range: '\(stream.name)' of run \(stream.run) has \(have).",
        action: number)
    }
  }

  /// Looks for the effects of an action right after it, and for their ends in what follows.
  private func effects(of number: Int, in stream: StreamInfo) throws -> [LoggedEffect] {
    // Older logs define places among the effects.
    let sites =
      stream.definitions.sites.isEmpty
      ? try self.effectSites(of: stream) : stream.definitions.sites
    var effects: [LoggedEffect] = []
    var open = 0
    var cursor = StreamCursor(self, stream, from: number)
    while let record = try cursor.next() {
      if cursor.number > number, open == 0 { break }
      guard record.kind == .effect, cursor.number >= number else { continue }
      var reader = RecordReader(record.payload)
      switch try EffectPayload(from: &reader) {
      case .start(let index) where cursor.number == number:
        let site = sites[index] ?? EffectSite(name: nil, fileID: "unknown", line: 0)
        effects.append(
          LoggedEffect(
            start: EffectStart(
              action: number, index: effects.count, name: site.name, fileID: site.fileID,
              line: site.line)))
        open += 1
      case .delayedStart(let distance, let index) where cursor.number - distance == number:
        let site = sites[index] ?? EffectSite(name: nil, fileID: "unknown", line: 0)
        effects.append(
          LoggedEffect(
            start: EffectStart(
              action: number, index: effects.count, name: site.name, fileID: site.fileID,
              line: site.line, isDelayed: true)))
        open += 1
      case .end(let distance, let index, let end)
      where cursor.number - distance == number && effects.indices.contains(index):
        effects[index].end = end
        effects[index].endedAfter = cursor.number
        effects[index].endTime = record.time
        open -= 1
      default:
        break
      }
    }
    return effects
  }

  private func effectSites(of stream: StreamInfo) throws -> [Int: EffectSite] {
    var sites: [Int: EffectSite] = [:]
    for block in self.reader.blocks
    where block.run == UInt32(stream.run) && block.kinds.contains(.effect) {
      var cursor = self.records(in: block)
      while let record = try cursor.next() {
        guard record.kind == .effect, record.stream == UInt16(stream.number),
          record.payload.first == 0
        else { continue }
        var reader = RecordReader(record.payload)
        if case .site(let index, let site) = try EffectPayload(from: &reader) {
          sites[index] = site
        }
      }
    }
    return sites
  }
}

/// The actions of a stream, read one at a time.
public struct LoggedActions {
  var cursor: StreamCursor
  let stream: StreamInfo
  let first: Int
  let last: Int

  /// The next action, without its effects.
  ///
  /// - Throws: A `LogError` for damage, a ``ReplayError`` for an action that can't be decoded.
  public mutating func next() throws -> LoggedAction? {
    while self.cursor.number < self.last, let record = try self.cursor.next() {
      guard record.kind == .action, self.cursor.number >= self.first else { continue }
      do {
        return try LoggedAction(record, number: self.cursor.number, stream: self.stream)
      } catch {
        throw ReplayError(
          .undecodable,
          "Action \(self.cursor.number) of '\(self.stream.name)' can't be decoded: \(error)",
          action: self.cursor.number)
      }
    }
    return nil
  }
}

extension LoggedAction {
  init(_ record: LogRecord, number: Int, stream: StreamInfo) throws(RecordDecodingError) {
    var reader = RecordReader(record.payload)
    let header = try ActionHeader(number: number, from: &reader)
    self.init(
      number: number, time: record.time, origin: header.origin, sequence: record.sequence,
      byteCount: record.payload.count)
    if header.isAbsent {
      self.reasonForAbsence = try reader.getString()
    } else {
      let value = try RecordValue(from: &reader, schema: stream.actionSchema)
      self.value =
        stream.actionsHaveShared
        ? SharedResolution(SharedValues(), stream.definitions.shared).resolve(value) : value
    }
  }
}
