// The tree is edited in one of two ways: in place within one leaf, which is what typing does, or
// by cutting it in three and joining what is to stay with what is new. Cut and join follow the
// ropes of the xi editor: a join of trees of different heights walks down the flank of the higher
// one until their heights meet.

extension TextNode {
  /// Replaces a range of code points that exists by UTF-8.
  static func replace(
    _ root: inout TextNode, from lower: Int, to upper: Int, with inserted: UnsafeRawBufferPointer
  ) {
    if lower == upper && inserted.isEmpty { return }
    if inserted.count <= maximumLeaf,
      replaceInLeaf(&root, from: lower, to: upper, with: inserted, isRoot: true) != nil
    {
      return
    }
    let (left, rest) = split(root, at: lower)
    let (_, right) = split(rest, at: upper - lower)
    var joined: TextNode = left
    if !inserted.isEmpty { joined = join(joined, build(inserted)) }
    root = join(joined, right)
  }

  /// Edits in place where one leaf holds the whole range and stays of a proper size.
  ///
  /// - Returns: What was added and removed, or nil when nothing was done.
  private static func replaceInLeaf(
    _ node: inout TextNode, from lower: Int, to upper: Int, with inserted: UnsafeRawBufferPointer,
    isRoot: Bool
  ) -> (added: Size, removed: Size)? {
    makeUnique(&node)
    if node.height == 0 {
      let from: Int = node.offset(ofScalar: lower)
      let to: Int = node.offset(ofScalar: upper)
      let count: Int = node.leaf.count - (to - from) + inserted.count
      guard count <= maximumLeaf, isRoot || count >= minimumLeaf else { return nil }
      let removed: Size = node.leaf.withUnsafeBytes { bytes in
        Size(of: UnsafeRawBufferPointer(rebasing: bytes[from..<to]))
      }
      let added = Size(of: inserted)
      node.leaf.replaceSubrange(from..<to, with: inserted)
      node.size += added
      node.size -= removed
      return (added, removed)
    }
    let (index, position) = node.child(at: lower, leaningLeft: lower == upper)
    guard position + (upper - lower) <= node.children[index].size.scalars else { return nil }
    let change = replaceInLeaf(
      &node.children[index], from: position, to: position + (upper - lower), with: inserted,
      isRoot: false)
    if let change {
      node.size += change.added
      node.size -= change.removed
    }
    return change
  }

  /// A tree of any UTF-8, its leaves of even size.
  static func build(_ bytes: UnsafeRawBufferPointer) -> TextNode {
    if bytes.count <= maximumLeaf { return TextNode(leaf: Array(bytes)) }
    // Three bytes are left free so that a cut can be moved to the start of a code point.
    let room: Int = maximumLeaf - 3
    let leaves: Int = (bytes.count + room - 1) / room
    var nodes: [TextNode] = []
    nodes.reserveCapacity(leaves)
    var start = 0
    for number in 1...leaves {
      let end: Int = UTF8Bytes.aligned(evenCut(number, of: leaves, in: bytes.count), in: bytes)
      nodes.append(TextNode(leaf: Array(bytes[start..<end])))
      start = end
    }
    while nodes.count > 1 {
      let parents: Int = (nodes.count + maximumChildren - 1) / maximumChildren
      nodes = (1...parents).map { number in
        let start: Int = evenCut(number - 1, of: parents, in: nodes.count)
        let end: Int = evenCut(number, of: parents, in: nodes.count)
        return TextNode(children: Array(nodes[start..<end]))
      }
    }
    return nodes[0]
  }

  /// Where part `number` of `parts` parts of `count` things ends, all parts being of even size.
  private static func evenCut(_ number: Int, of parts: Int, in count: Int) -> Int {
    number * (count / parts) + min(number, count % parts)
  }

  /// The trees before and after a position.
  private static func split(_ node: TextNode, at position: Int) -> (TextNode, TextNode) {
    if position == 0 { return (TextNode(leaf: []), node) }
    if position == node.size.scalars { return (node, TextNode(leaf: [])) }
    if node.height == 0 {
      let offset: Int = node.offset(ofScalar: position)
      return (
        TextNode(leaf: Array(node.leaf[..<offset])), TextNode(leaf: Array(node.leaf[offset...]))
      )
    }
    let (index, inside) = node.child(at: position)
    var (left, right) = split(node.children[index], at: inside)
    if index > 0 { left = join(TextNode(children: Array(node.children[..<index])), left) }
    if index + 1 < node.children.count {
      right = join(right, TextNode(children: Array(node.children[(index + 1)...])))
    }
    return (left, right)
  }

  /// The tree of all that `left` holds and then all that `right` holds.
  private static func join(_ left: TextNode, _ right: TextNode) -> TextNode {
    if left.size.bytes == 0 { return right.withoutSingleChildren }
    if right.size.bytes == 0 { return left.withoutSingleChildren }
    if left.height < right.height {
      let rest: ArraySlice<TextNode> = right.children[1...]
      if left.height == right.height - 1, left.isFull {
        return parent(of: [left] + right.children)
      }
      let joined: TextNode = join(left, right.children[0])
      if joined.height == right.height { return parent(of: joined.children + rest) }
      return parent(of: [joined] + rest)
    }
    if left.height > right.height {
      let rest: ArraySlice<TextNode> = left.children.dropLast()
      if right.height == left.height - 1, right.isFull {
        return parent(of: left.children + [right])
      }
      let joined: TextNode = join(left.children[left.children.count - 1], right)
      if joined.height == left.height { return parent(of: rest + joined.children) }
      return parent(of: rest + [joined])
    }
    if left.height > 0 { return parent(of: left.children + right.children) }
    if left.isFull, right.isFull { return TextNode(children: [left, right]) }
    return (left.leaf + right.leaf).withUnsafeBytes { build($0) }
  }

  /// One node over all of `nodes`, or a node over two that share them.
  private static func parent(of nodes: [TextNode]) -> TextNode {
    if nodes.count == 1 { return nodes[0] }
    if nodes.count <= maximumChildren { return TextNode(children: nodes) }
    let middle: Int = nodes.count / 2
    return TextNode(children: [
      TextNode(children: Array(nodes[..<middle])), TextNode(children: Array(nodes[middle...])),
    ])
  }

  /// The node itself, or the first below it that has more than one child.
  private var withoutSingleChildren: TextNode {
    var node: TextNode = self
    while node.children.count == 1 { node = node.children[0] }
    return node
  }

  /// What is wrong with the tree, for tests.
  func faults(isRoot: Bool = true) -> [String] {
    if height == 0 {
      var faults: [String] = []
      if leaf.withUnsafeBytes({ Size(of: $0) }) != size { faults.append("a leaf's size is wrong") }
      if leaf.count > Self.maximumLeaf { faults.append("a leaf of \(leaf.count) bytes") }
      if !isRoot, !isFull { faults.append("a small leaf of \(leaf.count) bytes") }
      if let first = leaf.first, !UTF8Bytes.isStart(first) { faults.append("a cut code point") }
      return faults
    }
    var sum = Size()
    for child in children { sum += child.size }
    var faults: [String] = sum == size ? [] : ["a node's size is wrong"]
    if children.count > Self.maximumChildren { faults.append("\(children.count) children") }
    if children.count < (isRoot ? 2 : Self.minimumChildren) {
      faults.append("only \(children.count) children")
    }
    for child in children {
      if child.height != height - 1 { faults.append("a child of height \(child.height)") }
      faults += child.faults(isRoot: false)
    }
    return faults
  }
}
