internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture

/// Compares the effects that a reducer returns with those that were started when it was recorded.
///
/// None is run. A place is its file, and its line as well where the same build recorded it: lines
/// move with every change.
final class EffectCheck {
  private let tape: ReplayTape
  private let sites: [Int: EffectSite]
  private let comparesLines: Bool
  /// Of the actions as they are written today.
  private let schema: RecordSchema
  /// What today's types write of an action in the log; `nil` where it can't be read or written.
  private let rewritten: (UnsafeRawBufferPointer) -> [UInt8]?
  /// Whether an action's bytes depend on what shared values hold.
  private let actionsHaveShared: Bool
  /// The actions up to this one may have sent some that are not in the tape's.
  private var unknownSenders: Int

  init(
    tape: ReplayTape, stream: StreamInfo, comparesLines: Bool, schema: RecordSchema,
    startingAt position: Int, rewritten: @escaping (UnsafeRawBufferPointer) -> [UInt8]?
  ) {
    self.tape = tape
    self.sites = stream.definitions.sites
    self.comparesLines = comparesLines
    self.schema = schema
    self.rewritten = rewritten
    self.actionsHaveShared = stream.actionsHaveShared
    self.unknownSenders = position
  }

  /// Looks whether an action is the one that a reducer sent, if a reducer sent it.
  ///
  /// - Parameter payload: What the log has of the action, from its value on.
  func receive(
    _ origin: ActionOrigin, _ payload: UnsafeRawBufferPointer
  ) -> ReplayDifference? {
    let expectedSender = self.tape.sent.nextSender
    switch origin {
    case .action(let sender) where expectedSender == nil:
      if sender <= self.unknownSenders { return nil }
      return ReplayDifference(
        .effect, path: "", expected: "this action, sent by action \(sender)",
        actual: "nothing that action \(sender) sends")
    case .action(let sender):
      guard let expectedSender else { return nil }
      guard sender == expectedSender else { return self.unsent(expectedSender) }
      defer { self.tape.sent.take() }
      return self.compareNext(with: payload, sender: sender)
    case .observer, .effect:
      // What an observer sends while a reducer runs comes before what that one sends, and so does
      // what an effect sends as it starts, beside one that only sends.
      return nil
    case .user:
      self.unknownSenders = 0
      return expectedSender.map { self.unsent($0) }
    }
  }

  private func unsent(_ sender: Int) -> ReplayDifference {
    defer { self.tape.sent.take() }
    return ReplayDifference(
      .effect, path: "", expected: "nothing that action \(sender) sends",
      actual: "'\(self.text(self.tape.sent.nextBytes()))', sent by action \(sender)")
  }

  private func compareNext(
    with payload: UnsafeRawBufferPointer, sender: Int
  ) -> ReplayDifference? {
    guard let now = self.tape.sent.nextBytes(), !payload.elementsEqual(now) else { return nil }
    // Types that have changed since write the same action as other bytes.
    guard let then = self.rewritten(payload), then != now else { return nil }
    return ReplayDifference(
      .effect, path: "", expected: "'\(self.text(then))', sent by action \(sender),",
      actual: "'\(self.text(now))'")
  }

  /// The next action that was sent, or the recorded one, as text.
  private func text(_ bytes: [UInt8]?) -> String {
    guard let bytes, let value = try? RecordValue(bytes, schema: self.schema) else {
      return self.tape.sent.nextText()
    }
    return value.text(limit: 200)
  }

  // MARK: - What an action starts

  /// Looks whether an action starts what it started.
  ///
  /// - Parameter coder: Writes the actions that it sends.
  func check<Action>(
    _ effect: Effect<Action>, of number: Int, coder: ValueCoder<Action>
  ) -> ReplayDifference? {
    var difference: ReplayDifference?
    var sends = 0
    if !effect._isNone {
      effect.operation.forEachAtOnce { part in
        guard difference == nil else { return }
        switch part {
        case .send(let action):
          if let record = self.nextStart(), self.isNotSent(sends, record) {
            self.tape.advance()
          } else {
            self.expect(action, sender: number, coder)
          }
          sends += 1
        case .run(let run):
          difference = self.check(run.name, run.fileID, run.line)
        }
      }
    }
    guard difference == nil, let record = self.nextStart(), record.payload.first == 1 else {
      return difference
    }
    let site = self.site(of: record)
    return ReplayDifference(
      .effect, path: site?.name ?? "", expected: Self.text(site), actual: "no such effect",
      place: site.map { "\($0.fileID):\($0.line)" })
  }

  private func expect<Action>(_ action: Action, sender: Int, _ coder: ValueCoder<Action>) {
    let isKept =
      !self.actionsHaveShared
      && self.tape.sent.append(sender: sender) { (writer) throws(RecordOverflow) in
        try coder.encode(action, to: &writer)
      }
    guard !isKept else { return }
    self.tape.sent.append(
      sender: sender,
      late: SentActions.Late(
        bytes: { try? coder.bytes(of: action) }, text: { describeCase(action) }))
  }

  private func check(_ name: String?, _ fileID: StaticString, _ line: UInt) -> ReplayDifference? {
    let now = EffectSite(name: name, fileID: "\(fileID)", line: line)
    guard let record = self.nextStart() else {
      // Where the log ends nobody knows what would have come.
      guard self.tape.next != nil else { return nil }
      return ReplayDifference(
        .effect, path: now.name ?? "", expected: "no such effect", actual: Self.text(now),
        place: "\(now.fileID):\(now.line)")
    }
    let recorded = self.site(of: record)
    self.tape.advance()
    guard let recorded, recorded != now else { return nil }
    if recorded.name == now.name, recorded.fileID == now.fileID, !self.comparesLines { return nil }
    return ReplayDifference(
      .effect, path: now.name ?? "", expected: Self.text(recorded), actual: Self.text(now),
      place: "\(now.fileID):\(now.line)")
  }

  /// The action's next effect that is recorded as started, or as not sent.
  private func nextStart() -> LogRecord? {
    while let record = self.tape.next {
      switch record.kind {
      case .action, .close, .read: return nil
      case .effect where record.payload.first == 1 || record.payload.first == 6: return record
      case .shared where SharedRecord.isOfNextAction(record.payload): return nil
      default: self.tape.advance()
      }
    }
    return nil
  }

  /// Whether a record says of the action's send of that number that it did not happen.
  private func isNotSent(_ ordinal: Int, _ record: LogRecord) -> Bool {
    var reader = RecordReader(record.payload)
    guard case .notSent(let recorded)? = try? EffectPayload(from: &reader) else { return false }
    return recorded == nil || recorded == ordinal
  }

  private func site(of record: LogRecord) -> EffectSite? {
    var reader = RecordReader(record.payload)
    guard case .start(let number)? = try? EffectPayload(from: &reader) else { return nil }
    return self.sites[number]
  }

  private static func text(_ site: EffectSite?) -> String {
    guard let site else { return "an effect" }
    if let name = site.name { return "the effect '\(name)'" }
    return "an effect of \(site.fileID):\(site.line)"
  }
}
