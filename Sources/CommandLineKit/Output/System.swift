#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The few system calls that a command line tool needs, with errors as values.
package enum System {
  /// Writes all bytes, however often the system takes only a part; returns an errno, or nil.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32? {
    var rest: UnsafeRawBufferPointer.SubSequence = bytes[...]
    while !rest.isEmpty {
      #if canImport(Darwin)
        let count: Int = Darwin.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      #elseif canImport(Musl)
        let count: Int = Musl.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      #else
        let count: Int = Glibc.write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      #endif
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return nil
  }

  /// The text for an errno, as `No space left on device`.
  package static func message(for code: Int32) -> String {
    guard let text = strerror(code) else { return "error \(code)" }
    return String(cString: text)
  }

  static var brokenPipe: Int32 { EPIPE }

  /// From here on a closed pipe is an error of the write, not the end of the process.
  package static func ignoreClosedPipes() {
    signal(SIGPIPE, SIG_IGN)
  }

  package static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal behind a descriptor, or nil when there is none.
  static func columns(of descriptor: Int32) -> Int? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  package static func environment(_ name: String) -> String? {
    guard let value = getenv(name) else { return nil }
    return String(cString: value)
  }

  /// Lets descriptor 1 lead to standard error or nowhere, and returns a new one that leads where
  /// it led; nil, with nothing changed, when the system refuses.
  static func divertStandardOutput(toStandardError: Bool) -> Int32? {
    // What was printed so far through the C library belongs to the old place.
    fflush(nil)
    let aside: Int32 = fcntl(1, F_DUPFD_CLOEXEC, 3)
    guard aside >= 0 else { return nil }
    let other: Int32 = toStandardError ? 2 : open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard other >= 0, dup2(other, 1) == 1 else {
      close(aside)
      return nil
    }
    if other != 2 { close(other) }
    return aside
  }

  static func restoreStandardOutput(from aside: Int32) {
    fflush(nil)
    dup2(aside, 1)
    close(aside)
  }

  /// Starts the program again in this process, with the same arguments and one more variable.
  ///
  /// Returns only when the system refuses.
  package static func restart(setting name: String, to value: String) {
    setenv(name, value, 1)
    // Threads of the pool block signals, and a program started from one would never see Ctrl-C.
    var none = sigset_t()
    sigemptyset(&none)
    pthread_sigmask(SIG_SETMASK, &none, nil)
    signal(SIGPIPE, SIG_DFL)
    execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}
