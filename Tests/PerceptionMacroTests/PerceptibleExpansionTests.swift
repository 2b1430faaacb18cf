import MacroImplementations
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import Testing

/// The source with everything that the macros add, and what they say about it.
private func expand(
  _ source: String, _ names: [String], conformances: [String] = ["Perceptible"]
) throws -> (text: String, diagnostics: [String]) {
  let file = Parser.parse(source: source)
  let context = BasicMacroExpansionContext(
    sourceFiles: [file: .init(moduleName: "Test", fullFilePath: "Test.swift")])
  var specifications: [String: MacroSpec] = [:]
  for name in names {
    let type = try #require(macroTypes[name + "Macro"])
    specifications[name] = MacroSpec(
      type: type, conformances: conformances.map { "\(raw: $0)" as TypeSyntax })
  }
  let expanded = file.expand(
    macroSpecs: specifications,
    contextGenerator: { syntax in
      BasicMacroExpansionContext(
        sharingWith: context, lexicalContext: syntax.allMacroLexicalContexts())
    }, indentationWidth: .spaces(2))
  return (expanded.description, context.diagnostics.map(\.message))
}

@Suite struct PerceptibleExpansionTests {
  @Test func marksStoredProperties() throws {
    let (text, diagnostics) = try expand(
      """
      @Perceptible
      @available(macOS 14, *)
      public final class Model {
        var count = 0
        let fixed = 1
        var double: Int { count * 2 }
        static var shared = 0
        lazy var late = 1
        @PerceptionIgnored var ignored = 0
        @ObservationIgnored var alsoIgnored = 0
      }
      """, ["Perceptible"])
    #expect(diagnostics == [])
    #expect(text.contains("@Perception.PerceptionTracked\n  var count = 0"))
    #expect(text.components(of: "@Perception.PerceptionTracked") == 1)
    #expect(text.contains("keyPath: Swift.KeyPath<Model, _$Member>"))
    #expect(
      text.contains(
        """
        @available(macOS 14, *)
        extension Model: nonisolated Perception.Perceptible {
        """))
  }

  @Test func conformanceThatIsThereAlready() throws {
    let source = "@Perceptible class Model: Base {}"
    #expect(try !expand(source, ["Perceptible"], conformances: []).text.contains("extension"))
    let written = "@Perceptible class Model: Perceptible {}"
    #expect(try !expand(written, ["Perceptible"]).text.contains("extension"))
  }

  @Test func trackedProperty() throws {
    let (text, diagnostics) = try expand(
      """
      class Model {
        @PerceptionTracked public private(set) weak var `default`: Model? { didSet { print(1) } }
      }
      """, ["PerceptionTracked"])
    #expect(diagnostics == [])
    #expect(text.contains("access(keyPath: \\.`default`)"))
    #expect(
      text.contains(
        """
          @Perception.PerceptionIgnored
          private weak var _default: Model? {
            didSet {
              print(1)
            }
          }
        """))
    #expect(text.contains("@storageRestrictions(initializes: _default)"))
  }

  @Test(arguments: [
    ("struct", "'@Perceptible' cannot be applied to struct type 'Model'"),
    ("enum", "'@Perceptible' cannot be applied to enum type 'Model'"),
    ("actor", "'@Perceptible' cannot be applied to actor type 'Model'"),
  ])
  func classesOnly(kind: String, message: String) throws {
    let (_, diagnostics) = try expand("@Perceptible \(kind) Model {}", ["Perceptible"])
    #expect(diagnostics == [message])
  }
}

extension String {
  /// How often a text comes up in this one.
  fileprivate func components(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
