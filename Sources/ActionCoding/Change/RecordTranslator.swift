/// Makes of a value's bytes those that today's type would have written.
struct RecordTranslator {
  private let plan: RecordPlan
  private let writer: RecordValueWriter
  private var scanner: RecordScanner
  private var output = RecordOutput()
  private var depth = 0

  init(_ plan: RecordPlan) {
    self.plan = plan
    self.writer = RecordValueWriter(plan.current, plan.migrations, written: plan.written)
    self.scanner = RecordScanner(plan.written, bytes: 0)
  }

  /// The bytes for the value at the reader's position, behind which the reader is then.
  static func translate(
    _ plan: RecordPlan, from reader: inout RecordReader
  ) throws(RecordDecodingError) -> [UInt8] {
    var translator = RecordTranslator(plan)
    translator.scanner.allow(bytes: reader.remaining)
    do throws(RecordDecodingError) {
      try translator.translate(0, &reader)
      return translator.output.bytes
    } catch {
      throw error.at(offset: reader.offset).atRoot
    }
  }

  private mutating func translate(
    _ place: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let node = self.plan.nodes[place]
    if node.isIdentical { return try self.copy(node.written, &reader) }
    self.depth += 1
    guard self.depth <= RecordScanner.depthLimit else {
      throw reader.error(
        "Values are nested deeper than the \(RecordScanner.depthLimit) levels allowed.")
    }
    try self.translate(node, &reader)
    self.depth -= 1
  }

  private mutating func translate(
    _ node: RecordPlan.Node, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    switch node.step {
    case .copy: try self.copy(node.written, &reader)
    case .number(_, let primitive): try self.convert(node, to: primitive, &reader)
    case .optional(let inner): try self.translateOptional(node, inner, &reader)
    case .wrap(let inner): try self.wrap(node.written, inner, &reader)
    case .unwrap(let inner):
      guard try Bool(from: &reader) else {
        throw reader.error(RecordResolution.reasonForNil(self.plan.current, node.current))
      }
      try self.translate(inner, &reader)
    case .array(let inner): self.output.put(elements: try self.elements(inner, &reader))
    case .set(let inner): self.output.put(elements: try self.elements(inner, &reader).sortedOnce)
    case .dictionary(let key, let value): try self.translateEntries(key, value, &reader)
    case .structure(let fields): try self.translate(fields, &reader)
    case .enumeration(let cases): try self.translateCase(cases, node, &reader)
    case .value(let name): try self.rewrite(node, named: name, &reader)
    case .omit: try self.scanner.skip(node.written, &reader)
    case .replace(let bytes):
      try self.scanner.skip(node.written, &reader)
      self.output.put(raw: bytes)
    case .impossible(let reason): throw reader.error(reason)
    }
  }

  // MARK: - Values

  private mutating func copy(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let start = reader.cursor
    try self.scanner.skip(type, &reader)
    self.output.put(raw: UnsafeRawBufferPointer(start: start, count: reader.cursor - start))
  }

  private mutating func convert(
    _ node: RecordPlan.Node, to primitive: RecordSchema.Primitive, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let value = try self.value(node.written, &reader)
    guard try self.output.put(value, as: primitive) else {
      throw reader.error(
        """
        The number \(value) of the recording's type \
        '\(self.plan.written.spelling(of: node.written))' does not fit into \
        '\(self.plan.current.spelling(of: node.current))'. \
        \(RecordResolution.advice(renaming: nil))
        """)
    }
  }

  private mutating func rewrite(
    _ node: RecordPlan.Node, named name: String?, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let value = try self.value(node.written, &reader)
    try self.writer.write(
      value, as: node.current, named: name, depth: self.depth, to: &self.output)
  }

