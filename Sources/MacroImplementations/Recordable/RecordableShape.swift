import SwiftSyntax

/// The shape of a field's type as far as syntax tells it.
///
/// Tuples have no conformances and are taken apart. So is a `Result`, whose failure mostly is
/// `any Error` and would make an opaque value of the success as well. Everything else is left to the
/// compiler.
indirect enum RecordableShape {
  case value
  case tuple([(label: String?, shape: RecordableShape)])
  case result(success: RecordableShape, failure: RecordableShape)

  init(_ type: TypeSyntax?) {
    self = .value
    if let tuple = type?.as(TupleTypeSyntax.self) {
      let elements = tuple.elements
      if elements.count == 1, let only = elements.first {
        self.init(only.type)
      } else {
        self = .tuple(
          elements.map { element in
            let label = element.firstName?.text
            return (label == "_" ? nil : label?.asLabel, RecordableShape(element.type))
          })
      }
    } else if let (name, arguments) = type?.standardName {
      if name == "Void" { self = .tuple([]) }
      if name == "Result", arguments.count == 2 {
        self = .result(
          success: RecordableShape(arguments[0]), failure: RecordableShape(arguments[1]))
      }
    }
  }

  /// The shape of a property whose type is inferred from its default value.
  init(inferredFrom expression: ExprSyntax?) {
    guard let tuple = expression?.as(TupleExprSyntax.self) else {
      self = .value
      return
    }
    if tuple.elements.count == 1, let only = tuple.elements.first {
      self.init(inferredFrom: only.expression)
    } else {
      self = .tuple(
        tuple.elements.map {
          ($0.label?.text.asLabel, RecordableShape(inferredFrom: $0.expression))
        })
    }
  }

  /// Whether there is nothing in it, as in `Void`.
  var isEmpty: Bool {
    switch self {
    case .value, .result: false
    case .tuple(let elements): elements.allSatisfy(\.shape.isEmpty)
    }
  }

  // MARK: - Statements and expressions

  /// Statements that write the value that an expression gives.
  ///
  /// The field is a constant first, so that its type is that of the value alone: in one expression
  /// with the call, the value could be converted to suit another overload.
  func put(_ value: String, _ name: String, _ label: String) -> [String] {
    switch self {
    case .value:
      return [
        "let \(name) = ActionCoding.RecordField(\(value))", "try writer.put(\(label)\(name))",
      ]
    case .tuple(let elements):
      return elements.enumerated().flatMap { index, element in
        element.shape.put("\(value).\(index)", "\(name)_\(index)", label)
      }
    case .result(let success, let failure):
      return ["switch \(value) {"]
        + ["case .success(\(success.isEmpty ? "_" : "let value")):", "try writer.put(byte: 0)"]
        + success.put("value", "field", label)
        + ["case .failure(let value):", "try writer.put(byte: 1)"]
        + failure.put("value", "field", label)
        + ["}"]
    }
  }

  /// Statements that read the value, and an expression that then gives it.
  ///
  /// `type` names its type. The type of a part is a constant first, for the same reason as a field.
  func get(
    _ name: String, type: String, _ label: String, isRedacted: Bool = false
  ) -> RecordableCode {
    switch self {
    case .value:
      return RecordableCode(
        value: isRedacted
          ? "try reader.getRedacted(\(type))" : "try reader.get(\(label)\(type))")
    case .tuple(let elements):
      var code = RecordableCode(value: "")
      let values = elements.enumerated().map { index, element in
        let part = element.shape.typed("\(name)_\(index)Type", "\(type).part { $0.\(index) }")
        let inner = element.shape.get(
          "\(name)_\(index)", type: part.value, label, isRedacted: isRedacted
        )
        .named("\(name)_\(index)")
        code.statements += part.statements + inner.statements
        return (element.label.map { "\($0): " } ?? "") + inner.value
      }
      code.value = "(\(values.joined(separator: ", ")))"
      return code
    case .result(let success, let failure):
      return RecordableCode(
        ["let \(name) = try reader.getResult(\(type), success: {"]
          + success.closure(type: "\(type).success()", label) + ["}, failure: {"]
          + failure.closure(type: "\(type).failure()", label) + ["})"],
        value: name)
    }
  }

  /// The inside of a closure that reads the value of a case of a `Result`.
  private func closure(type: String, _ label: String) -> [String] {
    let head =
      "(reader: inout ActionCoding.RecordReader) throws(ActionCoding.RecordDecodingError) in"
    let type = typed("valueType", type)
    let code = get("value", type: type.value, label)
    return [head] + type.statements + code.statements + ["return \(code.value)"]
  }

  /// The constant that holds the type which an expression gives, unless nothing asks for it.
  func typed(_ name: String, _ type: String) -> RecordableCode {
    isEmpty ? RecordableCode(value: name) : RecordableCode(["let \(name) = \(type)"], value: name)
  }

  /// Statements that compare a constant, which an expression gives, with what was recorded.
  func check(_ value: String, _ field: String, name: String, _ label: String) -> [String] {
    switch self {
    case .value, .result:
      return [
        "let \(field) = ActionCoding.RecordField(\(value))",
        "try reader.check(\(label)\(field), \"\(name)\")",
      ]
    case .tuple(let elements):
      return elements.enumerated().flatMap { index, element in
        element.shape.check("\(value).\(index)", "\(field)_\(index)", name: name, label)
      }
    }
  }

  /// The shape of what is compared as a whole where it is a `Result`, or not written at all.
  var whole: RecordableShape {
    switch self {
    case .value, .result: .value
    case .tuple(let elements): .tuple(elements.map { ($0.label, $0.shape.whole) })
    }
  }

  /// Statements after which an expression gives the place of the type in the schema.
  func schema(
    _ name: String, type: String, _ label: String, isRedacted: Bool = false
  ) -> RecordableCode {
    switch self {
    case .value:
      return RecordableCode(
        value: isRedacted ? "schema.redacted(\(type))" : "schema.type(\(label)\(type))")
    case .tuple(let elements):
      var code = RecordableCode(value: "")
      let parts = elements.enumerated().map { index, element in
        let part = element.shape.typed("\(name)_\(index)", "\(type).part { $0.\(index) }")
        let inner = element.shape.schema(
          "\(name)_\(index)", type: part.value, label, isRedacted: isRedacted)
        code.statements += part.statements + inner.statements
        return "(\"\(element.label?.withoutBackticks ?? "_\(index)")\", \(inner.value))"
      }
      code.value = "schema.tuple([\(parts.joined(separator: ", "))])"
      return code
    case .result(let success, let failure):
      var code = RecordableCode(value: "")
      let sides = [("success", success), ("failure", failure)].map { side, shape in
        let part = shape.typed("\(name)_\(side)", "\(type).\(side)()")
        let inner = shape.schema("\(name)_\(side)", type: part.value, label)
        code.statements += part.statements + inner.statements
        return inner.value
      }
      code.value = "schema.result(\(sides.joined(separator: ", ")))"
      return code
    }
  }
}

