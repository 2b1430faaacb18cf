internal import ActionCoding
public import ActionLog
internal import ComposableArchitecture
public import Foundation
internal import IssueReporting
internal import Sharing
internal import Synchronization

/// A log that stores record into.
///
/// ```swift
/// let recording = try Recording(at: "session.retrace")
/// let store = Store(initialState: AppFeature.State()) {
///   AppFeature()
///     .recorded(by: recording)
/// }
/// …
/// try recording.close()
/// ```
///
/// Each recording is one *run* of the log in that directory, each root store in it one *stream*. A
/// second recording into the same directory is the next run.
///
/// Recording never stops the program: when the log can't be written (a full disk, say), the stores
/// go on, ``failure`` tells why, and `onFailure` of the options is called once. As
/// `failurePolicy` of the options says, writing is tried again; what is missing then is in the log.
public final class Recording: Sendable {
  let writer: LogWriter
  let openPayload: [UInt8]
  let checkpoints: CheckpointDensity
  let contents: RecordingContents
  private let shared = Mutex(Shared())
  private let failures: FailureReport

  private struct Shared {
    var streams: [UInt16: any RecordedStream] = [:]
    var lastStream = 0
    var isClosed = false
  }

  /// Opens the log in the directory at `path` for writing, and makes the directory where there is
  /// none.
  ///
  /// - Parameters:
  ///   - path: The log's directory.
  ///   - options: How the log is written.
  ///   - contents: What is written beside the actions, and what must not be.
  /// - Throws: A `LogError` when the directory can't be made or written, holds something else or a
  ///   newer format, or is being written by another process.
  public convenience init(
    at path: String, options: LogOptions = LogOptions(),
    contents: RecordingContents = RecordingContents()
  ) throws(LogError) {
    try self.init(at: path, options: options, contents: contents, checkpoints: .bySize)
  }

  /// Opens the log in the directory at `path` for writing, with checkpoints of a density.
  ///
  /// - Throws: As ``init(at:options:contents:)``.
  package init(
    at path: String, options: LogOptions, contents: RecordingContents = RecordingContents(),
    checkpoints: CheckpointDensity, fileSystem: any FileSystem = .real
  ) throws(LogError) {
    self.checkpoints = checkpoints
    self.contents = contents
    self.openPayload = encodePayload { (writer) throws(RecordOverflow) in
      try OpenPayload(facts: ProcessFacts.current()).put(to: &writer)
    }
    let failures = FailureReport(owner: options.onFailure)
    self.failures = failures
    var options = options
    options.onFailure = { failures.report($0) }
    let onRecovery = options.onRecovery
    options.onRecovery = { gap in
      failures.clear()
      onRecovery?(gap)
    }
    self.writer = try LogWriter(at: path, options: options, fileSystem: fileSystem)
    if self.writer.opening.hasLoss {
      FileHandle.standardError.write(
        Data("retrace: \(path): \(self.writer.opening.description)\n".utf8))
    }
    try self.writer.append(.open, stream: 0, body: copying(self.openPayload))
  }

  /// Opens the log in the directory at `url` for writing.
  ///
  /// - Throws: As ``init(at:options:contents:)``.
  public convenience init(
    at url: URL, options: LogOptions = LogOptions(),
    contents: RecordingContents = RecordingContents()
  ) throws(LogError) {
    try self.init(at: url.path, options: options, contents: contents)
  }

  deinit {
    try? self.close()
  }

  /// The number of this run in the log: 1, 2, 3 …
  public var run: Int { Int(self.writer.run) }

  /// Why actions are not recorded now, if that is so.
  ///
  /// Whether writing is tried again tells `failurePolicy` of the options; once it works again this
  /// is `nil`, and the log tells which records are missing.
  public var failure: LogError? { self.failures.current }

  /// What opening the log found and did, where the run before had not closed it.
  ///
  /// What is lost is also said on standard error as the recording begins.
  public var opening: OpeningReport { self.writer.opening }

  /// Waits until everything recorded so far is on stable storage.
  ///
  /// - Throws: A `LogError` when it can't be written.
  public func flush() throws(LogError) {
    try self.writer.flush()
  }

