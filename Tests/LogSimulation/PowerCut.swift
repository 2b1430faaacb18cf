/// A disk at one moment: what is safe on it, and what is only on its way there.
package struct DiskMoment: Sendable {
  struct File {
    var disk: [UInt8]
    var current: [UInt8]
  }

  private let isMappingSafe: Bool
  private let tree: MemoryTree
  private let files: [ObjectIdentifier: File]

  init(_ fileSystem: MemoryFileSystem) {
    isMappingSafe = fileSystem.isMappingSafe(in: "/")
    tree = fileSystem.tree
    var files: [ObjectIdentifier: File] = [:]
    var nodes = Array(tree.current.files.values) + Array(tree.disk.files.values)
    for change in tree.pending {
      switch change {
      case .directory: break
      case .link(_, let node), .unlink(_, let node), .rename(_, _, let node),
        .move(_, _, let node):
        nodes.append(node)
      }
    }
    for node in nodes where files[ObjectIdentifier(node)] == nil {
      let image = node.image
      files[ObjectIdentifier(node)] = File(disk: image.disk, current: image.current)
    }
    self.files = files
  }

  /// What a loss of power left of a disk.
  package struct Remains {
    package var fileSystem: MemoryFileSystem
    /// Of all names and bytes.
    package var contentHash: UInt64
    /// Of which names, pages and sectors were kept: not changed by random numbers within them.
    package var shapeHash: UInt64
  }

  /// How much of what was not synced is kept, from nothing to all.
  private enum Luck: CaseIterable {
    case nothing, little, half, most, all

    var chance: Int {
      switch self {
      case .nothing: 0
      case .little: 100
      case .half: 500
      case .most: 900
      case .all: 1000
      }
    }
  }

  /// One of the many states that a loss of power may leave: any subset of the unsynced changes of
  /// names, and of the unsynced pages and sectors; the last of which may end at any byte.
  package func powerCut(_ generator: inout SeededGenerator) -> Remains {
    let namesLuck = Luck.allCases[generator.below(5)]
    var names = tree.disk
    var shape = StableHash()
    for change in tree.pending {
      if case .move(let path, let target, let node) = change {
        // A name in two directories, for a moment.
        if generator.chance(namesLuck.chance) {
          names.apply(.link(target, node))
          shape.add(1)
          if generator.chance(700) { names.apply(.unlink(path, node)) }
        }
      } else if generator.chance(namesLuck.chance) {
        names.apply(change)
        shape.add(2)
      } else {
        shape.add(3)
      }
    }
    names.prune()
    let result = MemoryFileSystem(losesPower: true, isMappingSafe: isMappingSafe)
    for directory in names.directories { result.put(directory: directory) }
    var content = StableHash()
    let pagesLuck = Luck.allCases[generator.below(5)]
    for (path, node) in names.files.sorted(by: { $0.key < $1.key }) {
      guard let file = files[ObjectIdentifier(node)] else { continue }
      shape.add(path)
      let bytes = file.left(pagesLuck.chance, &generator, &shape)
      content.add(path)
      content.add(bytes)
      result.put(path, bytes)
    }
    return Remains(
      fileSystem: result, contentHash: content.value, shapeHash: shape.value)
  }
}

extension DiskMoment.File {
  private static let sectorSize = 512

  /// The file's bytes where each page, or each sector of a page, is kept or not.
  fileprivate func left(
    _ chance: Int, _ generator: inout SeededGenerator, _ shape: inout StableHash
  ) -> [UInt8] {
    if disk == current {
      shape.add(4)
      return disk
    }
    let count = size(chance, &generator)
    shape.add(UInt64(count))
    var bytes = [UInt8](repeating: 0, count: count)
    let page = MemoryNode.pageSize
    var start = 0
    while start < count {
      let end = min(start + page, count)
      let isTorn = generator.chance(250)
      let step = isTorn ? Self.sectorSize : page
      var keep = generator.chance(chance)
      var at = start
      while at < end {
        let stop = min(at + step, end)
        if isTorn { keep = generator.chance(chance) }
        // A write that was cut short may end anywhere.
        let boundary = isTorn && generator.chance(50) ? at + generator.below(stop - at) : stop
        copy(keep ? current : disk, at..<boundary, to: &bytes)
        copy(keep ? disk : current, boundary..<stop, to: &bytes)
        if differs(at..<stop) {
          shape.add(UInt64(at) << 16 | UInt64(stop - boundary) << 1 | (keep ? 1 : 0))
        }
        at = stop
      }
      start = end
    }
    return bytes
  }

  /// The size that is left: the old, the new, or one between them.
  private func size(_ chance: Int, _ generator: inout SeededGenerator) -> Int {
    if current.count <= disk.count { return disk.count }
    if generator.chance(100) { return disk.count + generator.below(current.count - disk.count) }
    return generator.chance(chance) ? current.count : disk.count
  }

  private func copy(_ source: [UInt8], _ range: Range<Int>, to bytes: inout [UInt8]) {
    let end = min(range.upperBound, source.count)
    if range.lowerBound >= end { return }
    bytes.replaceSubrange(range.lowerBound..<end, with: source[range.lowerBound..<end])
  }

  private func differs(_ range: Range<Int>) -> Bool {
    let old = disk.dropFirst(range.lowerBound).prefix(range.count)
    let new = current.dropFirst(range.lowerBound).prefix(range.count)
    return !old.elementsEqual(new)
  }
}

extension MemoryFileSystem {
  /// The disk at this moment; from an observer, at the moment before its change.
  package var moment: DiskMoment { DiskMoment(self) }
}
