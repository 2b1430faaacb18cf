internal import Synchronization

/// The segments' files that a reader keeps open, so that a jump need not look up a name, and on a
/// cold disk the file's place, before it reads its block.
///
/// A file whose segment was removed or packed again stays readable as long as it is kept.
final class OpenSegments: Sendable {
  /// How many are kept: more than a search by halves goes back to, and few beside what a process may
  /// have open.
  static let most = 8

  /// The file that was asked for last stands last.
  private let files = Mutex<[any OpenFile]>([])

  /// The file at `path`, which is opened if it is not kept.
  func file(at path: String, in fileSystem: any FileSystem) throws(FileError) -> any OpenFile {
    let kept: (any OpenFile)? = files.withLock { files in
      guard let index = files.lastIndex(where: { $0.path == path }) else { return nil }
      let file = files.remove(at: index)
      files.append(file)
      return file
    }
    if let kept { return kept }
    let file = try fileSystem.open(path, .read)
    files.withLock { files in
      // Whoever reads in the one that goes has a reference of its own; the last one closes it.
      if files.count >= Self.most { files.removeFirst() }
      files.append(file)
    }
    return file
  }

  /// Lets a file go: under its name there is another by now.
  func forget(_ file: any OpenFile) {
    files.withLock { $0.removeAll { $0 === file } }
  }

  /// Lets go of all files but those at `paths`, so that the space of removed ones is free.
  func keep(only paths: Set<String>) {
    files.withLock { $0.removeAll { !paths.contains($0.path) } }
  }
}
