import ActionCoding
import Dependencies
import IssueReporting

/// One read, as a log has it.
struct FakeRead {
  var name: String
  /// The arguments as text; `nil` where there are none.
  var arguments: String?
  var outcome: Result<[UInt8], any Error>
}

/// Keeps what reducers read.
final class FakeRecording: ReadSession {
  private(set) var reads: [FakeRead] = []

  var names: [String] { reads.map(\.name) }
  var arguments: [String?] { reads.map(\.arguments) }

  func read<Value>(
    _ key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Result<Value, any Error>
  ) -> Result<Value, any Error>? {
    let result: Result<Value, any Error> = live()
    reads.append(
      FakeRead(
        name: key.name, arguments: text(of: arguments, key),
        outcome: result.flatMap { value in Result { try key.coder.bytes(of: value) } }))
    return result
  }
}

/// Hands reads back in their order, each by its name and arguments.
final class FakeReplay: ReadSession {
  private var rest: [FakeRead]
  private(set) var differences: [String] = []
  private(set) var touchedNames: [String] = []
  private(set) var handedOutNames: [String] = []

  var isReplay: Bool { true }
  /// What was recorded and not read again.
  var missing: [String] { rest.map(\.name) }

  init(_ reads: [FakeRead]) {
    rest = reads
  }

  func read<Value>(
    _ key: _ReadKey<Value>, arguments: _ReadArguments?, live: () -> Result<Value, any Error>
  ) -> Result<Value, any Error>? {
    let text: String? = text(of: arguments, key)
    guard let read = rest.first, read.name == key.name, read.arguments == text else {
      differences.append(text.map { "\(key.name)\($0)" } ?? key.name)
      return nil
    }
    rest.removeFirst()
    switch read.outcome {
    case .success(let bytes): return Result { try key.coder.value(of: bytes) }
    case .failure(let error):
      return .failure(_ReadFailure(type: "\(type(of: error))", description: "\(error)"))
    }
  }

  func touched(_ name: String) { touchedNames.append(name) }
  func handedOut(_ name: String) { handedOutNames.append(name) }
}

private func text<Value>(of arguments: _ReadArguments?, _ key: _ReadKey<Value>) -> String? {
  guard let arguments, let schema = key.argumentsSchema else { return nil }
  let bytes: [UInt8]? = try? RecordWriter.bytes { (writer) throws(RecordOverflow) in
    try arguments.write(&writer)
  }
  return bytes.flatMap { try? RecordValue($0, schema: schema).json() } ?? "unreadable"
}

/// Runs what a reducer does while it is recorded.
func recorded<R>(_ body: () throws -> R) rethrows -> (result: R, recording: FakeRecording) {
  let recording = FakeRecording()
  return (try ReducerReads(recording).with(body), recording)
}

/// Runs what a reducer does in a replay of a recording.
func replayed<R>(
  _ recording: FakeRecording, _ body: () throws -> R
) rethrows -> (result: R, replay: FakeReplay) {
  let replay = FakeReplay(recording.reads)
  let result: R = try withDependencies {
    $0.becomeReplayed()
  } operation: {
    try ReducerReads(replay).with(body)
  }
  return (result, replay)
}

/// Runs what a reducer does under a recording and again in a replay of it, where it must read the
/// same and touch nothing.
func roundTrip<R>(_ body: () throws -> R) rethrows -> (
  live: R, again: R, recording: FakeRecording, replay: FakeReplay
) {
  let (live, recording) = try recorded(body)
  let (again, replay) = try replayed(recording, body)
  return (live, again, recording, replay)
}
