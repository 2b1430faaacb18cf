/// What becomes of the values of each type of a written schema under today's, worked out once.
struct RecordPlan: Sendable {
  struct Node: Sendable {
    let written: RecordSchema.TypeIndex
    let current: RecordSchema.TypeIndex
    var step: Step
    /// Whether the bytes stay as they are.
    var isIdentical = true
    /// Whether no value can be read.
    var isImpossible = false
  }

  /// How the bytes of a value become those of a value of today's type. Numbers are places of nodes.
  enum Step: Sendable {
    /// As they are.
    case copy
    case number(RecordSchema.Primitive, RecordSchema.Primitive)
    case optional(Int)
    /// The value, as one that is there.
    case wrap(Int)
    /// The value that has to be there.
    case unwrap(Int)
    case array(Int)
    case set(Int)
    case dictionary(key: Int, value: Int)
    case structure(Fields)
    case enumeration([Case])
    /// By way of a value without a type; a migration that rewrites it knows it by the name.
    case value(name: String?)
    /// Passed over: today's type has no bytes.
    case omit
    /// Passed over, and these bytes for it.
    case replace([UInt8])
    case impossible(String)
  }

  struct Fields: Sendable {
    let written: [RecordSchema.Field]
    /// One for each of today's fields.
    let sources: [Source]

    enum Source: Sendable {
      /// The written field at a place, by a node.
      case written(Int, node: Int)
      /// It is new, and these are its bytes.
      case new([UInt8])
      /// It is new, and nothing is known that it could be.
      case missing(name: String, reason: String)
    }

    /// The places of the written fields that are used, in today's order.
    var places: [Int] {
      self.sources.compactMap { if case .written(let place, _) = $0 { place } else { nil } }
    }

    /// Whether they are in the order in which they were written.
    private(set) var isOrdered = true

    init(written: [RecordSchema.Field], sources: [Source]) {
      self.written = written
      self.sources = sources
      let places = self.places
      self.isOrdered = zip(places, places.dropFirst()).allSatisfy { $0 < $1 }
    }
  }

  struct Case: Sendable {
    let written: RecordSchema.Case
    /// The number and name that it has today; nil where it is gone.
    let index: UInt64?
    let name: String
    let fields: Fields
  }

  let written: RecordSchema
  let current: RecordSchema
  let migrations: RecordMigrations
  var nodes: [Node] = []
  private var places: [Pair: Int] = [:]

  private struct Pair: Hashable {
    var written: RecordSchema.TypeIndex
    var current: RecordSchema.TypeIndex
  }

  init(from written: RecordSchema, to current: RecordSchema, _ migrations: RecordMigrations) {
    self.written = written
    self.current = current
    self.migrations = migrations
    _ = self.node(0, 0, depth: 0)
    self.findIdentical()
    self.findImpossible()
  }

  // MARK: - Pairs of types

  /// How deeply types may be nested: a schema that was read may be damaged.
  private static let depthLimit = 2 * RecordSchemaBuilder.depthLimit

  private mutating func node(
    _ written: RecordSchema.TypeIndex, _ current: RecordSchema.TypeIndex, depth: Int
  ) -> Int {
    let pair = Pair(written: written, current: current)
    if let place = self.places[pair] { return place }
    let place = self.nodes.count
    self.places[pair] = place
    self.nodes.append(Node(written: written, current: current, step: .copy))
    self.nodes[place].step =
      depth < Self.depthLimit
      ? self.step(written, current, depth + 1)
      : .impossible("Its types are nested deeper than \(Self.depthLimit) levels.")
    return place
  }

  private mutating func step(
    _ written: RecordSchema.TypeIndex, _ current: RecordSchema.TypeIndex, _ depth: Int
  ) -> Step {
    let then = self.written.types[written]
    let now = self.current.types[current]
    if let name = then.name, !self.migrations.rewrites(of: name).isEmpty {
      return .value(name: name)
    }
    switch (then, now) {
    case (.opaque, .opaque): return .copy
    case (_, .opaque): return .omit
    case (.opaque(let name, let reason), _):
      return self.stepForAbsent(name, reason, isRedacted: then.isRedacted, current)
    case (.optional(let then), .optional(let now)):
      // What becomes optional once more is there, and may be nil.
      guard self.current.levels(of: current) <= self.written.levels(of: written) else {
        return .wrap(self.node(written, now, depth: depth))
      }
      return .optional(self.node(then, now, depth: depth))
    // Whether an optional is there is in the bytes of `Codable` code too.
    case (.codable, .optional), (.optional, .codable): return .value(name: then.name)
    case (_, .optional(let now)): return .wrap(self.node(written, now, depth: depth))
    case (.optional(let then), _): return .unwrap(self.node(then, current, depth: depth))
    case (.codable(let name), .codable):
      return self.migrations.renamesFields(of: name) ? .value(name: name) : .copy
    case (.described, .described): return .copy
    case (.described, _): return self.mismatch(written, current)
    case (.codable, _), (_, .codable), (_, .described): return .value(name: then.name)
    case (.primitive(let then), .primitive(let now)):
      if then == now { return .copy }
      guard then.isNumber, now.isNumber else { return self.mismatch(written, current) }
      return .number(then, now)
    case (.array(let then), .array(let now)), (.set(let then), .array(let now)):
      return .array(self.node(then, now, depth: depth))
    case (.set(let then), .set(let now)), (.array(let then), .set(let now)):
      return .set(self.node(then, now, depth: depth))
    case (.dictionary(let thenKey, let then), .dictionary(let nowKey, let now)):
      let key = self.node(thenKey, nowKey, depth: depth)
      return .dictionary(key: key, value: self.node(then, now, depth: depth))
    case (.structure(let name, let then), .structure(let own, let now)):
      return .structure(self.fields(then, of: name, now, of: own, depth))
    case (.enumeration(let name, let then), .enumeration(let own, let now)):
      return self.step(then, of: name, now, of: own, depth)
    default: return self.mismatch(written, current)
    }
  }

