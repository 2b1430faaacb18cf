import SwiftDiagnostics
import SwiftSyntax

/// What `@Recordable` says where it can't be applied.
enum RecordableMessage: DiagnosticMessage {
  case notAnEnumOrStruct(String)
  case notCopyable
  case hidden(String)

  /// What forbids the macro on a declaration, if anything does.
  init?(_ declaration: some DeclGroupSyntax, nestedIn scopes: [Syntax]) {
    guard declaration.is(EnumDeclSyntax.self) || declaration.is(StructDeclSyntax.self) else {
      self = .notAnEnumOrStruct(declaration.introducerText)
      return
    }
    if declaration.suppressesCopying {
      self = .notCopyable
      return
    }
    // The outermost type may be private: at file scope that is no less than fileprivate.
    let nested =
      [declaration] as [any DeclGroupSyntax]
      + scopes.compactMap { $0.asProtocol((any DeclGroupSyntax).self) }
    guard let hidden = nested.dropLast().first(where: \.isPrivate) else { return nil }
    self = .hidden(hidden.declaredName)
  }

  var message: String {
    switch self {
    case .notAnEnumOrStruct(let introducer):
      """
      '@Recordable' can only be applied to an enum or a struct, not to a \(introducer): declare the \
      conformance to 'Recordable' by hand
      """
    case .hidden(let name):
      """
      '@Recordable' can't extend '\(name)', which is private to the type around it: declare it \
      'fileprivate'
      """
    case .notCopyable: "'@Recordable' can't be applied to a type that can't be copied"
    }
  }

  var diagnosticID: MessageID {
    switch self {
    case .notAnEnumOrStruct: MessageID(domain: "Recordable", id: "notAnEnumOrStruct")
    case .hidden: MessageID(domain: "Recordable", id: "private")
    case .notCopyable: MessageID(domain: "Recordable", id: "notCopyable")
    }
  }

  var severity: DiagnosticSeverity { .error }

  func diagnostic(at node: some SyntaxProtocol) -> Diagnostic {
    Diagnostic(node: node, message: self)
  }
}
