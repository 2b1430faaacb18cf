import SwiftSyntax

extension AttributeSyntax {
  /// The attribute's name without a module in front and without arguments.
  var lastName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    if let name = attributeName.as(IdentifierTypeSyntax.self) { return name.name.text }
    return attributeName.trimmedDescription
  }
}

extension AttributeListSyntax {
  /// The attributes' names, also of those under `#if`.
  var attributeNames: [String] {
    flatMap { element -> [String] in
      switch element {
      case .attribute(let attribute): return [attribute.lastName]
      case .ifConfigDecl(let config):
        return config.clauses.flatMap { clause -> [String] in
          guard case .attributes(let attributes) = clause.elements else { return [] }
          return attributes.attributeNames
        }
      default: return []
      }
    }
  }
}

extension AttributeListSyntax {
  /// Whether nothing can be made with the declaration.
  var marksUnavailable: Bool { marks("unavailable") }

  /// Whether using the declaration gives a warning.
  var marksDeprecated: Bool { marks("deprecated") }

  private func marks(_ word: String) -> Bool {
    contains { element in
      guard case .attribute(let attribute) = element, attribute.lastName == "available",
        case .availability(let arguments)? = attribute.arguments
      else { return false }
      return arguments.contains { argument in
        switch argument.argument {
        case .token(let token): token.text == word
        case .availabilityLabeledArgument(let labeled): labeled.label.text == word
        default: false
        }
      }
    }
  }
}

extension DeclGroupSyntax {
  /// Whether one of its members is deprecated, also under `#if`.
  var hasDeprecatedMembers: Bool {
    memberBlock.members.conditionalMembers { member -> [Bool] in
      [member.asProtocol((any WithAttributesSyntax).self)?.attributes.marksDeprecated ?? false]
    }.contains { $0.contains(true) }
  }

  /// The last names of what stands in the inheritance clause.
  var conformanceNames: [String] {
    (inheritanceClause?.inheritedTypes ?? []).map { inherited in
      var type = inherited.type
      if let attributed = type.as(AttributedTypeSyntax.self) { type = attributed.baseType }
      if let member = type.as(MemberTypeSyntax.self) { return member.name.text }
      if let name = type.as(IdentifierTypeSyntax.self) { return name.name.text }
      return type.trimmedDescription
    }
  }

  var suppressesCopying: Bool {
    (inheritanceClause?.inheritedTypes ?? []).contains {
      $0.type.as(SuppressedTypeSyntax.self)?.type.trimmedDescription == "Copyable"
    }
  }

  /// Whether the type is private to the type that it is nested in, when it is nested: an extension
  /// can't name it.
  var isPrivate: Bool {
    modifiers.contains { $0.name.text == "private" && $0.detail == nil }
  }

  var introducerText: String { introducer.text }

  var declaredName: String {
    asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
  }
}

extension String {
  /// The name without the backticks that a reserved word needs.
  var withoutBackticks: String { filter { $0 != "`" } }

  /// The name as a label, which needs backticks for the fewest words only, and is warned about with
  /// any others.
  var asLabel: String {
    ["`inout`", "`let`", "`var`"].contains(self) ? self : withoutBackticks
  }

  /// The name of a property wrapper's or an observed property's storage.
  var storageName: String { "_\(withoutBackticks)" }
}

/// Declarations in their order, with the `#if` that they stand under.
indirect enum ConditionalMember<Value> {
  case value(Value)
  /// `#if` and its branches, as text for each: `#if DEBUG`, `#elseif …`, `#else`.
  case conditional([(condition: String, members: [ConditionalMember])])

  /// Whether it is that value, or one under `#if` is.
  func contains(_ value: Value) -> Bool where Value: Equatable {
    switch self {
    case .value(let own): own == value
    case .conditional(let branches):
      branches.contains { $0.members.contains { $0.contains(value) } }
    }
  }

  /// Lines for each value, under the same conditions.
  func lines(_ text: (Value) -> [String]) -> [String] {
    switch self {
    case .value(let value): return text(value)
    case .conditional(let branches):
      return branches.flatMap { branch in
        [branch.condition] + branch.members.flatMap { $0.lines(text) }
      } + ["#endif"]
    }
  }
}

extension MemberBlockItemListSyntax {
  /// The values that `collect` finds in the members, also in those under `#if`.
  func conditionalMembers<Value>(
    _ collect: (DeclSyntax) -> [Value]
  ) -> [ConditionalMember<Value>] {
    flatMap { item -> [ConditionalMember<Value>] in
      guard let config = item.decl.as(IfConfigDeclSyntax.self) else {
        return collect(item.decl).map { .value($0) }
      }
      let branches = config.clauses.map { clause in
        var condition = clause.poundKeyword.text
        if let expression = clause.condition { condition += " \(expression.trimmedDescription)" }
        guard case .decls(let members) = clause.elements else {
          return (condition, [ConditionalMember<Value>]())
        }
        return (condition, members.conditionalMembers(collect))
      }
      return [.conditional(branches)]
    }
  }
}