  /// Ends the run: closes its streams and writes what is left; on the main thread the states that
  /// stores have now as well, with which a replay compares its own.
  ///
  /// Stores that are still there go on without being recorded.
  ///
  /// - Throws: A `LogError` when it can't be written.
  public func close() throws(LogError) {
    let streams = self.shared.withLock { shared -> [any RecordedStream]? in
      guard !shared.isClosed else { return nil }
      shared.isClosed = true
      defer { shared.streams = [:] }
      return shared.streams.sorted { $0.key < $1.key }.map(\.value)
    }
    guard let streams else { return }
    // A store is looked at where it lives only.
    if Thread.isMainThread || MainQueue.isCurrent {
      MainActor.assumeIsolated { for stream in streams { stream.writeLastState() } }
    }
    for stream in streams { stream.end() }
    try self.writer.append(.close, stream: 0, body: { _ in 0 })
    try self.writer.close()
  }

  // MARK: - Streams

  /// The most streams in a run: their numbers take 16 bits, and 0 is the run itself.
  static let streamLimit = Int(UInt16.max)

  /// Begins a stream; `nil` when there are too many, or the recording is closed.
  @MainActor
  func beginStream<State, Action>(
    named name: String, append: _ActionAppend<Action>?, as types: StoreHook<State, Action>.Type
  ) -> StoreHook<State, Action>? {
    let number = self.shared.withLock { shared -> UInt16? in
      guard !shared.isClosed, shared.lastStream < Self.streamLimit else { return nil }
      shared.lastStream += 1
      return UInt16(shared.lastStream)
    }
    guard let number else {
      reportIssue(
        """
        '\(name)' is not recorded: the recording is closed, or has its \(Self.streamLimit) \
        streams already.
        """)
      return nil
    }
    let stream = StreamRecorder<State, Action>(
      recording: self, name: name, number: number, append: append)
    self.shared.withLock { $0.streams[number] = stream }
    return stream
  }

  func endStream(_ number: UInt16) {
    self.shared.withLock { _ = $0.streams.removeValue(forKey: number) }
  }

  /// Says that a record could not be written; not after the recording was closed.
  func fail(_ error: LogError) {
    guard error.code != .closed else { return }
    self.failures.report(error)
  }

  /// Begins a new segment: hands the log what is needed to replay from here.
  ///
  /// The values are captured here, on the stores' thread, and encoded on the log's.
  ///
  /// - Parameters:
  ///   - number: The stream whose action has just run.
  ///   - state: That stream's state after the action.
  @MainActor
  func cut(by number: UInt16, state: Any) {
    let streams = self.shared.withLock { shared in
      shared.streams.sorted { $0.key < $1.key }
    }
    let captures = streams.map { $0.value.capture($0.key == number ? state : nil) }
    let open = PreambleRecord(kind: .open, stream: 0, payload: self.openPayload)
    self.writer.cut(next: {
      let streams = captures.map { $0() }
      return SegmentCut(
        [open] + streams.flatMap(\.records), isComplete: streams.allSatisfy(\.isComplete))
    })
  }
}

/// Remembers why a log can't be written, and tells it once.
private final class FailureReport: Sendable {
  private let owner: (@Sendable (LogError) -> Void)?
  private struct State {
    var error: LogError?
    var isTold = false
  }

  private let state = Mutex(State())

  init(owner: (@Sendable (LogError) -> Void)?) {
    self.owner = owner
  }

  var current: LogError? { self.state.withLock { $0.error } }

  /// Says that writing works again.
  func clear() {
    self.state.withLock { $0 = State() }
  }

  func report(_ error: LogError) {
    let isFirst = self.state.withLock { state in
      if state.error == nil { state.error = error }
      defer { state.isTold = true }
      return !state.isTold
    }
    guard isFirst else { return }
    if let owner { owner(error) } else { reportIssue("Actions are no longer recorded: \(error)") }
  }
}

/// A stream that a recording writes, whatever the types in it.
protocol RecordedStream: AnyObject, Sendable {
  /// Captures what a segment must begin with to replay this stream, to be encoded elsewhere.
  ///
  /// - Parameter state: The state, where it is newer than the store's.
  @MainActor func capture(_ state: Any?) -> @Sendable () -> SegmentCut

  /// Writes the state as it is, so that a replay can compare its end.
  @MainActor func writeLastState()

  /// Writes the end of the stream, once.
  func end()
}

/// A body for `LogWriter.append` that copies `bytes`.
func copying(_ bytes: [UInt8]) -> (UnsafeMutableRawBufferPointer) -> Int? {
  { buffer in
    guard buffer.count >= bytes.count else { return nil }
    buffer.copyBytes(from: bytes)
    return bytes.count
  }
}

/// The bytes of a payload. A payload that does not fit the limits of the coding is cut short to
/// nothing: none that the recorder writes does.
func encodePayload(
  _ body: (inout RecordWriter) throws(RecordOverflow) -> Void
) -> [UInt8] {
  (try? RecordWriter.bytes(writing: body)) ?? []
}
