import Foundation

/// A process started without Foundation's help, which takes a program for running as long as
/// anybody holds one of its descriptors: a server that it left behind, for instance.
struct ChildProcess {
  let pid: pid_t

  /// Held while a process is started, and while descriptors are made that none may inherit.
  private static let starting = NSLock()

  enum Stream {
    case read(String)
    case write(String)
    case descriptor(Int32)
  }

  struct Failure: Error, CustomStringConvertible { var description: String }

  /// Starts a program, found like a shell does.
  init(
    _ program: String, _ arguments: [String], input: Stream = .read("/dev/null"),
    output: Stream = .write("/dev/null"), errors: Stream = .write("/dev/null"),
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [input, output, errors].enumerated() {
      switch stream {
      case .read(let path):
        posix_spawn_file_actions_addopen(&actions, Int32(number), path, O_RDONLY, 0)
      case .write(let path):
        posix_spawn_file_actions_addopen(
          &actions, Int32(number), path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
      case .descriptor(let descriptor):
        posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(number))
      }
    }
    // Test threads block signals, which a child would inherit.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    let values: [UnsafeMutablePointer<CChar>?] =
      environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for word in words + values { free(word) } }
    var pid = pid_t()
    let error: Int32 = Self.starting.withLock {
      posix_spawnp(&pid, program, &actions, &attributes, words, values)
    }
    guard error == 0 else {
      throw Failure(description: "\(program) can't be started: \(String(cString: strerror(error)))")
    }
    self.pid = pid
  }

  /// Waits for its end, and gives its status: that of its exit, or 128 more than its signal.
  func wait() -> Int32 {
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
    let signal: Int32 = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// A pipe, as its end to read and its end to write, that no other process inherits.
  static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try starting.withLock {
      guard Foundation.pipe(&ends) == 0 else {
        throw Failure(description: "no pipe: \(String(cString: strerror(errno)))")
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }
    return (ends[0], ends[1])
  }

  func kill(_ signal: Int32) { Foundation.kill(pid, signal) }
}
