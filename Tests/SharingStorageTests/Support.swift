import Dependencies
import Foundation
import Sharing
import Testing

/// What the tests keep in files.
struct User: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var name: String

  static let blob = User(id: 1, name: "Blob")
  static let junior = User(id: 2, name: "Blob Jr.")
  static let senior = User(id: 3, name: "Blob Sr.")
}

/// Waits until something holds that other threads bring about; fails after 30 seconds.
func eventually(
  _ holds: () throws -> Bool, sourceLocation: SourceLocation = #_sourceLocation
) async throws {
  for _ in 0..<3_000 {
    if try holds() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("It never came to hold", sourceLocation: sourceLocation)
}

/// A few moments, in which what must not happen would happen if it did.
func aWhile() async throws {
  try await Task.sleep(for: .milliseconds(200))
}

/// Runs a test with files on disk, and user defaults in memory as ever.
func onDisk<R>(_ operation: () async throws -> R) async rethrows -> R {
  try await withDependencies {
    $0.defaultFileStorage = .fileSystem
  } operation: {
    try await operation()
  }
}

extension URL {
  /// The users that the file holds, `nil` when it does not hold users.
  var users: [User]? {
    try? JSONDecoder().decode([User].self, from: Data(contentsOf: self))
  }

  /// The file's content, `nil` when there is none.
  var content: Data? {
    try? Data(contentsOf: self)
  }
}
