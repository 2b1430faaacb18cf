import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// What `@Recordable` writes for a source, without the source itself.
func expansion(of source: String) throws -> String {
  let (text, diagnostics) = try expand(source)
  #expect(diagnostics.isEmpty)
  let parts = text.split(separator: "\n\nextension ", maxSplits: 1)
  let extensions = try #require(parts.last, "nothing was added")
  return "extension \(extensions)".trimmed
}

/// The source with everything that the macro adds.
func expand(_ source: String) throws -> (text: String, diagnostics: [String]) {
  let type = try #require(macroTypes["RecordableMacro"])
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  let specification = MacroSpec(type: type, conformances: ["Recordable"])
  var specifications: [String: MacroSpec] = ["Recordable": specification]
  for level in 1...4 { specifications["_RecordableNested\(level)"] = specification }
  let expanded = file.expand(
    macroSpecs: specifications,
    contextGenerator: { syntax in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2))
  return (expanded.description.trimmed, context.diagnostics.map(\.message))
}

extension String {
  /// Without blank lines around it.
  fileprivate var trimmed: String {
    var text = self[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
