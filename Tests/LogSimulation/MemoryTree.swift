/// The names of a disk in memory: as programs see them, and as the disk has them.
struct MemoryTree {
  /// A change of names that the disk does not have yet.
  enum Change {
    case directory(String)
    case link(String, MemoryNode)
    case unlink(String, MemoryNode)
    case rename(String, String, MemoryNode)
    /// Out of one directory into another: the disk never has the second half alone.
    case move(String, String, MemoryNode)

    /// The directories whose names change.
    var parents: [String] {
      switch self {
      case .directory(let path), .link(let path, _), .unlink(let path, _):
        [MemoryTree.parent(path)]
      case .rename(let path, _, _): [MemoryTree.parent(path)]
      case .move(let path, let target, _): [MemoryTree.parent(path), MemoryTree.parent(target)]
      }
    }
  }

  struct Names {
    var files: [String: MemoryNode] = [:]
    var directories: Set<String> = ["/"]

    mutating func apply(_ change: Change) {
      switch change {
      case .directory(let path): directories.insert(path)
      case .link(let path, let node): files[path] = node
      case .unlink(let path, let node):
        if files[path] === node { files[path] = nil }
      case .rename(let path, let target, let node), .move(let path, let target, let node):
        if files[path] === node { files[path] = nil }
        files[target] = node
      }
    }

    /// Takes away what lies in directories that are not there.
    mutating func prune() {
      while let orphan = directories.first(where: {
        $0 != "/" && !directories.contains(MemoryTree.parent($0))
      }) {
        directories.remove(orphan)
      }
      files = files.filter { directories.contains(MemoryTree.parent($0.key)) }
    }
  }

  var current = Names()
  var disk = Names()
  var pending: [Change] = []

  static func parent(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { return "/" }
    return String(path[..<slash])
  }

  static func name(_ path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return path }
    return String(path[path.index(after: slash)...])
  }

  mutating func apply(_ change: Change, losesPower: Bool) {
    current.apply(change)
    if losesPower { pending.append(change) } else { disk.apply(change) }
  }

  /// Brings the names in a directory to the disk.
  mutating func sync(_ directory: String) {
    let changes = pending
    pending.removeAll()
    for change in changes {
      if change.parents.contains(directory) { disk.apply(change) } else { pending.append(change) }
    }
  }
}
