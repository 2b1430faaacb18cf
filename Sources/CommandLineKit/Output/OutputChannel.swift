import Synchronization

/// A channel of text and bytes that leaves the process: standard output, standard error, or memory.
///
/// Standard output collects until 64 KiB are there; standard error is written at once.
package final class OutputChannel: Sendable {
  /// Large enough that the system call costs nothing beside the text, small enough for any cache.
  static let bufferSize = 65_536

  private struct State {
    /// nil: what is written is kept in memory.
    var descriptor: Int32?
    var bytes: [UInt8] = []
    /// Set by the first failure; nothing is written after it.
    var failure: OutputError?
  }

  private let name: String
  private let isBuffered: Bool
  private let state: Mutex<State>

  private init(descriptor: Int32?, name: String, isBuffered: Bool) {
    self.name = name
    self.isBuffered = isBuffered
    state = Mutex(State(descriptor: descriptor))
  }

  package static func standardOutput() -> OutputChannel {
    OutputChannel(descriptor: 1, name: "standard output", isBuffered: true)
  }

  package static func standardError() -> OutputChannel {
    OutputChannel(descriptor: 2, name: "standard error", isBuffered: false)
  }

  /// Any open file; it is not closed.
  package static func descriptor(_ descriptor: Int32, name: String) -> OutputChannel {
    OutputChannel(descriptor: descriptor, name: name, isBuffered: true)
  }

  /// Keeps everything, for `contents`.
  package static func memory() -> OutputChannel {
    OutputChannel(descriptor: nil, name: "memory", isBuffered: true)
  }

  /// What was written to a channel in memory.
  package var contents: String {
    state.withLock { String(decoding: $0.bytes, as: UTF8.self) }
  }

  /// Writes a text and a line break.
  package func line(_ text: String) throws(OutputError) {
    try write { (bytes: inout [UInt8]) in
      bytes.append(contentsOf: text.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
  }

  /// Writes a text as it is.
  package func text(_ text: String) throws(OutputError) {
    try write { (bytes: inout [UInt8]) in bytes.append(contentsOf: text.utf8) }
  }

  /// Appends to the buffer in place.
  package func write(_ body: (inout [UInt8]) -> Void) throws(OutputError) {
    let failure: OutputError? = state.withLock { (state: inout State) -> OutputError? in
      if let failure = state.failure { return failure }
      body(&state.bytes)
      if !isBuffered || state.bytes.count >= Self.bufferSize { send(&state) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Hands over what was collected.
  package func flush() throws(OutputError) {
    let failure: OutputError? = state.withLock { (state: inout State) -> OutputError? in
      if state.failure == nil { send(&state) }
      return state.failure
    }
    if let failure { throw failure }
  }

  /// Keeps standard output to this channel while `body` runs: what other code of the process
  /// prints goes to standard error or nowhere.
  ///
  /// A channel that is not the process's standard output is left as it is.
  package func exclusively<Result>(
    showingOthers: Bool, _ body: () throws -> Result
  ) rethrows -> Result {
    let aside: Int32? = state.withLock { (state: inout State) -> Int32? in
      guard state.descriptor == 1 else { return nil }
      state.descriptor = System.divertStandardOutput(toStandardError: showingOthers) ?? 1
      return state.descriptor
    }
    guard let aside, aside != 1 else { return try body() }
    defer {
      state.withLock { (state: inout State) in
        if state.failure == nil { send(&state) }
        System.restoreStandardOutput(from: aside)
        state.descriptor = 1
      }
    }
    return try body()
  }

  private func send(_ state: inout State) {
    guard let descriptor = state.descriptor else { return }
    let code: Int32? = state.bytes.withUnsafeBytes { System.write($0, to: descriptor) }
    state.bytes.removeAll(keepingCapacity: true)
    if let code { state.failure = OutputError(code: code, stream: name) }
  }
}

/// Output that could not be written.
package struct OutputError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system's errno.
  package var code: Int32
  package var stream: String

  /// Whether the reader went away, which is no failure: it had enough.
  package var isClosedPipe: Bool { code == System.brokenPipe }

  package var description: String {
    "Can't write to \(stream): \(System.message(for: code))."
  }
}
