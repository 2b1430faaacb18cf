public import ActionCoding
public import ActionLog
public import ComposableArchitecture

/// The part of a fold in which nothing happens but that an action is run: it is compiled where the
/// feature's types are known, and so costs little more than the reducer.
///
/// An action that is all that a reducer sends is looked for here as well. Everything else, reads and
/// effects and what differs, is left to the timeline.
public struct _FoldKernel<State, Action> {
  /// Why it returned.
  @usableFromInline
  enum Outcome {
    /// The next record, if there is one, has to be looked at more closely before it is run.
    case stopped
    /// An action has been run, and what it read or started is to be compared.
    case unchecked(Effect<Action>)
  }

  /// Runs actions up to the one of a number; `coder` reads them.
  @usableFromInline let fold:
    (
      _ state: inout State, _ position: inout Int, _ lastAction: inout Action?,
      _ tape: ReplayTape, _ coder: ValueCoder<Action>, _ last: Int
    ) -> Outcome
  /// The same for actions that were recorded in the form that they have today, which their own code
  /// reads; `nil` where they have none.
  @usableFromInline let foldOfToday:
    (
      (
        _ state: inout State, _ position: inout Int, _ lastAction: inout Action?,
        _ tape: ReplayTape, _ last: Int
      ) -> Outcome
    )?
  /// The same reducer, its type hidden.
  @usableFromInline let reducer: Reduce<State, Action>

  @inlinable
  public init(_ base: some Reducer<State, Action>) {
    self.reducer = Reduce(base)
    self.foldOfToday = nil
    self.fold = { state, position, lastAction, tape, coder, last in
      Self.fold(
        base, &state, &position, &lastAction, tape, last,
        decode: { (reader) throws(RecordDecodingError) in try coder.decode(from: &reader) },
        encode: nil)
    }
  }

  @inlinable
  public init(_ base: some Reducer<State, Action>) where Action: Recordable {
    self.reducer = Reduce(base)
    self.foldOfToday = { state, position, lastAction, tape, last in
      Self.fold(
        base, &state, &position, &lastAction, tape, last,
        decode: { (reader) throws(RecordDecodingError) in try Action(from: &reader) },
        encode: { (action, writer) throws(RecordOverflow) in try action.encode(to: &writer) })
    }
    self.fold = { state, position, lastAction, tape, coder, last in
      Self.fold(
        base, &state, &position, &lastAction, tape, last,
        decode: { (reader) throws(RecordDecodingError) in try coder.decode(from: &reader) },
        encode: nil)
    }
  }

  @inlinable @inline(__always)
  static func fold(
    _ base: some Reducer<State, Action>, _ state: inout State, _ position: inout Int,
    _ lastAction: inout Action?, _ tape: ReplayTape, _ last: Int,
    decode: (inout RecordReader) throws(RecordDecodingError) -> Action,
    encode: ((Action, inout RecordWriter) throws(RecordOverflow) -> Void)?
  ) -> Outcome {
    while position < last {
      guard let record = tape.next, record.kind.rawValue == 4, tape.number == position + 1
      else { return .stopped }
      var reader = RecordReader(record.payload)
      // An action that has its value, and is the one that a reducer sent if one sent it.
      guard let header = try? reader.getVarint(), header & 4 == 0 else { return .stopped }
      let isSent = header & 3 == 3
      if isSent || !tape.sent.isEmpty {
        let sender = position &+ 1 &- Int(truncatingIfNeeded: header >> 3)
        let value = UnsafeRawBufferPointer(rebasing: record.payload[reader.offset...])
        guard isSent, tape.sent.isNext(sender: sender, value) else { return .stopped }
      }
      let action: Action
      do throws(RecordDecodingError) {
        action = try decode(&reader)
      } catch {
        return .stopped
      }
      if isSent { tape.sent.take() }
      tape.advance()
      let effect = base._reduce(into: &state, action: action)
      position += 1
      if position == last { lastAction = action }
      if !tape.hasDifference, tape.nextIsAction {
        if effect._isNone { continue }
        if let encode, let sent = effect._sentAction,
          tape.sent.append(
            sender: position,
            { (writer) throws(RecordOverflow) in try encode(sent, &writer) })
        {
          continue
        }
      }
      lastAction = action
      return .unchecked(effect)
    }
    return .stopped
  }
}
