import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Perceptible`: the registrar of a class, and observed properties.
enum PerceptibleMacro {}

extension PerceptibleMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    // The one conformance brings the other. None is asked for where a superclass has it.
    guard declaration.is(ClassDeclSyntax.self),
      protocols.contains(where: { $0.lastName == "Perceptible" }),
      !declaration.inheritanceClause.inherits("Perceptible")
    else { return [] }
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \
      nonisolated Perception.Perceptible {}
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }
}

extension PerceptibleMacro: MemberMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(ClassDeclSyntax.self) else {
      let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
      context.diagnose(
        declaration.introducer,
        "'@Perceptible' cannot be applied to \(declaration.introducer.text) type '\(name)'"
      )
      return []
    }
    let name: String = declaration.name.trimmedDescription
    return [
      """
      @Perception.PerceptionIgnored
      private let _$perceptionRegistrar = Perception.PerceptionRegistrar()
      """,
      """
      internal nonisolated func access<_$Member>(
        keyPath: Swift.KeyPath<\(raw: name), _$Member>,
        fileID: Swift.StaticString = #fileID,
        filePath: Swift.StaticString = #filePath,
        line: Swift.UInt = #line,
        column: Swift.UInt = #column
      ) {
        _$perceptionRegistrar.access(
          self, keyPath: keyPath, fileID: fileID, filePath: filePath, line: line, column: column)
      }
      """,
      """
      internal nonisolated func withMutation<_$Member, _$MutationResult>(
        keyPath: Swift.KeyPath<\(raw: name), _$Member>,
        _ mutation: () throws -> _$MutationResult
      ) rethrows -> _$MutationResult {
        try _$perceptionRegistrar.withMutation(of: self, keyPath: keyPath, mutation)
      }
      """,
    ] + shouldNotifyObservers
  }

  /// Whether an assignment is told to the observers: overload resolution picks by what the
  /// property's type can do.
  private static var shouldNotifyObservers: [DeclSyntax] {
    [
      """
      private nonisolated func shouldNotifyObservers<_$Member>(
        _ lhs: _$Member, _ rhs: _$Member
      ) -> Bool { true }
      """,
      """
      private nonisolated func shouldNotifyObservers<_$Member: Swift.Equatable>(
        _ lhs: _$Member, _ rhs: _$Member
      ) -> Bool { lhs != rhs }
      """,
      """
      private nonisolated func shouldNotifyObservers<_$Member: AnyObject>(
        _ lhs: _$Member, _ rhs: _$Member
      ) -> Bool { lhs !== rhs }
      """,
      """
      private nonisolated func shouldNotifyObservers<_$Member: Swift.Equatable & AnyObject>(
        _ lhs: _$Member, _ rhs: _$Member
      ) -> Bool { lhs != rhs }
      """,
    ]
  }
}

extension PerceptibleMacro: MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard declaration.is(ClassDeclSyntax.self),
      let property = member.as(VariableDeclSyntax.self), property.isObservable
    else { return [] }
    let marks = [
      "PerceptionIgnored", "PerceptionTracked", "ObservationIgnored", "ObservationTracked",
    ]
    guard !marks.contains(where: property.attributes.hasAttribute) else { return [] }
    return ["@Perception.PerceptionTracked"]
  }
}

/// `@PerceptionIgnored`: a mark that `@Perceptible` looks for.
enum PerceptionIgnoredMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    []
  }
}