  private func value(
    _ type: RecordSchema.TypeIndex, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> RecordValue {
    var values = RecordValueReader(schema: self.plan.written)
    return try values.read(&reader, as: type)
  }

  private mutating func translateOptional(
    _ node: RecordPlan.Node, _ inner: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    guard try Bool(from: &reader) else { return self.output.put(byte: 0) }
    try self.wrap(self.plan.nodes[inner].written, inner, &reader)
  }

  /// Translates a value as the content of an optional, which is nil where the value is dropped.
  private mutating func wrap(
    _ written: RecordSchema.TypeIndex, _ inner: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let count = self.output.count
    self.output.put(byte: 1)
    guard !(try self.translateUnlessDropped(inner, &reader)) else { return }
    self.output.cut(to: count)
    self.output.put(byte: 0)
  }

  /// Translates a value, and says whether it is there; the reader is behind it in any case.
  private mutating func translateUnlessDropped(
    _ place: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> Bool {
    var start = reader
    let depth = self.depth
    do throws(RecordDecodingError) {
      try self.translate(place, &reader)
      return true
    } catch {
      guard error.isDropped else { throw error }
      self.depth = depth
      try self.scanner.skip(self.plan.nodes[place].written, &start)
      reader = start
      return false
    }
  }

  // MARK: - Collections

  /// The bytes of one translated value alone; nil where it is dropped.
  private mutating func part(
    _ place: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> [UInt8]? {
    let outer = self.output
    self.output = RecordOutput()
    defer { self.output = outer }
    return try self.translateUnlessDropped(place, &reader) ? self.output.bytes : nil
  }

  private mutating func elements(
    _ inner: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) -> [[UInt8]] {
    let count = try reader.getCount()
    let from = reader.offset
    var elements: [[UInt8]] = []
    for index in 0..<count {
      do throws(RecordDecodingError) {
        if let element = try self.part(inner, &reader) { elements.append(element) }
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    try reader.skipPadding(count, from: from)
    return elements
  }

  private mutating func translateEntries(
    _ key: Int, _ value: Int, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let count = try reader.getCount()
    let from = reader.offset
    var pairs: [RecordPair] = []
    for index in 0..<count {
      do throws(RecordDecodingError) {
        let key = try self.part(key, &reader)
        let value = try self.part(value, &reader)
        if let key, let value { pairs.append(RecordPair(key: key, value: value)) }
      } catch {
        throw error.inside("[\(index)]")
      }
    }
    try reader.skipPadding(count, from: from)
    try self.output.put(pairs: pairs)
  }

  // MARK: - Fields

  private mutating func translateCase(
    _ cases: [RecordPlan.Case], _ node: RecordPlan.Node, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    let number = try reader.getCase()
    let found =
      number < UInt64(cases.count) && cases[Int(number)].written.index == number
      ? cases[Int(number)] : cases.first { $0.written.index == number }
    guard let found else {
      throw reader.unknownCase(number, of: self.plan.written.spelling(of: node.written))
    }
    guard let index = found.index else {
      throw reader.error(
        RecordResolution.reasonForCase(
          found.written.name, of: self.plan.current.spelling(of: node.current)))
    }
    self.output.put(varint: index)
    do throws(RecordDecodingError) {
      try self.translate(found.fields, &reader)
    } catch {
      throw error.inside(".\(found.written.name)")
    }
  }

  private mutating func translate(
    _ fields: RecordPlan.Fields, _ reader: inout RecordReader
  ) throws(RecordDecodingError) {
    // Where each written field begins is known once what stands before it has been passed.
    var starts: [RecordReader] = []
    var behind = reader
    if !fields.isOrdered {
      for field in fields.written {
        starts.append(behind)
        try self.scanner.skip(field.type, &behind)
      }
    }
    var next = 0
    for source in fields.sources {
      switch source {
      case .new(let bytes): self.output.put(raw: bytes)
      case .missing(let name, let reason): throw reader.error(reason).inside(".\(name)")
      case .written(let place, let node):
        do throws(RecordDecodingError) {
          if fields.isOrdered {
            while next < place {
              try self.scanner.skip(fields.written[next].type, &reader)
              next += 1
            }
            try self.translate(node, &reader)
            next += 1
          } else {
            var field = starts[place]
            try self.translate(node, &field)
          }
        } catch {
          throw error.inside(".\(fields.written[place].name)")
        }
      }
    }
    guard fields.isOrdered else {
      reader = behind
      return
    }
    while next < fields.written.count {
      try self.scanner.skip(fields.written[next].type, &reader)
      next += 1
    }
  }
}
