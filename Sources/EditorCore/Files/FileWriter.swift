package import ComposableArchitecture

/// Writes a text to a file.
package struct FileWriter: Sendable {
  package typealias Write =
    @Sendable (_ text: TextBuffer, _ path: String) async throws(FileWriterError) -> Int

  /// Writes the text to the path and answers with the number of bytes written.
  ///
  /// The file then holds all of the text, or what it held before where an error is thrown.
  package var write: Write

  package init(write: @escaping Write) {
    self.write = write
  }
}

/// Why a file could not be written.
package struct FileWriterError: Error, Equatable, CustomStringConvertible {
  package var path: String
  /// What could not be done, and why.
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }

  package var description: String { "\(path) was not saved: \(reason)." }
}

extension FileWriter: DependencyKey {
  package static let liveValue = FileWriter { text, path throws(FileWriterError) in
    try FileReplacement.replace(path, with: text)
    return text.utf8Count
  }

  package static let testValue = FileWriter { _, path throws(FileWriterError) in
    throw FileWriterError(path: path, reason: "this test has no file writer")
  }
}

extension DependencyValues {
  package var fileWriter: FileWriter {
    get { self[FileWriter.self] }
    set { self[FileWriter.self] = newValue }
  }
}