/// Statements, and an expression that is valid after them.
struct RecordableCode {
  var statements: [String]
  var value: String

  init(_ statements: [String] = [], value: String) {
    self.statements = statements
    self.value = value
  }

  /// The same with a constant for the expression, unless it is a name or an empty tuple.
  func named(_ name: String) -> RecordableCode {
    guard value.hasPrefix("try ") else { return self }
    return RecordableCode(statements + ["let \(name) = \(value)"], value: name)
  }
}

extension TypeSyntax {
  /// The name and the arguments of a type that is spelled without a module, or with `Swift.`.
  fileprivate var standardName: (name: String, arguments: [TypeSyntax])? {
    let name: TokenSyntax
    let clause: GenericArgumentClauseSyntax?
    if let type = self.as(IdentifierTypeSyntax.self) {
      (name, clause) = (type.name, type.genericArgumentClause)
    } else if let type = self.as(MemberTypeSyntax.self),
      type.baseType.trimmedDescription == "Swift"
    {
      (name, clause) = (type.name, type.genericArgumentClause)
    } else {
      return nil
    }
    let arguments = (clause?.arguments ?? []).compactMap { argument -> TypeSyntax? in
      guard case .type(let type) = argument.argument else { return nil }
      return type
    }
    return (name.text, arguments)
  }
}
