/// Finds what a plan does to the values that a log has.
struct RecordVerdictWalk {
  private let plan: RecordPlan
  private let usage: RecordUsage?
  private var seen: Set<Int> = []
  private var findings: [RecordVerdict.Finding] = []

  init(_ plan: RecordPlan, _ usage: RecordUsage?) {
    self.plan = plan
    self.usage = usage
  }

  mutating func verdict() -> RecordVerdict {
    self.visit(0, "")
    return RecordVerdict(findings: self.findings)
  }

  private mutating func add(
    _ kind: RecordVerdict.Finding.Kind, _ path: String, _ reason: String
  ) {
    self.findings.append(
      .init(kind, path: path.hasPrefix(".") ? String(path.dropFirst()) : path, reason: reason))
  }

  private mutating func visit(_ place: Int, _ path: String) {
    let node = self.plan.nodes[place]
    guard !node.isIdentical, self.usage?.uses(node.written) ?? true else { return }
    // What can't be read is told at each place, since each is one to be seen to.
    if case .impossible(let reason) = node.step { return self.add(.impossible, path, reason) }
    guard self.seen.insert(place).inserted else { return }
    switch node.step {
    case .copy, .replace, .impossible: break
    case .number(let then, let now): self.visitNumber(then, now, path)
    case .optional(let inner): if self.isPresent(node.written) { self.visit(inner, path) }
    case .wrap(let inner): self.visit(inner, path)
    case .unwrap(let inner): self.visitUnwrapped(node, inner, path)
    case .array(let inner), .set(let inner):
      if self.isPresent(node.written) { self.visit(inner, path + "[]") }
    case .dictionary(let key, let value):
      guard self.isPresent(node.written) else { break }
      self.visit(key, path + "[key]")
      self.visit(value, path + "[]")
    case .structure(let fields): self.visit(fields, path)
    case .enumeration(let cases): self.visit(cases, node, path)
    case .value(let name): self.visitValue(node, name, path)
    case .omit: self.visitOmitted(node, path)
    }
  }

  private func isPresent(_ type: RecordSchema.TypeIndex) -> Bool {
    self.usage?.uses(type, isPresent: true) ?? true
  }

  private mutating func visitNumber(
    _ then: RecordSchema.Primitive, _ now: RecordSchema.Primitive, _ path: String
  ) {
    guard !now.holds(all: then) else { return }
    self.add(
      .checked, path,
      "It is of type '\(now.spelling)', and not every '\(then.spelling)' of the recording fits.")
  }

  private mutating func visitUnwrapped(
    _ node: RecordPlan.Node, _ inner: Int, _ path: String
  ) {
    if self.usage?.uses(node.written, isPresent: false) ?? true {
      let type = self.plan.current.spelling(of: node.current)
      self.add(.checked, path, "It is of type '\(type)', and may be nil in the recording.")
    }
    if self.isPresent(node.written) { self.visit(inner, path) }
  }

  private mutating func visitValue(_ node: RecordPlan.Node, _ name: String?, _ path: String) {
    if let name, !self.plan.migrations.rewrites(of: name).isEmpty {
      return self.add(.checked, path, "A migration rewrites the values of '\(name)'.")
    }
    let then = self.plan.written.spelling(of: node.written)
    let now = self.plan.current.spelling(of: node.current)
    self.add(
      .checked, path, "It is of type '\(now)', was '\(then)' in the recording, and is read by name."
    )
  }

  private mutating func visitOmitted(_ node: RecordPlan.Node, _ path: String) {
    guard case .opaque(let name, let reason) = self.plan.current.types[node.current] else { return }
    if self.plan.current.types[node.current].isRedacted {
      self.add(.lossy, path, "It is redacted now: a placeholder stands for what was recorded.")
    } else {
      self.add(
        .impossible, path, "A value of '\(name)' can't be read from a record any more: \(reason)")
    }
  }

  private mutating func visit(
    _ cases: [RecordPlan.Case], _ node: RecordPlan.Node, _ path: String
  ) {
    for item in cases where self.usage?.uses(node.written, case: item.written.index) ?? true {
      let step = "\(path).\(item.written.name)"
      if item.index == nil {
        let type = self.plan.current.spelling(of: node.current)
        self.add(
          .impossible, step, RecordResolution.reasonForCase(item.written.name, of: type))
      } else {
        self.visit(item.fields, step)
      }
    }
  }

  private mutating func visit(_ fields: RecordPlan.Fields, _ path: String) {
    for source in fields.sources {
      switch source {
      case .new: break
      case .missing(let name, let reason): self.add(.impossible, "\(path).\(name)", reason)
      case .written(let place, let node):
        self.visit(node, "\(path).\(fields.written[place].name)")
      }
    }
    let used = Set(fields.places)
    for (index, field) in fields.written.enumerated() where !used.contains(index) {
      if case .opaque = self.plan.written.types[field.type] { continue }
      self.add(.lossy, "\(path).\(field.name)", "The recording has it, and today's type does not.")
    }
  }
}
