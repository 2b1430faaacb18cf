import SwiftSyntax
import SwiftSyntaxBuilder

/// What `@Reducer` adds to an enum of features: the state, the action and the reducer of all of
/// them together, and the stores of the cases.
struct ReducerEnum {
  let cases: [ConditionalMember<ReducerCase>]

  private let declaration: EnumDeclSyntax
  private let conformances: SynthesizedConformances

  init(_ declaration: EnumDeclSyntax, conformances: SynthesizedConformances) {
    self.declaration = declaration
    self.conformances = conformances
    self.cases = declaration.memberBlock.members.conditionalMembers { member in
      guard let list = member.as(EnumCaseDeclSyntax.self) else { return [] }
      return list.elements.map { ReducerCase($0, of: list) }
    }
    .filter(\.hasValues)
  }

  /// The declarations that the source leaves out.
  func absentMembers(_ type: GeneratedType) -> [DeclSyntax] {
    let access = type.access
    let all: [(name: String, declaration: () -> DeclSyntax)] = [
      ("State", { state(type) }), ("Action", { action(type) }),
      ("body", { DeclSyntax(stringLiteral: body(access)) }), ("CaseScope", { caseScope(type) }),
      ("scope", { DeclSyntax(stringLiteral: scope(access)) }),
    ]
    let declared = declaredNames
    return all.filter { !declared.contains($0.name) }.map { $0.declaration() }
  }

  private var declaredNames: Set<String> {
    let names = declaration.memberBlock.members.flatMap { member -> [String] in
      if let property = member.decl.as(VariableDeclSyntax.self) {
        return property.soleName.map { [$0.plain] } ?? []
      }
      return member.decl.asProtocol((any NamedDeclSyntax).self).map { [$0.name.text] } ?? []
    }
    return Set(names)
  }

  private func block(_ header: String, _ lines: [String]) -> String {
    guard !lines.isEmpty else { return header + " {\n}" }
    return header + " {\n" + lines.joined(separator: "\n").indentedLines(1) + "\n}"
  }

  private var indirect: String {
    declaration.modifiers.contains { $0.name.text == "indirect" } ? "indirect " : ""
  }

  private func state(_ type: GeneratedType) -> DeclSyntax {
    type.enumeration(
      "State", header: "@dynamicMemberLookup\n\(indirect)",
      conformances: ["ComposableArchitecture.CaseReducerState"] + conformances.state,
      traits: [.casePathable, .observable, .recordable],
      lines: ["\(type.access)typealias StateReducer = \(declaration.name.text)"]
        + cases.flatMap { $0.lines(\.stateCase) })
  }

  private func action(_ type: GeneratedType) -> DeclSyntax {
    type.enumeration(
      "Action", header: indirect, conformances: conformances.action,
      traits: [.casePathable, .recordable], lines: cases.flatMap { $0.lines(\.actionCase) })
  }

  private func body(_ access: String) -> String {
    let reducers = cases.flatMap { $0.lines { $0.scopeReducer ?? [] } }
    let lines = reducers.isEmpty ? ["ComposableArchitecture.EmptyReducer()"] : reducers
    return block(
      """
      @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
      \(access)static var body: \(bodyType)
      """, lines)
  }

  /// The type of the body, spelled out: an opaque one takes the compiler longer. Under `#if` no
  /// type is the right one in each case.
  private var bodyType: String {
    var types: [String] = []
    for member in cases {
      guard case .value(let element) = member else {
        return "some ComposableArchitecture.Reducer<Self.State, Self.Action>"
      }
      if let type = element.scopeReducerType { types.append(type) }
    }
    guard let first = types.first else {
      return "ComposableArchitecture.EmptyReducer<Self.State, Self.Action>"
    }
    return types.dropFirst().reduce(first) { accumulated, next in
      """
      ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>._Sequence<\
      \(accumulated), \(next)>
      """
    }
  }

  private func caseScope(_ type: GeneratedType) -> DeclSyntax {
    type.enumeration(
      "CaseScope", header: "@dynamicMemberLookup\n", conformances: [], traits: .casePathable,
      lines: cases.flatMap { $0.lines(\.scopeCase) })
  }

  private func scope(_ access: String) -> String {
    block(
      """
      @MainActor
      \(access)static func scope(
        _ store: ComposableArchitecture.Store<Self.State, Self.Action>
      ) -> CaseScope
      """, ["switch store.state {"] + cases.flatMap { $0.lines(\.scopeBranch) } + ["}"])
  }
}

extension ConditionalMember {
  /// Whether there is a value in it, for an `#if` in one of its branches.
  fileprivate var hasValues: Bool {
    switch self {
    case .value: true
    case .conditional(let branches):
      branches.contains { $0.members.contains(where: \.hasValues) }
    }
  }
}

/// The conformances that `@Reducer(state:action:)` gives to the types that it generates.
struct SynthesizedConformances {
  var state: [String] = []
  var action: [String] = []

  init(_ node: AttributeSyntax) {
    guard case .argumentList(let arguments)? = node.arguments else { return }
    var label = ""
    for argument in arguments {
      label = argument.label?.text ?? label
      guard
        let name = argument.expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
      else { continue }
      let conformance = "Swift.\(name.prefix(1).uppercased())\(name.dropFirst())"
      if label == "action" {
        action.append(conformance)
      } else {
        state.append(conformance)
      }
    }
  }
}
