import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

/// What the dependency macros make of a source.
struct Expansion {
  /// The expanded source, without indentation and empty lines.
  var source: String
  /// The texts of the diagnostics.
  var messages: [String]
  /// The source with the first fix-it of each diagnostic applied.
  var fixed: String

  init(_ source: String) {
    let names = [
      "DependencyClient", "DependencyEndpoint", "DependencyEndpointIgnored", "DependencyEntry",
    ]
    var macros: [String: any Macro.Type] = [:]
    for name in names { macros[name] = macroTypes[name + "Macro"] }
    let file: SourceFileSyntax = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
    let expanded: Syntax = file.expand(macros: macros) { node in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: node.allMacroLexicalContexts())
    }
    self.source = Self.plain(expanded.description)
    self.messages = context.diagnostics.map(\.message)
    let changes: [FixIt.Change] = context.diagnostics.flatMap { diagnostic in
      diagnostic.fixIts.first?.changes ?? []
    }
    var fixed: String = source
    for case .replace(let old, let new) in changes {
      fixed = fixed.replacing(old.trimmedDescription, with: new.trimmedDescription)
    }
    self.fixed = fixed
  }

  /// A source without indentation and empty lines.
  static func plain(_ source: String) -> String {
    let lines: [Substring] = source.split(whereSeparator: \.isNewline)
    return lines.map { line in
      String(line.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
    }
    .filter { !$0.isEmpty }
    .joined(separator: "\n")
  }

  /// Whether the expanded source has these lines, one below the other.
  func contains(_ lines: String) -> Bool {
    source.contains(Self.plain(lines))
  }
}