  private mutating func fields(
    _ then: [RecordSchema.Field], of name: String, _ now: [RecordSchema.Field], of own: String,
    _ depth: Int
  ) -> Fields {
    let names = self.migrations.fields(then.map(\.name), of: name)
    let writer = RecordValueWriter(self.current)
    let matches = RecordSchema.match(now.map(\.name), names)
    let sources = zip(now, matches).map { field, match -> Fields.Source in
      if let match {
        return .written(match, node: self.node(then[match].type, field.type, depth: depth))
      }
      do throws(RecordDecodingError) {
        return .new(try writer.missing(field, of: own))
      } catch {
        return .missing(name: field.name, reason: error.message)
      }
    }
    return Fields(written: then, sources: sources)
  }

  private mutating func step(
    _ then: [RecordSchema.Case], of name: String, _ now: [RecordSchema.Case], of own: String,
    _ depth: Int
  ) -> Step {
    let names = self.migrations.cases(then.map(\.name), of: name)
    return .enumeration(
      zip(then, names).map { item, label in
        let match = now.first { $0.name == label }
        let fields =
          match.map { self.fields(item.fields, of: name, $0.fields, of: own, depth) }
          ?? Fields(written: item.fields, sources: [])
        return Case(written: item, index: match?.index, name: label, fields: fields)
      })
  }

  /// What becomes of a value that is not in the record.
  private func stepForAbsent(
    _ name: String, _ reason: String, isRedacted: Bool, _ current: RecordSchema.TypeIndex
  ) -> Step {
    guard isRedacted else {
      return .impossible("A value of '\(name)' is not in the record: \(reason)")
    }
    guard let bytes = RecordPlaceholders(self.current).bytes(of: current) else {
      return .impossible(
        """
        It is redacted, and no value of '\(self.current.spelling(of: current))' can stand in for it.
        """)
    }
    return .replace(bytes)
  }

  private func mismatch(
    _ written: RecordSchema.TypeIndex, _ current: RecordSchema.TypeIndex
  ) -> Step {
    .impossible(
      RecordResolution.reasonForMismatch(
        self.written.spelling(of: written), self.current.spelling(of: current)))
  }

  // MARK: - What holds for whole types

  /// Recursive types are identical as long as nothing says that they are not.
  private mutating func findIdentical() {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for index in self.nodes.indices.reversed() where self.nodes[index].isIdentical {
        guard !self.isIdentical(self.nodes[index]) else { continue }
        self.nodes[index].isIdentical = false
        hasChanged = true
      }
    }
  }

  private func isIdentical(_ node: Node) -> Bool {
    func isIdentical(_ place: Int) -> Bool { self.nodes[place].isIdentical }
    switch node.step {
    case .copy: return true
    case .optional(let inner): return isIdentical(inner)
    case .array(let inner): return isIdentical(inner)
    case .set(let inner):
      guard case .set = self.written.types[node.written] else { return false }
      return isIdentical(inner)
    case .dictionary(let key, let value): return isIdentical(key) && isIdentical(value)
    case .structure(let fields): return self.isIdentical(fields)
    case .enumeration(let cases):
      return cases.allSatisfy { $0.index == $0.written.index && self.isIdentical($0.fields) }
    default: return false
    }
  }

  private func isIdentical(_ fields: Fields) -> Bool {
    guard fields.sources.count == fields.written.count, fields.isOrdered else { return false }
    return fields.sources.allSatisfy {
      guard case .written(_, let node) = $0 else { return false }
      return self.nodes[node].isIdentical
    }
  }

  private mutating func findImpossible() {
    var hasChanged = true
    while hasChanged {
      hasChanged = false
      for index in self.nodes.indices.reversed() where !self.nodes[index].isImpossible {
        guard self.isImpossible(self.nodes[index]) else { continue }
        self.nodes[index].isImpossible = true
        hasChanged = true
      }
    }
  }

  private func isImpossible(_ node: Node) -> Bool {
    switch node.step {
    case .impossible: true
    case .wrap(let inner), .unwrap(let inner): self.nodes[inner].isImpossible
    case .structure(let fields): self.isImpossible(fields)
    case .enumeration(let cases):
      !cases.isEmpty && cases.allSatisfy { $0.index == nil || self.isImpossible($0.fields) }
    default: false
    }
  }

  private func isImpossible(_ fields: Fields) -> Bool {
    fields.sources.contains {
      switch $0 {
      case .written(_, let node): self.nodes[node].isImpossible
      case .new: false
      case .missing: true
      }
    }
  }
}

extension RecordSchema {
  /// How many optionals are around what is in them.
  fileprivate func levels(of type: TypeIndex) -> Int {
    var type = type
    var count = 0
    while case .optional(let wrapped) = self.types[type], count < RecordSchemaBuilder.depthLimit {
      type = wrapped
      count += 1
    }
    return count
  }
}

extension RecordSchema.Definition {
  /// The type's name in the source, where it has one.
  var name: String? {
    switch self {
    case .structure(let name, _): name.isEmpty ? nil : name
    case .enumeration(let name, _), .codable(let name), .described(let name, _),
      .opaque(let name, _):
      name
    default: nil
    }
  }
}
