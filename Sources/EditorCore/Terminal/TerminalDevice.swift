#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A terminal whose keys are read one by one, and which is as it was afterwards.
package final class TerminalDevice {
  private let input: Int32
  private let output: Int32
  private let original: termios

  /// Switches the terminal to raw mode and another screen, or gives nil where `input` or `output`
  /// is no terminal.
  package init?(input: Int32 = 0, output: Int32 = 1) {
    var mode = termios()
    guard isatty(output) == 1, tcgetattr(input, &mode) == 0 else { return nil }
    self.input = input
    self.output = output
    original = mode
    cfmakeraw(&mode)
    guard tcsetattr(input, TCSAFLUSH, &mode) == 0 else { return nil }
    // Another screen, and pastes marked as such.
    write("\u{1B}[?1049h\u{1B}[?2004h")
  }

  package func write(_ text: String) { FileDescriptor.writeAll(text, to: output) }

  /// Gives the terminal back.
  package func restore() {
    write("\u{1B}[?2004l\u{1B}[?25h\u{1B}[?1049l")
    var mode: termios = original
    tcsetattr(input, TCSAFLUSH, &mode)
  }

  package var size: ScreenSize {
    var size = winsize()
    guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return ScreenSize(columns: 80, rows: 24)
    }
    return ScreenSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }

  /// Whether an editor can run on the program's input and output.
  package static var isAvailable: Bool { isatty(0) == 1 && isatty(1) == 1 }
}
