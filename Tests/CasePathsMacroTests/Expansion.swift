import Foundation
import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What `@CasePathable` makes of a source.
struct Expansion {
  /// The source with everything that is added to it, without empty lines.
  var source: String
  /// The diagnostics, as `3:7 warning: text`.
  var messages: [String]

  init(_ source: String) {
    guard let type = macroTypes["CasePathableMacro"] else {
      (self.source, self.messages) = (source, ["The macro is not in the plug-in."])
      return
    }
    let macro = MacroSpec(type: type, conformances: ["CasePathable", "CasePathIterable"])
    let file: SourceFileSyntax = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded: Syntax = file.expand(
      macroSpecs: ["CasePathable": macro],
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      }, indentationWidth: .spaces(2))
    self.source = expanded.description.split(separator: "\n")
      .filter { !$0.allSatisfy(\.isWhitespace) }
      .joined(separator: "\n")
    self.messages = context.diagnostics.map { diagnostic in
      let place = context.location(
        of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .fileID)
      let line = place?.line.trimmedDescription ?? "?"
      let column = place?.column.trimmedDescription ?? "?"
      return "\(line):\(column) \(diagnostic.diagMessage.severity): \(diagnostic.message)"
    }
  }
}
