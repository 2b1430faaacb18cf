import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// What a macro of the architecture says about the code that it is attached to.
struct ExpansionMessage: DiagnosticMessage, FixItMessage {
  var message: String
  var severity: DiagnosticSeverity = .error
  var id = "message"

  var diagnosticID: MessageID { MessageID(domain: "Retrace.Macros", id: id) }
  var fixItID: MessageID { diagnosticID }
}

extension MacroExpansionContext {
  /// Says something about a node of the source.
  func diagnose(
    _ node: some SyntaxProtocol,
    _ message: String,
    severity: DiagnosticSeverity = .error,
    fixIts: [FixIt] = []
  ) {
    diagnose(
      Diagnostic(
        node: node,
        message: ExpansionMessage(message: message, severity: severity),
        fixIts: fixIts
      )
    )
  }
}

/// The access that generated members need so as to be visible wherever their type is.
struct ExpansionAccess {
  /// `public `, `package ` or nothing, with the space that follows.
  var prefix: String

  /// The access of a type, with the access that an extension around it gives.
  init(of declaration: some DeclGroupSyntax, in context: some MacroExpansionContext) {
    self.init(modifiers: declaration.modifiers)
    guard prefix.isEmpty, !Self.isSpelled(declaration.modifiers),
      let around = context.lexicalContext.first?.as(ExtensionDeclSyntax.self)
    else { return }
    self.init(modifiers: around.modifiers)
  }

  init(modifiers: DeclModifierListSyntax) {
    self.prefix = ""
    for modifier in modifiers where modifier.detail == nil {
      switch modifier.name.tokenKind {
      case .keyword(.public), .keyword(.open): self.prefix = "public "
      case .keyword(.package): self.prefix = "package "
      default: continue
      }
    }
  }

  static func isSpelled(_ modifiers: DeclModifierListSyntax) -> Bool {
    let names: [Keyword] = [.public, .open, .package, .internal, .fileprivate, .private]
    return modifiers.contains { modifier in
      modifier.detail == nil && names.contains { modifier.name.tokenKind == .keyword($0) }
    }
  }
}

extension AttributeListSyntax {
  /// The names of the attributes, without the modules that they may be spelled with; those under
  /// `#if` too.
  var spelledNames: [String] {
    flatMap { element -> [String] in
      switch element {
      case .attribute(let attribute):
        [attribute.shortName]
      case .ifConfigDecl(let config):
        config.clauses.flatMap { clause -> [String] in
          if case .attributes(let attributes) = clause.elements {
            attributes.spelledNames
          } else {
            []
          }
        }
      @unknown default:
        []
      }
    }
  }

  /// Tells whether an attribute of this name is there, spelled with its module or without.
  func hasAttribute(_ name: String) -> Bool {
    spelledNames.contains(name)
  }

  /// The first attribute of this name.
  func firstAttribute(_ name: String) -> AttributeSyntax? {
    for case .attribute(let attribute) in self where attribute.shortName == name {
      return attribute
    }
    return nil
  }

  /// The `@available` attributes, each on a line of its own, to be repeated on generated code.
  var availability: String {
    var lines = ""
    for element in self {
      switch element {
      case .attribute(let attribute) where attribute.shortName == "available":
        lines += attribute.trimmedDescription + "\n"
      case .ifConfigDecl(let config) where attributeListHasAvailability(config):
        lines += config.trimmedDescription + "\n"
      default:
        continue
      }
    }
    return lines
  }

  private func attributeListHasAvailability(_ config: IfConfigDeclSyntax) -> Bool {
    config.clauses.allSatisfy { clause in
      guard case .attributes(let attributes) = clause.elements else { return false }
      return attributes.spelledNames.allSatisfy { $0 == "available" }
    }
  }
}

extension AttributeSyntax {
  /// The last component of the attribute's name.
  var shortName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    if let identifier = attributeName.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    return attributeName.trimmedDescription
  }
}

extension InheritanceClauseSyntax? {
  /// Tells whether a type is named here, spelled with its module or without.
  func inherits(_ name: String) -> Bool {
    self?.inheritedTypes.contains { inherited in
      inherited.type.tokens(viewMode: .sourceAccurate).contains { $0.text == name }
    } ?? false
  }
}

/// The documentation in front of a declaration, each line ended, and nothing else of its trivia.
func documentation(of node: some SyntaxProtocol) -> String {
  node.leadingTrivia.reduce(into: "") { text, piece in
    switch piece {
    case .docLineComment(let comment), .docBlockComment(let comment): text += comment + "\n"
    default: break
    }
  }
}

extension String {
  /// This text with every line but the first moved in by two spaces a level.
  func indentedLines(_ levels: Int) -> String {
    let indent = String(repeating: "  ", count: levels)
    return split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.isEmpty ? "" : indent + $0 }
      .joined(separator: "\n")
  }
}
