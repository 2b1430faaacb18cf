import Foundation
import Testing

@testable import EditorCore

/// A recorded editing session: what was typed, and the text that came of it.
struct EditingSession {
  typealias Transaction = [Editor.Patch]

  var transactions: [Transaction]
  var end: String

  enum Failure: Error { case unreadable(String) }

  /// Reads a session, packed by gzip or not.
  init(file: URL) throws {
    let data: Data =
      file.pathExtension == "gz" ? try Self.unpacked(file) : try Data(contentsOf: file)
    guard let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
      let start = object["startContent"] as? String, let end = object["endContent"] as? String,
      let transactions = object["txns"] as? [[String: Any]], start.isEmpty
    else { throw Failure.unreadable("\(file.path) is no session that starts with an empty text") }
    self.end = end
    self.transactions = try transactions.map { transaction in
      guard let patches = transaction["patches"] as? [[Any]] else {
        throw Failure.unreadable("\(file.path): a transaction has no patches")
      }
      return try patches.map { patch in
        guard patch.count == 3, let at = patch[0] as? Int, let delete = patch[1] as? Int,
          let insert = patch[2] as? String
        else { throw Failure.unreadable("\(file.path): a patch is not [at, delete, insert]") }
        return Editor.Patch(at: at, delete: delete, insert: insert)
      }
    }
  }

  private static func unpacked(_ file: URL) throws -> Data {
    let folder = try TemporaryFolder()
    let status: Int32 = try ChildProcess(
      "gzip", ["-dc", file.path], output: .write(folder.path("out"))
    ).wait()
    guard status == 0 else { throw Failure.unreadable("gzip can't unpack \(file.path)") }
    return try Data(contentsOf: folder.url("out"))
  }

  /// The sessions that come with the project.
  static var own: [URL] {
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Fixtures/sessions")
    return [fixtures.appendingPathComponent("many-scripts.json")]
  }

  /// The folder that `RETRACE_SESSIONS` names, or nil where it is not set.
  static var folder: String? {
    ProcessInfo.processInfo.environment["RETRACE_SESSIONS"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The sessions in the folder.
  static func real() throws -> [URL] {
    guard let folder else { return [] }
    let names: [String] = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json.gz") || $0.hasSuffix(".json") }.sorted()
    guard !names.isEmpty else {
      throw Failure.unreadable("RETRACE_SESSIONS names \(folder), which holds no sessions")
    }
    return names.map { URL(fileURLWithPath: folder).appendingPathComponent($0) }
  }

  /// What a skipped test says.
  static let isMissing: Comment =
    "RETRACE_SESSIONS is not set: it names the folder of the real editing sessions"
}
