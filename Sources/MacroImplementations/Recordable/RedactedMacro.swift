import SwiftDiagnostics
public import SwiftSyntax
public import SwiftSyntaxMacros

/// `@Redacted`: a mark that `@Recordable` reads.
public struct RedactedMacro {}

extension RedactedMacro: PeerMacro {
  public static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if !Self.isStored(declaration) {
      context.diagnose(Diagnostic(node: node, message: RedactedMessage()))
    }
    return []
  }

  private static func isStored(_ declaration: some DeclSyntaxProtocol) -> Bool {
    if declaration.is(EnumCaseDeclSyntax.self) { return true }
    guard let variable = declaration.as(VariableDeclSyntax.self) else { return false }
    return !variable.modifiers.contains { ["static", "class", "lazy"].contains($0.name.text) }
      && variable.bindings.contains { !$0.isComputed }
  }
}

/// What `@Redacted` says where there is no value that a record could hold.
struct RedactedMessage: DiagnosticMessage {
  var message: String {
    """
    '@Redacted' can only be applied to a stored property or an enum's case: nothing else is recorded
    """
  }

  var diagnosticID: MessageID { MessageID(domain: "Redacted", id: "notStored") }
  var severity: DiagnosticSeverity { .error }
}
