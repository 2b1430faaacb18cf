/// A node of the tree behind ``TextBuffer``: a leaf of UTF-8, or the parent of nodes.
///
/// All leaves have the same depth. A node is changed only while one reference to it exists, so
/// that texts can be passed between threads although nodes are mutable.
final class TextNode: @unchecked Sendable {
  /// What a node holds, summed over its leaves.
  struct Size: Equatable {
    var bytes = 0
    var scalars = 0
    var lineFeeds = 0

    init() {}

    init(of leaf: UnsafeRawBufferPointer) {
      bytes = leaf.count
      scalars = UTF8Bytes.scalars(in: leaf)
      for byte in leaf where byte == 0x0A { lineFeeds += 1 }
    }

    static func += (left: inout Size, right: Size) {
      left.bytes += right.bytes
      left.scalars += right.scalars
      left.lineFeeds += right.lineFeeds
    }

    static func -= (left: inout Size, right: Size) {
      left.bytes -= right.bytes
      left.scalars -= right.scalars
      left.lineFeeds -= right.lineFeeds
    }
  }

  /// The greatest leaf, in bytes: its copy costs about as much as the walk to it.
  static let maximumLeaf = 1024
  /// The smallest leaf, unless it is the root. Halves of a full leaf may miss the middle by the
  /// three bytes that keep a code point whole.
  static let minimumLeaf = maximumLeaf / 2 - 4
  /// The most children: the walk through them stays within a few cache lines.
  static let maximumChildren = 16
  /// The fewest children, unless it is the root.
  static let minimumChildren = maximumChildren / 2

  /// 0 for a leaf.
  let height: Int
  var size: Size
  var leaf: [UInt8]
  var children: [TextNode]

  init(leaf: [UInt8]) {
    height = 0
    size = leaf.withUnsafeBytes { Size(of: $0) }
    self.leaf = leaf
    children = []
  }

  /// A parent of at least one node; all have the same height.
  init(children: [TextNode]) {
    height = children[0].height + 1
    size = Size()
    for child in children { size += child.size }
    leaf = []
    self.children = children
  }

  private init(copy node: TextNode) {
    height = node.height
    size = node.size
    leaf = node.leaf
    children = node.children
  }

  /// Whether it may be a child as it is.
  var isFull: Bool {
    height == 0 ? leaf.count >= Self.minimumLeaf : children.count >= Self.minimumChildren
  }

  static func makeUnique(_ node: inout TextNode) {
    if !isKnownUniquelyReferenced(&node) { node = TextNode(copy: node) }
  }

  /// The byte at which the code point number `position` of this leaf starts.
  func offset(ofScalar position: Int) -> Int {
    if size.bytes == size.scalars || position == 0 { return position }
    if position == size.scalars { return size.bytes }
    return leaf.withUnsafeBytes { bytes in
      var left: Int = position
      var index = 0
      while true {
        if UTF8Bytes.isStart(bytes[index]) {
          if left == 0 { return index }
          left -= 1
        }
        index += 1
      }
    }
  }

  /// The child that holds the code point number `position`, and the number of it there.
  ///
  /// A position between two children belongs to the left one where `leaning` says so.
  func child(
    at position: Int, leaningLeft: Bool = false
  ) -> (index: Int, position: Int) {
    var position = position
    let last: Int = children.count - 1
    for index in 0..<last {
      let scalars: Int = children[index].size.scalars
      if position < scalars || (leaningLeft && position == scalars) { return (index, position) }
      position -= scalars
    }
    return (last, position)
  }
}

// MARK: - Reading

extension TextNode {
  /// The code point at a position that exists.
  func scalar(at position: Int) -> Unicode.Scalar {
    var node: TextNode = self
    var position = position
    while node.height > 0 {
      let (index, inside) = node.child(at: position)
      node = node.children[index]
      position = inside
    }
    let offset: Int = node.offset(ofScalar: position)
    return node.leaf.withUnsafeBytes { UTF8Bytes.scalar(in: $0, at: offset).scalar }
  }

  /// The UTF-8 of the code points in a range that exists.
  func bytes(from lower: Int, to upper: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    if lower == 0, upper == size.scalars { bytes.reserveCapacity(size.bytes) }
    append(from: lower, to: upper, to: &bytes)
    return bytes
  }

  private func append(from lower: Int, to upper: Int, to bytes: inout [UInt8]) {
    if height == 0 {
      bytes += leaf[offset(ofScalar: lower)..<offset(ofScalar: upper)]
      return
    }
    var start = 0
    for child in children {
      let end: Int = start + child.size.scalars
      if end > lower, start < upper {
        child.append(from: max(lower - start, 0), to: min(upper, end) - start, to: &bytes)
      }
      if end >= upper { return }
      start = end
    }
  }

  func forEachLeaf(_ body: ([UInt8]) throws -> Void) rethrows {
    if height == 0 { return try body(leaf) }
    for child in children { try child.forEachLeaf(body) }
  }

  /// The number of line feeds before a position.
  func lineFeeds(before position: Int) -> Int {
    var node: TextNode = self
    var position = position
    var found = 0
    while node.height > 0 {
      let (index, inside) = node.child(at: position)
      for child in node.children[..<index] { found += child.size.lineFeeds }
      node = node.children[index]
      position = inside
    }
    for byte in node.leaf[..<node.offset(ofScalar: position)] where byte == 0x0A { found += 1 }
    return found
  }

  /// The position behind the line feed number `number`, counted from 1, which must exist.
  func position(afterLineFeed number: Int) -> Int {
    var node: TextNode = self
    var left: Int = number
    var position = 0
    while node.height > 0 {
      var index = 0
      while node.children[index].size.lineFeeds < left {
        left -= node.children[index].size.lineFeeds
        position += node.children[index].size.scalars
        index += 1
      }
      node = node.children[index]
    }
    for byte in node.leaf {
      if UTF8Bytes.isStart(byte) { position += 1 }
      if byte == 0x0A {
        left -= 1
        if left == 0 { break }
      }
    }
    return position
  }
}
