import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ViewAction(for:)`: the conformance of a view to `ViewActionSending`.
enum ViewActionMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax,
    attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol,
    conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard declaration.declaresStore else {
      reportMissingStore(in: declaration, node, context)
      return []
    }
    let sends = StoreSends(viewMode: .sourceAccurate)
    sends.walk(declaration)
    for call in sends.calls { reportDirectSend(call, context) }
    guard !protocols.isEmpty, !declaration.inheritanceClause.inherits("ViewActionSending") else {
      return []
    }
    let source: DeclSyntax = """
      \(raw: declaration.attributes.availability)extension \(type.trimmed): \
      ComposableArchitecture.ViewActionSending {}
      """
    return [source.cast(ExtensionDeclSyntax.self)]
  }

  private static func reportMissingStore(
    in declaration: some DeclGroupSyntax, _ node: AttributeSyntax,
    _ context: some MacroExpansionContext
  ) {
    let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? ""
    var fixIts: [FixIt] = []
    if let feature = feature(of: node) {
      let access = ExpansionAccess(of: declaration, in: context).prefix
      let store: DeclSyntax = "\(raw: access)let store: StoreOf<\(raw: feature)>"
      let item = MemberBlockItemSyntax(
        leadingTrivia: .newline + .spaces(2), decl: store, trailingTrivia: [])
      let members = declaration.memberBlock.members
      let block = declaration.memberBlock.with(
        \.members, MemberBlockItemListSyntax([item] + Array(members)))
      fixIts = [
        FixIt(
          message: ExpansionMessage(message: "Add 'store'"),
          changes: [
            .replace(oldNode: Syntax(declaration.memberBlock), newNode: Syntax(block))
          ])
      ]
    }
    context.diagnose(
      declaration.introducer,
      "'@ViewAction' requires '\(name)' to have a 'store' property of type 'Store'.",
      fixIts: fixIts)
  }

  /// The feature that the attribute names by `Feature.self`.
  private static func feature(of node: AttributeSyntax) -> String? {
    guard case .argumentList(let arguments)? = node.arguments,
      let access = arguments.first?.expression.as(MemberAccessExprSyntax.self),
      access.declName.baseName.text == "self"
    else { return nil }
    return access.base?.trimmedDescription
  }

  private static func reportDirectSend(
    _ call: FunctionCallExprSyntax, _ context: some MacroExpansionContext
  ) {
    var fixIts: [FixIt] = []
    // `store.send(.view(.tap))` is what `send(.tap)` does.
    if let view = call.arguments.first?.expression.as(FunctionCallExprSyntax.self),
      view.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "view",
      let action = view.arguments.first, view.arguments.count == 1
    {
      var arguments = call.arguments
      arguments[arguments.startIndex].expression = action.expression
      let replacement = call.with(\.arguments, arguments)
        .with(\.calledExpression, "\(call.leadingTrivia)send")
      fixIts = [
        FixIt(
          message: ExpansionMessage(message: "Call 'send' directly with a view action"),
          changes: [.replace(oldNode: Syntax(call), newNode: Syntax(replacement))])
      ]
    }
    context.diagnose(
      call, "Do not use 'store.send' directly when using '@ViewAction'", severity: .warning,
      fixIts: fixIts)
  }
}

/// Finds the calls of `store.send` in a view.
private final class StoreSends: SyntaxVisitor {
  var calls: [FunctionCallExprSyntax] = []

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    let called = node.calledExpression.tokens(viewMode: .sourceAccurate).map(\.text)
    if called == ["store", ".", "send"] || called == ["self", ".", "store", ".", "send"] {
      calls.append(node)
    }
    return .visitChildren
  }
}

extension DeclGroupSyntax {
  /// Whether there is a property that is named `store`.
  fileprivate var declaresStore: Bool {
    memberBlock.members.conditionalMembers { member -> [Bool] in
      guard let property = member.as(VariableDeclSyntax.self) else { return [] }
      return property.bindings.map { binding in
        binding.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "store"
      }
    }
    .contains { $0.contains(true) }
  }
}
