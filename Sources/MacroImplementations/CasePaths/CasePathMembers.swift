import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@CasePathable` adds to an enum.
struct CasePathMembers {
  private let root: String
  private let tree: [Node]

  /// A case, or cases under `#if`: what is generated for a case stands under the same condition.
  private indirect enum Node {
    case element(EnumCaseElementSyntax, EnumCaseDeclSyntax)
    case condition([(header: String, body: [Node])])
  }

  init(_ declaration: EnumDeclSyntax) {
    self.root = declaration.name.text
    self.tree = Self.nodes(declaration.memberBlock.members)
  }

  private static func nodes(_ members: MemberBlockItemListSyntax) -> [Node] {
    members.flatMap { member -> [Node] in
      if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        return declaration.elements.map { .element($0, declaration) }
      }
      guard let config = member.decl.as(IfConfigDeclSyntax.self) else { return [] }
      let clauses: [(header: String, body: [Node])] = config.clauses.map { clause in
        let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
        let header = clause.poundKeyword.text + condition
        guard case .decls(let members)? = clause.elements else { return (header, []) }
        return (header, nodes(members))
      }
      return clauses.allSatisfy(\.body.isEmpty) ? [] : [.condition(clauses)]
    }
  }

  /// Every case that stands under no condition.
  ///
  /// The clauses of one `#if` may repeat a name.
  var allCases: [EnumCaseElementSyntax] {
    tree.compactMap { node in
      if case .element(let element, _) = node { element } else { nil }
    }
  }

  /// The declarations to add, with the access of the enum.
  func declarations(access: String) -> [DeclSyntax] {
    let types = RenamedTypes(root: root)
    let properties = render(tree, separator: "\n") { property($0, $1, types, access: access) }
    // No switch: where no case can have a value, it can't be written so that it is exhaustive.
    var reflection = render(tree, separator: "") { element, _ in
      "if case .\(element.name.text) = root { return \\.\(element.name.text) }\n"
    }
    let listBody = render(tree, separator: "") { element, _ in
      "allCasePaths.append(\\.\(element.name.text))\n"
    }
    // A value of an enum without cases can't be there to be looked at.
    if !tree.isEmpty { reflection += "return \\.never\n" }
    let binding = tree.isEmpty ? "let" : "var"
    let aliases = types.renamed.sorted().map { name in
      DeclSyntax(stringLiteral: "\(access)typealias _$\(name) = \(name)")
    }
    let allCasePaths = """
      \(access)nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
        \(access)subscript(root: \(root)) -> CasePaths.PartialCaseKeyPath<\(root)> {
      \(reflection.indentedLines(2))  }
      \(properties.indentedLines(1))  \(access)func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<\(root)>]> {
          \(binding) allCasePaths: [CasePaths.PartialCaseKeyPath<\(root)>] = []
      \(listBody.indentedLines(2))    return allCasePaths.makeIterator()
        }
      }
      """
    let accessor = """
      \(access)nonisolated static var allCasePaths: AllCasePaths {
        AllCasePaths()
      }
      """
    return aliases + [
      DeclSyntax(stringLiteral: allCasePaths), DeclSyntax(stringLiteral: accessor),
    ]
  }

  private func render(
    _ nodes: [Node],
    separator: String,
    _ text: (EnumCaseElementSyntax, EnumCaseDeclSyntax) -> String
  ) -> String {
    nodes.reduce(into: "") { result, node in
      switch node {
      case .element(let element, let declaration):
        result += text(element, declaration)
      case .condition(let clauses):
        for clause in clauses {
          result += clause.header + "\n" + render(clause.body, separator: separator, text)
        }
        result += "#endif\n"
      }
    }
  }

  private func property(
    _ element: EnumCaseElementSyntax,
    _ declaration: EnumCaseDeclSyntax,
    _ types: RenamedTypes,
    access: String
  ) -> String {
    let name = element.name.text
    let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
    let value: String
    let embed: String
    let pattern: String
    let result: String
    switch parameters.count {
    case 0 where element.parameterClause == nil:
      (value, embed, pattern, result) = ("Swift.Void", "{ .\(name) }", ".\(name)", "()")
    case 1:
      let parameter = parameters[0]
      let label = parameter.caseLabel.map { $0 + ": " } ?? ""
      value = types.spell(parameter.type)
      // The compiler warns of a closure that goes on with what can't be there.
      if parameter.type.isNever {
        embed = "{ (_: \(value)) -> \(root) in }"
      } else if parameter.type.isInhabited {
        embed = "{ .\(name)(\(label)$0) }"
      } else {
        let label = parameter.caseLabel.map { "(\($0):)" } ?? ""
        embed = "CasePaths._$embed(\(root).\(name)\(label))"
      }
      (pattern, result) = (".\(name)(let v0)", "v0")
    default:
      let elements = parameters.map { parameter in
        (parameter.caseLabel.map { $0 + ": " } ?? "") + types.spell(parameter.type)
      }
      let arguments = parameters.enumerated().map { index, parameter in
        (parameter.caseLabel.map { $0 + ": " } ?? "") + "$0.\(index)"
      }
      let values = parameters.indices.map { "v\($0)" }
      value = "(\(elements.joined(separator: ", ")))"
      embed = "{ .\(name)(\(arguments.joined(separator: ", "))) }"
      pattern = ".\(name)(\(values.map { "let " + $0 }.joined(separator: ", ")))"
      result = "(\(values.joined(separator: ", ")))"
    }
    let header = documentation(of: declaration) + declaration.attributes.availability
    return """
      \(header)\(access)var \(name): CasePaths.AnyCasePath<\(root), \(value)> {
        CasePaths.AnyCasePath<\(root), \(value)>(
          embed: \(embed),
          extract: {
            if case \(pattern) = $0 { \(result) } else { nil }
          }
        )
      }

      """
  }
}

extension TypeSyntax {
  /// Whether the type is spelled `Never`, of which there is no value.
  var isNever: Bool {
    ["Never", "Swift.Never"].contains(trimmedDescription)
  }
}

extension EnumCaseParameterSyntax {
  /// The label that a value of the case is written with, or nil.
  fileprivate var caseLabel: String? {
    guard let firstName, firstName.tokenKind != .wildcard else { return nil }
    return firstName.text
  }
}

/// Spells the types of cases as they must be spelled inside of `AllCasePaths`.
///
/// There `Self` is another type, and `Element` and `Iterator` are those of the sequence that it
/// is, so that the enum gets names of its own for these two.
private final class RenamedTypes: SyntaxRewriter {
  private let root: String
  private(set) var renamed: Set<String> = []

  init(root: String) {
    self.root = root
    super.init()
  }

  func spell(_ type: TypeSyntax) -> String {
    var type = type.trimmed
    if let unwrapped = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      type = TypeSyntax(OptionalTypeSyntax(wrappedType: unwrapped.wrappedType))
    }
    return rewrite(type).trimmedDescription
  }

  override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
    let replacement: String
    switch node.name.text {
    case "Self":
      replacement = root
    case "Element", "Iterator":
      renamed.insert(node.name.text)
      replacement = "_$" + node.name.text
    default:
      return super.visit(node)
    }
    let name = node.name.with(\.tokenKind, .identifier(replacement))
    return super.visit(node.with(\.name, name))
  }

  override func visit(_ node: AttributedTypeSyntax) -> TypeSyntax {
    // A function in a tuple escapes without being told to.
    let attributes = node.attributes.filter { element in
      guard case .attribute(let attribute) = element else { return true }
      return attribute.shortName != "escaping" && attribute.shortName != "autoclosure"
    }
    return super.visit(node.with(\.attributes, attributes))
  }
}
