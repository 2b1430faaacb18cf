import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@ObservableState` adds to an enum: its identity is that of what it holds,
/// marked with the index of the case.
struct ObservableEnumMembers {
  private var identities = ""
  private var modifications = ""
  private var hasCases = false
  private var tag = 0

  init(_ declaration: EnumDeclSyntax) {
    add(declaration.memberBlock.members)
  }

  private mutating func add(_ members: MemberBlockItemListSyntax) {
    for member in members {
      if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        for element in declaration.elements { add(element) }
      } else if let config = member.decl.as(IfConfigDeclSyntax.self), config.holdsCases {
        for clause in config.clauses {
          let condition = clause.condition.map { " " + $0.trimmedDescription } ?? ""
          add(line: clause.poundKeyword.text + condition)
          if case .decls(let members)? = clause.elements { add(members) }
        }
        add(line: "#endif")
      }
    }
  }

  private mutating func add(line: String) {
    identities += line + "\n"
    modifications += line + "\n"
  }

  private mutating func add(_ element: EnumCaseElementSyntax) {
    let name = element.name.text
    hasCases = true
    switch element.parameterClause?.parameters.count {
    case nil:
      identities +=
        "case .\(name): return ComposableArchitecture.ObservableStateID._$inert._$tag(\(tag))\n"
      modifications += "case .\(name): break\n"
    case 1:
      let label = element.parameterClause?.parameters.first.flatMap { parameter -> String? in
        guard let first = parameter.firstName, first.tokenKind != .wildcard else { return nil }
        return first.text + ": "
      }
      identities += """
        case .\(name)(let state):
          return ComposableArchitecture.ObservableStateID._$id(for: state)._$tag(\(tag))

        """
      modifications += """
        case .\(name)(var state):
          ComposableArchitecture._$willModify(&state)
          self = .\(name)(\(label ?? "")state)

        """
    default:
      identities +=
        "case .\(name): return ComposableArchitecture.ObservableStateID._$value._$tag(\(tag))\n"
      modifications += "case .\(name): break\n"
    }
    tag += 1
  }

  func declarations(access: String) -> [DeclSyntax] {
    let identity = """
      \(access)nonisolated var _$id: ComposableArchitecture.ObservableStateID {
        switch self {
      \(identities.indentedLines(1))  }
      }
      """
    let modification = """
      \(access)nonisolated mutating func _$willModify() {
        switch self {
      \(modifications.indentedLines(1))  }
      }
      """
    let nothing = "\(access)nonisolated mutating func _$willModify() {}"
    return [
      DeclSyntax(stringLiteral: identity),
      DeclSyntax(stringLiteral: hasCases ? modification : nothing),
    ]
  }
}

extension IfConfigDeclSyntax {
  /// Whether a case of an enum stands in one of the clauses.
  fileprivate var holdsCases: Bool {
    clauses.contains { clause in
      guard case .decls(let members)? = clause.elements else { return false }
      return members.contains { member in
        member.decl.is(EnumCaseDeclSyntax.self)
          || member.decl.as(IfConfigDeclSyntax.self)?.holdsCases == true
      }
    }
  }
}
