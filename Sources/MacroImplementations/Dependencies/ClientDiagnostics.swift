import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What a macro for dependencies says about the code that it is attached to.
struct ClientMessage: DiagnosticMessage, FixItMessage {
  var message: String

  var severity: DiagnosticSeverity { .error }
  var diagnosticID: MessageID { MessageID(domain: "Dependencies", id: "message") }
  var fixItID: MessageID { diagnosticID }
}

extension MacroExpansionContext {
  /// Refuses a node of the source, with a way to mend it if there is one.
  func refuse(_ node: some SyntaxProtocol, _ message: String, fixIts: [FixIt] = []) {
    diagnose(
      Diagnostic(node: node, message: ClientMessage(message: message), fixIts: fixIts))
  }
}

extension AttributeSyntax {
  /// The name without the module that it may be spelled with.
  var baseName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.trimmedDescription
  }
}

extension AttributeListSyntax {
  /// Whether one of the attributes has the name.
  func carriesAttribute(_ name: String) -> Bool {
    contains { element in
      guard case .attribute(let attribute) = element else { return false }
      return attribute.baseName == name
    }
  }
}
