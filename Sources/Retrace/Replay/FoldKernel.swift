public import ActionCoding
public import ActionLog
public import ComposableArchitecture

/// The part of a fold in which nothing happens but that an action is run: it is compiled where the
/// feature's types are known, and so costs little more than the reducer.
///
/// Everything else, reads and effects and what differs, is left to the timeline.
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
      Self.fold(base, &state, &position, &lastAction, tape, last) {
        (reader) throws(RecordDecodingError) in try coder.decode(from: &reader)
      }
    }
  }

  @inlinable
  public init(_ base: some Reducer<State, Action>) where Action: Recordable {
    self.reducer = Reduce(base)
    self.foldOfToday = { state, position, lastAction, tape, last in
      Self.fold(base, &state, &position, &lastAction, tape, last) {
        (reader) throws(RecordDecodingError) in try Action(from: &reader)
      }
    }
    self.fold = { state, position, lastAction, tape, coder, last in
      Self.fold(base, &state, &position, &lastAction, tape, last) {
        (reader) throws(RecordDecodingError) in try coder.decode(from: &reader)
      }
    }
  }

  @inlinable @inline(__always)
  static func fold(
    _ base: some Reducer<State, Action>, _ state: inout State, _ position: inout Int,
    _ lastAction: inout Action?, _ tape: ReplayTape, _ last: Int,
    _ decode: (inout RecordReader) throws(RecordDecodingError) -> Action
  ) -> Outcome {
    while position < last {
      guard let record = tape.next, record.kind.rawValue == 4, tape.number == position + 1
      else { return .stopped }
      var reader = RecordReader(record.payload)
      // An action that has its value, and was not sent by a reducer.
      guard let header = try? reader.getVarint(), header & 4 == 0, header & 3 != 3,
        !tape.expectsAction
      else { return .stopped }
      let action: Action
      do throws(RecordDecodingError) {
        action = try decode(&reader)
      } catch {
        return .stopped
      }
      tape.advance()
      let effect = base._reduce(into: &state, action: action)
      position += 1
      if position == last { lastAction = action }
      guard effect._isNone, !tape.hasDifference, let next = tape.next,
        next.kind.rawValue == 4
      else {
        lastAction = action
        return .unchecked(effect)
      }
    }
    return .stopped
  }
}
