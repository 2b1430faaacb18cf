import Foundation
import Testing

@testable import EditorCore

/// The program `editor`, run as a process of its own.
struct EditorProcess {
  var status: Int32
  var output: String
  var errors: String

  /// The program, beside the tests in the folder of what was built.
  static let path: String = {
    let own: String =
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
    return URL(fileURLWithPath: own).deletingLastPathComponent().appendingPathComponent("editor")
      .path
  }()

  /// Runs it to its end.
  static func run(_ arguments: [String], input: String = "") throws -> EditorProcess {
    let folder = try TemporaryFolder()
    try Data(input.utf8).write(to: folder.url("in"))
    // Files instead of pipes: neither side can wait for the other.
    let process = try ChildProcess(
      path, arguments, input: .read(folder.path("in")), output: .write(folder.path("out")),
      errors: .write(folder.path("err")))
    let status: Int32 = process.wait()
    return EditorProcess(
      status: status,
      output: String(decoding: try Data(contentsOf: folder.url("out")), as: UTF8.self),
      errors: String(decoding: try Data(contentsOf: folder.url("err")), as: UTF8.self))
  }
}

/// A folder that is gone with the value.
final class TemporaryFolder {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("editor-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func url(_ name: String) -> URL { root.appendingPathComponent(name) }

  func path(_ name: String) -> String { url(name).path }
}

/// The lines that a pipe takes for these edits.
func lines(of transactions: some Sequence<EditingSession.Transaction>) throws -> String {
  try transactions.map { patches in
    let values: [[Any]] = patches.map { [$0.at, $0.delete, $0.insert] }
    let data: Data = try JSONSerialization.data(withJSONObject: ["patches": values])
    return String(decoding: data, as: UTF8.self) + "\n"
  }.joined()
}
