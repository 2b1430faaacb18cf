internal import ActionCoding
internal import ActionLog
internal import ComposableArchitecture

/// Compares the effects that a reducer returns with those that were started when it was recorded.
///
/// None is run. A place is its file, and its line as well where the same build recorded it: lines
/// move with every change.
final class EffectCheck<Action> {
  private let tape: ReplayTape
  private let sites: [Int: EffectSite]
  private let comparesLines: Bool
  private let coder: ValueCoder<Action>
  private let reader: ValueCoder<Action>
  private let schema: RecordSchema
  /// Actions that reducers have sent, whose turn has not come.
  private var pending: [(sender: Int, action: Action)] = [] {
    didSet { self.tape.expectsAction = !self.pending.isEmpty }
  }
  /// Those that have had their turn, at the front of `pending`.
  private var taken = 0
  /// The actions up to this one may have sent some that are not in `pending`.
  private var unknownSenders: Int

  init(
    tape: ReplayTape, stream: StreamInfo, comparesLines: Bool, coder: ValueCoder<Action>,
    reader: ValueCoder<Action>, schema: RecordSchema, startingAt position: Int
  ) {
    self.tape = tape
    self.sites = stream.definitions.sites
    self.comparesLines = comparesLines
    self.coder = coder
    self.reader = reader
    self.schema = schema
    self.unknownSenders = position
  }

  /// Looks whether an action is the one that a reducer sent, if a reducer sent it.
  ///
  /// - Parameter payload: What the log has of the action, from its value on.
  func receive(
    _ origin: ActionOrigin, _ payload: UnsafeRawBufferPointer
  ) -> ReplayDifference? {
    let hasPending = self.taken < self.pending.count
    switch origin {
    case .action(let sender) where !hasPending:
      if sender <= self.unknownSenders { return nil }
      return ReplayDifference(
        .effect, path: "", expected: "this action, sent by action \(sender)",
        actual: "nothing that action \(sender) sends")
    case .action(let sender), .effect(let sender):
      guard hasPending else {
        self.unknownSenders = 0
        return nil
      }
      let (expectedSender, action) = self.pending[self.taken]
      guard sender == expectedSender else { return self.unsent(expectedSender, action) }
      self.take()
      return self.compare(action, with: payload, sender: sender)
    case .observer:
      // What an observer sends while a reducer runs comes before what that one sends.
      return nil
    case .user:
      self.unknownSenders = 0
      guard hasPending else { return nil }
      let (sender, action) = self.pending[self.taken]
      return self.unsent(sender, action)
    }
  }

  private func take() {
    self.taken += 1
    guard self.taken == self.pending.count else { return }
    self.pending.removeAll(keepingCapacity: true)
    self.taken = 0
  }

  private func unsent(_ sender: Int, _ action: Action) -> ReplayDifference {
    self.take()
    return ReplayDifference(
      .effect, path: "", expected: "nothing that action \(sender) sends",
      actual: "'\(self.text(action))', sent by action \(sender)")
  }

  private func compare(
    _ action: Action, with payload: UnsafeRawBufferPointer, sender: Int
  ) -> ReplayDifference? {
    guard let now = try? self.coder.bytes(of: action), !payload.elementsEqual(now) else {
      return nil
    }
    // Types that have changed since write the same action as other bytes.
    var reader = RecordReader(payload)
    guard let recorded = try? self.reader.decode(from: &reader),
      let then = try? self.coder.bytes(of: recorded), then != now
    else { return nil }
    return ReplayDifference(
      .effect, path: "", expected: "'\(self.text(recorded))', sent by action \(sender),",
      actual: "'\(self.text(action))'")
  }

  private func text(_ action: Action) -> String {
    guard let bytes = try? self.coder.bytes(of: action),
      let value = try? RecordValue(bytes, schema: self.schema)
    else { return describeCase(action) }
    return value.text(limit: 200)
  }

  // MARK: - What an action starts

  /// Looks whether an action starts what it started.
  func check(_ effect: Effect<Action>, of number: Int) -> ReplayDifference? {
    var difference: ReplayDifference?
    effect.operation.forEachAtOnce { part in
      guard difference == nil else { return }
      switch part {
      case .send(let action):
        if let record = self.nextStart(), record.payload.first == 6 {
          self.tape.advance()
        } else {
          self.pending.append((number, action))
        }
      case .run(let run):
        difference = self.check(run)
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

  private func check(_ run: EffectRun<Action>) -> ReplayDifference? {
    let now = EffectSite(name: run.name, fileID: "\(run.fileID)", line: run.line)
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
