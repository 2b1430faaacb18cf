import SwiftSyntax

/// What the members of an enum's and a struct's conformance have in common.
struct RecordableTarget {
  /// The type's name with its nesting, as spelled in the source.
  let name: String
  /// What stands before each member: `nonisolated`, and the access that the protocol asks for.
  let modifiers: String
  /// `generic: ` in types with generic parameters, of their own or of those around them.
  let label: String
  /// The type's `@available` attributes, each on a line.
  let availability: String

  init(
    declaration: some DeclGroupSyntax, type: some TypeSyntaxProtocol, lexicalContext: [Syntax]
  ) {
    let isGeneric = ([Syntax(declaration)] + lexicalContext).contains { scope in
      scope.asProtocol((any WithGenericParametersSyntax).self)?.genericParameterClause != nil
    }
    label = isGeneric ? "generic: " : ""
    name = type.trimmedDescription.filter { $0 != "`" }
    let access = declaration.modifiers.lazy.map(\.name.text).first {
      $0 == "public" || $0 == "package"
    }
    // What is deprecated itself may use what is deprecated, without a warning.
    let isDeprecated =
      !declaration.attributes.marksDeprecated && declaration.hasDeprecatedMembers
    modifiers =
      (isDeprecated ? "@available(*, deprecated)\n" : "") + "nonisolated "
      + (access.map { "\($0) " } ?? "")
    availability = declaration.attributes.compactMap { element in
      guard case .attribute(let attribute) = element, attribute.lastName == "available" else {
        return nil
      }
      return attribute.trimmedDescription + "\n"
    }.joined()
  }

  func encode(_ body: [String]) -> String {
    """
      \(modifiers)func encode(
        to writer: inout ActionCoding.RecordWriter
      ) throws(ActionCoding.RecordOverflow) {
    \(body.joined(separator: "\n"))
      }
    """
  }

  func decode(_ body: [String]) -> String {
    """
      \(modifiers)init(
        from reader: inout ActionCoding.RecordReader
      ) throws(ActionCoding.RecordDecodingError) {
    \(body.joined(separator: "\n"))
      }
    """
  }

  func define(_ body: [String]) -> String {
    """
      \(modifiers)static func recordDefinition(
        in schema: inout ActionCoding.RecordSchemaBuilder
      ) -> ActionCoding.RecordSchema.Definition {
    \(body.joined(separator: "\n"))
      }
    """
  }
}

extension RecordableTarget {
  /// Conformances which say that a nested type is no value of a feature.
  private static let excludedConformances: Set<String> = [
    "Recordable", "Reducer", "CaseReducer", "DependencyKey", "TestDependencyKey", "CodingKey",
    "View", "ViewModifier", "App", "Scene",
  ]

  /// Whether a type nested in a recordable one gets the macro too.
  ///
  /// `@Reducer` asks the same for the types nested in a feature.
  static func wantsRecordable(_ member: some DeclSyntaxProtocol) -> Bool {
    guard member.is(EnumDeclSyntax.self) || member.is(StructDeclSyntax.self),
      let group = member.asProtocol((any DeclGroupSyntax).self)
    else { return false }
    let attributes = group.attributes.attributeNames
    guard !attributes.contains(where: { $0.hasSuffix("Recordable") || $0 == "Reducer" }) else {
      return false
    }
    return !group.isPrivate && !group.suppressesCopying
      && excludedConformances.isDisjoint(with: group.conformanceNames)
  }
}
