extension RecordSchema {
  /// The parts of a type's values that can't be read back: each place where one may be, as
  /// `response.image` or `child.loaded`.
  ///
  /// Of an enum of actions, a path leads through the cases which can't be replayed. What has a
  /// placeholder is left out: errors of any type, of which a replay has what they said, and what is
  /// redacted. Below each case of the root, every type is looked into once.
  ///
  /// - Parameter root: The type in whose values to look; the schema's own where none is given.
  public func unreplayableParts(from root: TypeIndex = 0) -> [OpaqueValue] {
    guard case .enumeration(_, let cases) = types[root] else {
      return self.unreplayable([(root, "")])
    }
    return cases.flatMap { item in
      self.unreplayable(item.fields.map { ($0.type, item.step(to: $0, below: "")) })
    }
  }

  private func unreplayable(_ start: [(type: TypeIndex, path: String)]) -> [OpaqueValue] {
    var found: [OpaqueValue] = []
    var seen: Set<TypeIndex> = []
    var next = start
    // Breadth first, so that each type is found on its shortest path.
    var position = 0
    while position < next.count {
      let (type, path) = next[position]
      position += 1
      func below(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
      if case .opaque(let name, let reason) = types[type] {
        guard !types[type].isRedacted else { continue }
        found.append(OpaqueValue(path: path, type: name, reason: reason))
        continue
      }
      guard seen.insert(type).inserted else { continue }
      switch types[type] {
      case .primitive, .codable, .described, .opaque: break
      case .optional(let wrapped): next.append((wrapped, path))
      case .array(let element), .set(let element): next.append((element, path + "[]"))
      case .dictionary(let key, let value):
        next += [(key, path + "[key]"), (value, path + "[]")]
      case .structure(_, let fields): next += fields.map { ($0.type, below($0.name)) }
      case .enumeration(_, let cases):
        for item in cases {
          next += item.fields.map { ($0.type, item.step(to: $0, below: path)) }
        }
      }
    }
    return found
  }
}

extension RecordSchema.Case {
  /// The path of a value that comes with the case: a single one is where the case is.
  fileprivate func step(to field: RecordSchema.Field, below path: String) -> String {
    let step = path.isEmpty ? self.name : "\(path).\(self.name)"
    return self.fields.count == 1 ? step : "\(step).\(field.name)"
  }
}
