import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Presents`: an optional child state over a `PresentationState`.
enum PresentsMacro {}

extension PresentsMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self), property.isObservable,
      let name = property.soleName
    else { return [] }
    let storage = "_" + name.plain
    return [
      """
      @storageRestrictions(initializes: \(raw: storage))
      init(initialValue) {
        \(raw: storage) = ComposableArchitecture.PresentationState(wrappedValue: initialValue)
      }
      """
    ]
      + ObservedAccessors(
        name: name, access: "\(storage).wrappedValue", value: "\(storage).wrappedValue"
      ).declarations
  }
}

extension PresentsMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self), property.isObservable,
      let name = property.soleName, let binding = property.bindings.first
    else {
      context.diagnose(
        node, "'@Presents' can only be applied to one stored 'var' of an optional type")
      return []
    }
    guard let wrapped = binding.typeAnnotation?.type.optionalWrappedType else {
      context.diagnose(
        binding.typeAnnotation.map(Syntax.init) ?? Syntax(binding.pattern),
        "'@Presents' needs the optional type of the state to be written out, as in 'Child.State?'")
      return []
    }
    let storage = "_" + name.plain
    let type = "ComposableArchitecture.PresentationState<\(wrapped.trimmedDescription)>"
    let value = binding.initializer?.value.trimmedDescription ?? "nil"
    let access = ExpansionAccess(modifiers: property.modifiers).prefix
    let projected = ObservedAccessors(
      name: name, access: storage, value: "\(storage).wrappedValue"
    ).declarations
      .map(\.trimmedDescription)
      .joined(separator: "\n")
    let availability = property.attributes.availability
    return [
      """
      \(raw: availability)\(raw: access)var $\(raw: name.plain): \(raw: type) {
      \(raw: projected.indentedLines(1))
      }
      """,
      """
      \(raw: availability)@ComposableArchitecture.ObservationStateIgnored
      private var _\(raw: name.plain) = \(raw: type)(wrappedValue: \(raw: value))
      """,
    ]
  }
}

extension TypeSyntax {
  /// The type inside of an optional that is spelled as one.
  fileprivate var optionalWrappedType: TypeSyntax? {
    if let optional = self.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    let generic: (name: TokenSyntax, arguments: GenericArgumentClauseSyntax?)? =
      if let identifier = self.as(IdentifierTypeSyntax.self) {
        (identifier.name, identifier.genericArgumentClause)
      } else if let member = self.as(MemberTypeSyntax.self) {
        (member.name, member.genericArgumentClause)
      } else {
        nil
      }
    guard let generic, generic.name.text == "Optional",
      case .type(let wrapped)? = generic.arguments?.arguments.first?.argument
    else { return nil }
    return wrapped
  }
}
