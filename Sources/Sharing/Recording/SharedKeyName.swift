internal import Foundation

/// What a key is called in a log: the same in every process.
package struct SharedKeyName: Hashable, Sendable {
  /// The type of the key, as `AppStorageKey<Double>`.
  package var type: String
  /// How the key describes itself, as `.appStorage("fontSize")`.
  package var key: String

  package init(type: String, key: String) {
    self.type = type
    self.key = key
  }

  init<Key: SharedReaderKey>(_ key: Key) {
    // The qualified name of a private type holds an address.
    self.type = _typeName((key as? any DefaultingKey)?.baseType ?? Key.self, qualified: false)
    self.key = Self.description(of: key)
  }

  private static func description<Key: SharedReaderKey>(of key: Key) -> String {
    if let key = key as? any RecordedKey { return key.recordedDescription }
    if key is any CustomStringConvertible { return String(describing: key) }
    return String(describing: key.id)
  }
}

/// A key whose description is not the same for everybody.
protocol RecordedKey {
  var recordedDescription: String { get }
}

extension _SharedKeyDefault: RecordedKey {
  var recordedDescription: String { SharedKeyName(base).key }
}

extension FileStorageKey: RecordedKey {
  /// As the key describes itself, with the folders that are others for each user by their names.
  var recordedDescription: String {
    let folders: [(String, URL)] = [
      ("documents", .documentsDirectory), ("caches", .cachesDirectory),
      ("applicationSupport", .applicationSupportDirectory),
      ("temporary", FileManager.default.temporaryDirectory),
      ("home", FileManager.default.homeDirectoryForCurrentUser),
    ]
    for (name, folder) in folders {
      let prefix: String = folder.path.hasSuffix("/") ? folder.path : folder.path + "/"
      guard url.isFileURL, url.path.hasPrefix(prefix) else { continue }
      return ".fileStorage(<\(name)>/\(url.path.dropFirst(prefix.count)))"
    }
    return description
  }
}
