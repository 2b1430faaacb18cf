import SwiftSyntax

/// The conformance of a struct: its stored properties, in their order.
struct RecordableStruct {
  private struct Property {
    let name: String
    /// Where its value is: the property itself, or what a wrapper or another macro keeps it in.
    let storage: String
    let shape: RecordableShape
    /// A `let` with a default value, to which nothing can be assigned.
    let isConstant: Bool
    let isRedacted: Bool
    /// The source of the default value, where it is a literal.
    let literal: String?
  }

  private let target: RecordableTarget
  private let properties: [ConditionalMember<Property>]

  init(_ declaration: StructDeclSyntax, target: RecordableTarget) {
    self.target = target
    let isObservable = declaration.attributes.attributeNames.contains("ObservableState")
    properties = declaration.memberBlock.members.conditionalMembers { member in
      Self.properties(of: member, isObservable: isObservable)
    }
  }

  var members: [String] {
    [
      target.encode(
        properties.flatMap {
          $0.lines { property in
            guard !property.isRedacted else { return [] }
            return ["do {"] + property.shape.put("self.\(property.storage)", "field", target.label)
              + ["}"]
          }
        }),
      target.decode(properties.flatMap { $0.lines(decode) }),
      target.define(defineBody),
    ]
  }

  private func decode(_ property: Property) -> [String] {
    let storage = "self.\(property.storage)"
    if property.isConstant {
      guard !property.isRedacted else { return [] }
      return ["do {"]
        + property.shape.check(storage, "field", name: property.name, target.label) + ["}"]
    }
    if property.isRedacted, let literal = property.literal { return ["\(storage) = \(literal)"] }
    let type = property.shape.typed("type", type(of: property))
    let code = property.shape.get(
      "value", type: type.value, target.label, isRedacted: property.isRedacted)
    return ["do {"] + type.statements + code.statements + ["\(storage) = \(code.value)", "}"]
  }

  private var defineBody: [String] {
    guard !properties.isEmpty else {
      return ["return .structure(name: \"\(target.name)\", fields: [])"]
    }
    return ["var fields: [ActionCoding.RecordSchema.Field] = []"]
      + properties.flatMap { $0.lines(define) }
      + ["return .structure(name: \"\(target.name)\", fields: fields)"]
  }

  private func define(_ property: Property) -> [String] {
    let type = property.shape.typed("type", type(of: property))
    let code = property.shape.schema(
      "type", type: type.value, target.label, isRedacted: property.isRedacted)
    let constant = property.isConstant ? ", isConstant: true" : ""
    let standard = property.isRedacted ? "" : property.literal.map { ", default: \($0)" } ?? ""
    return ["do {"] + type.statements + code.statements
      + ["fields.append(.init(\"\(property.name)\", \(code.value)\(constant)\(standard)))", "}"]
  }

  /// The type of a property, taken from reading it: a macro can't spell what is inferred.
  private func type(of property: Property) -> String {
    "ActionCoding.RecordFieldType { (root: Self) in root.\(property.storage) }"
  }

  // MARK: - Stored properties

  /// Attributes with a capital letter that are no property wrappers.
  private static let plainAttributes: Set<String> = [
    "MainActor", "ObservationStateIgnored", "ObservationIgnored", "ObservationTracked", "Redacted",
  ]

  private static func properties(of member: DeclSyntax, isObservable: Bool) -> [Property] {
    guard let variable = member.as(VariableDeclSyntax.self),
      !variable.modifiers.contains(where: {
        ["static", "class", "lazy"].contains($0.name.text)
      })
    else { return [] }
    let attributes = variable.attributes.attributeNames
    let isRedacted = attributes.contains("Redacted")
    let isConstant = variable.bindingSpecifier.tokenKind == .keyword(.let)
    let isWrapped = attributes.contains {
      $0.first?.isUppercase == true && !plainAttributes.contains($0)
    }
    // Only properties with a name of their own are observed, not the parts of a pattern.
    let isTracked =
      isObservable && !isConstant && !attributes.contains("ObservationStateIgnored")
      && variable.bindings.allSatisfy { $0.pattern.is(IdentifierPatternSyntax.self) }
    let bindings = Array(variable.bindings)
    return bindings.indices.flatMap { index -> [Property] in
      let binding = bindings[index]
      guard !binding.isComputed else { return [] }
      // In `var a, b: Int` the type stands once, at the end.
      let annotation = bindings[index...].lazy.compactMap(\.typeAnnotation).first
      let isInitialized = binding.initializer != nil
      let names = binding.pattern.identifiers
      let shape: RecordableShape
      if names.count > 1 || binding.pattern.is(TuplePatternSyntax.self) {
        shape = .value
      } else if let annotation {
        shape = RecordableShape(annotation.type)
      } else {
        shape = RecordableShape(inferredFrom: binding.initializer?.value)
      }
      // A literal is the value of the property itself, and not of what a wrapper stores.
      let hasLiteral = !isWrapped && binding.pattern.is(IdentifierPatternSyntax.self)
      let literal = hasLiteral ? binding.initializer?.value.recordedLiteral : nil
      return names.map { name in
        let isConstant = isConstant && isInitialized
        return Property(
          name: name.withoutBackticks,
          storage: isWrapped || isTracked ? name.storageName : name,
          shape: isWrapped ? .value : isConstant || isRedacted ? shape.whole : shape,
          isConstant: isConstant, isRedacted: isRedacted, literal: literal)
      }
    }
  }
}

extension PatternBindingSyntax {
  /// Whether the property has no storage: observers alone leave it its storage.
  var isComputed: Bool {
    switch accessorBlock?.accessors {
    case .getter: true
    case .accessors(let accessors):
      accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
    default: false
    }
  }
}

extension PatternSyntax {
  /// The names that a pattern binds: more than one in `let (a, b) = …`.
  fileprivate var identifiers: [String] {
    if let name = self.as(IdentifierPatternSyntax.self) { return [name.identifier.text] }
    if let tuple = self.as(TuplePatternSyntax.self) {
      return tuple.elements.flatMap(\.pattern.identifiers)
    }
    return []
  }
}
