/// A tree of any value, for people, as its mirror shows it: of values that have no form in bytes.
///
/// What it is made of and can be recorded is shown as a record has it, so that nothing comes to light
/// that is marked `@Redacted`.
package struct OpaqueDump {
  /// The most values of which one is made that are looked at.
  static let nodeLimit = 1_000
  /// The most levels: what is nested more deeply is shown by its type alone.
  static let depthLimit = 8

  private indirect enum Content {
    /// What can be recorded.
    case record(RecordValue, RecordSchema)
    case structure([(name: String, node: Node)])
    case enumeration(label: String, [(name: String, node: Node)])
    case array([Node])
    /// By texts of the keys.
    case dictionary([(key: String, node: Node)])
    /// The type alone.
    case name
  }

  private struct Node {
    var type: String
    var content: Content
  }

  private var nodesLeft = Self.nodeLimit
  /// The objects that are being looked at: one may lead back to itself.
  private var objects: Set<ObjectIdentifier> = []

  private init() {}

  /// The text of a value in one line.
  ///
  /// - Parameters:
  ///   - path: Where it stands in what was recorded.
  ///   - type: Its type as the schema spells it.
  ///   - redaction: Asked for the value, and for each part of it.
  ///   - byteLimit: The most UTF-8 bytes of the text, the `…` at the end of a longer one included.
  /// - Returns: `nil` where nothing may be shown.
  package static func text(
    of value: Any, at path: [RecordPath.Component], type: String, redaction: RecordRedaction?,
    byteLimit: Int
  ) -> String? {
    var dump = OpaqueDump()
    var node = dump.node(of: value, 0)
    node.type = type
    let tree = Self.tree(of: node, path, redaction)
    if case .opaque(_, RecordSchema.redactedReason) = tree { return nil }
    return cut(tree.text(limit: byteLimit), to: byteLimit)
  }

  // MARK: - Looking

  private mutating func node(of value: Any, _ depth: Int) -> Node {
    let type = recordedName(of: Swift.type(of: value))
    self.nodesLeft -= 1
    guard self.nodesLeft > 0, depth < Self.depthLimit else {
      return Node(type: type, content: .name)
    }
    if let value = value as? any Recordable {
      return Node(type: type, content: Self.record(of: value) ?? .name)
    }
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional {
      guard let child = mirror.children.first else {
        return Node(type: type, content: .record(.null, RecordSchema(of: Bool?.self)))
      }
      return self.node(of: child.value, depth + 1)
    }
    guard mirror.displayStyle == .class else {
      // A tuple has no name.
      return Node(
        type: mirror.displayStyle == .tuple ? "" : type,
        content: self.content(of: value, mirror, depth + 1))
    }
    let object = ObjectIdentifier(value as AnyObject)
    guard self.objects.insert(object).inserted else { return Node(type: type, content: .name) }
    defer { self.objects.remove(object) }
    return Node(type: type, content: self.content(of: value, mirror, depth + 1))
  }

  private static func record<Value: Recordable>(of value: Value) -> Content? {
    let schema = RecordSchema(of: Value.self)
    guard let bytes = try? RecordWriter.bytes(of: value),
      let tree = try? RecordValue(bytes, schema: schema)
    else { return nil }
    return .record(tree, schema)
  }

  private mutating func content(of value: Any, _ mirror: Mirror, _ depth: Int) -> Content {
    switch mirror.displayStyle {
    case .struct, .class, .tuple:
      return .structure(self.fields(of: mirror, depth))
    case .enum:
      guard let child = mirror.children.first else {
        // A text of the type's own may be any.
        return value is any CustomStringConvertible
          ? .name : .enumeration(label: String(describing: value), [])
      }
      let payload = Mirror(reflecting: child.value)
      let fields =
        payload.displayStyle == .tuple
        ? self.fields(of: payload, depth) : [("_0", self.node(of: child.value, depth))]
      return .enumeration(label: child.label ?? "", fields)
    case .collection:
      return .array(self.elements(of: mirror).map { self.node(of: $0, depth) })
    case .set:
      // In an order that is the same in every process.
      let nodes = self.elements(of: mirror).map { element in
        let node = self.node(of: element, depth)
        return (text: Self.tree(of: node, [], nil).text(limit: 200), node: node)
      }
      return .array(nodes.sorted { $0.text < $1.text }.map(\.node))
    case .dictionary:
      return .dictionary(
        self.elements(of: mirror).compactMap { element in
          let pair = Array(Mirror(reflecting: element).children)
          guard pair.count == 2 else { return nil }
          let key = self.node(of: pair[0].value, depth)
          let tree = Self.tree(of: key, [], nil)
          let text = if case .string(let text) = tree { text } else { tree.text(limit: 40) }
          return (text, self.node(of: pair[1].value, depth))
        }.sorted { $0.key < $1.key })
    default:
      return .name
    }
  }

  /// The elements of a collection, no more than may be looked at.
  private func elements(of mirror: Mirror) -> [Any] {
    mirror.children.prefix(max(self.nodesLeft, 0)).map(\.value)
  }

  private mutating func fields(
    of mirror: Mirror, _ depth: Int
  ) -> [(name: String, node: Node)] {
    var fields: [(name: String, node: Node)] = []
    var next: Mirror? = mirror
    while let mirror = next, self.nodesLeft > 0 {
      next = mirror.superclassMirror
      let own = mirror.children.enumerated().map { index, child in
        (Self.name(child.label, index), self.node(of: child.value, depth))
      }
      fields = own + fields
    }
    return fields
  }

  /// The name of a property: that of its storage without the mark of a wrapper, the place of a
  /// tuple's element.
  private static func name(_ label: String?, _ index: Int) -> String {
    guard let label, !label.hasPrefix(".") else { return "_\(index)" }
    return label.hasPrefix("_") ? String(label.dropFirst()) : label
  }

  // MARK: - Showing

  /// What may be shown of a value, as far as the redaction keeps it.
  private static func tree(
    of node: Node, _ path: [RecordPath.Component], _ redaction: RecordRedaction?
  ) -> RecordValue {
    func child(_ node: Node, _ step: RecordPath.Component) -> RecordValue {
      self.tree(of: node, path + [step], redaction)
    }
    if let redaction {
      if case .record(let tree, let schema) = node.content {
        return redaction.redacted(tree, schema, at: path)
      }
      // The whole first, as it would be shown, and then its parts.
      let whole = self.tree(of: node, path, nil)
      guard redaction.keeps(whole, of: node.type, at: path) else {
        return .opaque(name: node.type, reason: RecordSchema.redactedReason)
      }
    }
    switch node.content {
    case .record(let tree, _): return tree
    case .structure(let fields):
      return .structure(
        name: node.type, fields: fields.map { .init($0.name, child($0.node, .name($0.name))) })
    case .enumeration(let label, let fields):
      return .enumeration(
        name: node.type, case: label,
        fields: fields.map { .init($0.name, child($0.node, .name($0.name))) })
    case .array(let nodes):
      return .array(nodes.enumerated().map { child($0.element, .index($0.offset)) })
    case .dictionary(let entries):
      return .dictionary(
        entries.map { entry in
          let step = RecordPath.Component.key(entry.key)
          let isKept =
            redaction?.keeps(.string(entry.key), of: "String", at: path + [step]) ?? true
          return .init(.string(isKept ? entry.key : "redacted"), child(entry.node, step))
        })
    case .name: return .opaque(name: node.type, reason: "It is shown by its type alone.")
    }
  }

  /// A text of no more than so many bytes.
  private static func cut(_ text: String, to limit: Int) -> String {
    guard text.utf8.count > limit else { return text }
    var cut = ""
    for character in text {
      guard cut.utf8.count + character.utf8.count + "…".utf8.count <= limit else { break }
      cut.append(character)
    }
    return cut + "…"
  }
}
