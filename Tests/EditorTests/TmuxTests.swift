import Foundation
import Testing

/// The editor on a terminal, which tmux plays.
@Suite(
  .serialized,
  .enabled(if: Tmux.isInstalled, "tmux is not installed: Tools/test installs it"))
struct TmuxTests {
  @Test func typingMovingUndoingAndSaving() throws {
    let folder = try TemporaryFolder()
    let file: String = folder.path("a.txt")
    let tmux = try Tmux(columns: 140, rows: 8, ["--file", file])
    try tmux.wait { $0.contains("^S save") }
    try tmux.type("héllo 日本 world")
    try tmux.wait { $0.hasPrefix("héllo 日本 world\n") && $0.contains("column 17 | 3 words") }
    try tmux.press("Enter")
    try tmux.type("sexond")
    try tmux.press("Left", "Left", "Left", "BSpace")
    try tmux.type("c")
    try tmux.wait { $0.contains("\nsecond\n") && $0.contains("line 2, column 4 | 4 words") }
    try tmux.press("C-z", "C-z")
    try tmux.wait { $0.contains("\nsexond\n") }
    try tmux.press("C-y", "C-y", "Up", "Home", "DC", "End")
    try tmux.type("!")
    try tmux.wait { $0.hasPrefix("éllo 日本 world!\nsecond\n") && $0.contains("a.txt *") }
    try tmux.press("C-s")
    try tmux.wait { $0.contains("Saved 26 bytes.") }
    #expect(try String(contentsOfFile: file, encoding: .utf8) == "éllo 日本 world!\nsecond")
    try tmux.press("C-q")
    try tmux.wait { $0.hasPrefix("ended 0") }
  }

  @Test func quittingWithChangesAsksOnce() throws {
    let tmux = try Tmux(columns: 100, rows: 6, [])
    try tmux.wait { $0.contains("^Q quit") }
    try tmux.type("x")
    try tmux.press("C-q")
    try tmux.wait { $0.contains("There are changes that were not saved: ^Q again leaves") }
    try tmux.press("Left")
    try tmux.wait { $0.contains("line 1, column 1") }
    try tmux.press("C-q", "C-q")
    try tmux.wait { $0.hasPrefix("ended 0") }
  }

  @Test func resizingAndASignal() throws {
    let folder = try TemporaryFolder()
    let log: String = folder.path("session.retrace")
    let tmux = try Tmux(columns: 60, rows: 6, ["--record", log])
    try tmux.wait { $0.contains("line 1, column 1") }
    try tmux.type("one")
    try tmux.press("Enter", "Enter", "Enter", "Enter", "Enter", "Enter")
    try tmux.type("two")
    try tmux.wait { $0.contains("line 7, column 4") && !$0.contains("one") }
    try tmux.tmux("resize-window", "-t", "editor", "-x", "40", "-y", "12")
    try tmux.wait { $0.contains("\ntwo\n~\n") }
    let pid = try tmux.tmux("list-panes", "-t", "editor", "-F", "#{pane_pid}")
    let shell = try #require(Int32(pid.trimmingCharacters(in: .whitespacesAndNewlines)))
    let editor = try #require(try Tmux.child(of: shell))
    kill(editor, SIGTERM)
    try tmux.wait { $0.contains("ended 0") }
    let text = try EditorProcess.run(["state", log, "end", "text", "--raw"])
    #expect(text.output == "one\n\n\n\n\n\ntwo")
  }
}

/// A terminal of a given size with the editor on it.
final class Tmux {
  private let socket = "editor-tests-\(UUID().uuidString)"

  struct Failure: Error, CustomStringConvertible { var description: String }

  static let isInstalled: Bool = (try? output(of: ["-V"]))?.hasPrefix("tmux") ?? false

  init(columns: Int, rows: Int, _ arguments: [String]) throws {
    let command: String = ([EditorProcess.path] + arguments).map { "'\($0)'" }.joined(
      separator: " ")
    try tmux(
      "-f", "/dev/null", "new-session", "-d", "-s", "editor", "-x", "\(columns)", "-y", "\(rows)",
      "\(command); echo ended $?; sleep 60")
  }

  deinit { _ = try? tmux("kill-server") }

  func type(_ text: String) throws { try tmux("send-keys", "-t", "editor", "-l", text) }

  func press(_ keys: String...) throws { try tmux(["send-keys", "-t", "editor"] + keys) }

  /// Waits until the screen is as it should be. The bound is there for a test that fails.
  func wait(_ condition: (String) -> Bool, sourceLocation: SourceLocation = #_sourceLocation) throws
  {
    var screen = ""
    for _ in 0..<600 {
      screen = try tmux("capture-pane", "-p", "-t", "editor")
      if condition(screen) { return }
      usleep(50_000)
    }
    Issue.record("the screen never got there:\n\(screen)", sourceLocation: sourceLocation)
    throw Failure(description: "the screen never got there")
  }

  @discardableResult
  func tmux(_ arguments: String...) throws -> String { try tmux(arguments) }

  @discardableResult
  private func tmux(_ arguments: [String]) throws -> String {
    try Self.output(of: ["-L", socket, "-u"] + arguments)
  }

  private static func output(of arguments: [String]) throws -> String {
    // tmux wants to know that the terminal takes UTF-8; a session of its own must not be nested.
    var environment: [String: String] = ProcessInfo.processInfo.environment
    environment["LC_ALL"] = "C.UTF-8"
    environment["TMUX"] = nil
    environment["TERM"] = "xterm-256color"
    let folder = try TemporaryFolder()
    let status: Int32 = try ChildProcess(
      "tmux", arguments, output: .write(folder.path("out")), environment: environment
    ).wait()
    guard status == 0 else {
      throw Failure(description: "tmux \(arguments.joined(separator: " ")) failed")
    }
    return String(decoding: try Data(contentsOf: folder.url("out")), as: UTF8.self)
  }

  /// The process that a shell runs.
  static func child(of parent: Int32) throws -> Int32? {
    let children = try String(
      contentsOfFile: "/proc/\(parent)/task/\(parent)/children", encoding: .utf8)
    return children.split(separator: " ").first.flatMap { Int32($0) }
  }
}
