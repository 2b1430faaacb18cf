internal import Foundation
internal import Glibc
internal import Synchronization

extension Recording {
  /// Closes the recording when the program is told to end: by SIGTERM, by SIGHUP or by SIGINT.
  ///
  /// Without it such a signal ends the program as a kill does: nothing is lost, and the log says that
  /// the run was not closed. With it the log ends in order. Then the signal gets what it would have
  /// got without it: the program ends by that signal, as whoever started it can see, or a handler
  /// is called that the program had before.
  ///
  /// ```swift
  /// let recording = try Recording(at: "session.retrace")
  /// recording.closesOnTermination()
  /// ```
  ///
  /// A signal that the program ignores when this is called stays ignored. A second signal, while the
  /// first waits for a slow disk, ends the program at once. Calling it again does nothing more; of a
  /// program with several recordings each one is closed that it was called for.
  public func closesOnTermination() {
    Termination.shared.add(self)
  }
}

/// Closes recordings when the process is told to end; one for the process.
private final class Termination: Sendable {
  static let shared = Termination()

  private static let signals: [Int32] = [SIGTERM, SIGHUP, SIGINT]

  private struct Entry {
    weak var recording: Recording?
  }

  private struct State {
    var entries: [Entry] = []
    /// What the signals would have done, while they are caught.
    var former: [Int32: sigaction] = [:]
    var isWatched = false
  }

  private let state = Mutex(State())

  func add(_ recording: Recording) {
    state.withLock { state in
      state.entries.removeAll { $0.recording == nil }
      if !state.entries.contains(where: { $0.recording === recording }) {
        state.entries.append(Entry(recording: recording))
      }
      guard state.former.isEmpty, watch(&state) else { return }
      for number in Self.signals { state.former[number] = Self.catchSignal(number) }
    }
  }

  /// Catches a signal, and returns what it would have done; nil when it is ignored, and stays so.
  private static func catchSignal(_ number: Int32) -> sigaction? {
    var former = sigaction()
    guard sigaction(number, nil, &former) == 0, !former.isIgnored else { return nil }
    var action = sigaction()
    action.__sigaction_handler.sa_handler = tellOfSignal
    // A call that the signal meets goes on: the program is not to notice.
    action.sa_flags = SA_RESTART
    sigemptyset(&action.sa_mask)
    return sigaction(number, &action, nil) == 0 ? former : nil
  }

  /// Starts the thread that hears of signals, once; false when the system has no pipe left.
  private func watch(_ state: inout State) -> Bool {
    if state.isWatched { return true }
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    signalPipe = ends[1]
    signalProcess = getpid()
    state.isWatched = true
    let end = ends[0]
    let thread = Thread {
      // Here they are heard in any case: a program that was started by a thread which had all
      // signals blocked has them blocked, too.
      var heard = sigset_t()
      sigemptyset(&heard)
      for number in Self.signals { sigaddset(&heard, number) }
      pthread_sigmask(SIG_UNBLOCK, &heard, nil)
      while true {
        var number: UInt8 = 0
        guard read(end, &number, 1) == 1 else { continue }
        self.end(by: Int32(number))
      }
    }
    thread.name = "retrace.termination"
    thread.start()
    return true
  }

  private func end(by number: Int32) {
    let recordings = state.withLock { state -> [Recording] in
      for (number, var action) in state.former { sigaction(number, &action, nil) }
      state.former = [:]
      return state.entries.compactMap(\.recording)
    }
    // A recording that can't be closed has told its owner why.
    for recording in recordings { try? recording.close() }
    kill(getpid(), number)
  }
}

// Read in a signal handler, where no lock may be taken: set before one is installed.
nonisolated(unsafe) private var signalPipe: Int32 = -1
nonisolated(unsafe) private var signalProcess: pid_t = 0

/// The signal handler: leaves the work to the thread.
private func tellOfSignal(_ number: Int32) {
  if getpid() != signalProcess {
    // A forked child has no such thread, and the pipe is its parent's.
    signal(number, SIG_DFL)
    raise(number)
    return
  }
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  write(signalPipe, &byte, 1)
  errno = saved
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    unsafeBitCast(__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
