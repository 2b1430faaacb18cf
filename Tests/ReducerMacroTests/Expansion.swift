import Foundation
import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the macros of a feature make of a source.
struct Expansion {
  /// The source with everything that is added to it.
  var source: String
  /// The diagnostics, as `3:7 warning: text`.
  var messages: [String]
  /// The source with the first fix-it of each diagnostic applied.
  var fixed: String

  /// - Parameter only: The macros to expand; all of a feature's when nil. Others stay as attributes.
  init(_ source: String, only: Set<String>? = nil) {
    var macros: [String: MacroSpec] = [:]
    for (name, conformances) in Self.conformances where only?.contains(name) ?? true {
      guard let type = macroTypes["\(name)Macro"] else { continue }
      macros[name] = MacroSpec(type: type, conformances: conformances)
    }
    let file: SourceFileSyntax = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded: Syntax = file.expand(
      macroSpecs: macros,
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
      }, indentationWidth: .spaces(2))
    self.source = Self.withoutEmptyLines(expanded.description)
    self.messages = context.diagnostics.map { diagnostic in
      let place = context.location(
        of: diagnostic.node, at: .afterLeadingTrivia, filePathMode: .fileID)
      let line = place?.line.trimmedDescription ?? "?"
      let column = place?.column.trimmedDescription ?? "?"
      return "\(line):\(column) \(diagnostic.diagMessage.severity): \(diagnostic.message)"
    }
    self.fixed = Self.applyingFixIts(of: context.diagnostics, to: file)
  }

  /// Whether the expanded source has these lines, one below the other, however they are indented.
  func contains(_ lines: String) -> Bool {
    Self.withoutIndentation(source).contains(Self.withoutIndentation(lines))
  }

  private static let conformances: [String: [TypeSyntax]] = [
    "CasePathable": ["CasePathable", "CasePathIterable"],
    "ObservableState": ["Observable", "ObservableState", "_$BindableState"],
    "ObservationStateIgnored": [],
    "ObservationStateTracked": [],
    "Presents": [],
    "Reducer": ["Reducer", "CaseReducer"],
    "ReducerCaseEphemeral": [],
    "ReducerCaseIgnored": [],
    "ViewAction": ["ViewActionSending"],
  ]

  private static func withoutEmptyLines(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.allSatisfy(\.isWhitespace) }.joined(separator: "\n")
  }

  private static func withoutIndentation(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: "\n")
  }

  private static func applyingFixIts(
    of diagnostics: [Diagnostic], to file: SourceFileSyntax
  ) -> String {
    var text = file.description
    for case .replace(let old, let new)? in diagnostics.compactMap({
      $0.fixIts.first?.changes.first
    }) {
      guard let range = text.range(of: old.trimmedDescription) else { continue }
      text.replaceSubrange(range, with: new.trimmedDescription)
    }
    return text
  }
}
