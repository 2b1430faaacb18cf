import SwiftSyntax
import SwiftSyntaxBuilder

/// What the source of a feature has, and what it leaves to `@Reducer`.
struct ReducerStruct {
  private let declaration: StructDeclSyntax
  private let members: [DeclSyntax]

  init(_ declaration: StructDeclSyntax) {
    self.declaration = declaration
    self.members = Self.flattened(declaration.memberBlock.members)
  }

  private static func flattened(_ members: MemberBlockItemListSyntax) -> [DeclSyntax] {
    members.flatMap { member -> [DeclSyntax] in
      guard let config = member.decl.as(IfConfigDeclSyntax.self) else { return [member.decl] }
      return config.clauses.flatMap { clause -> [DeclSyntax] in
        guard case .decls(let members)? = clause.elements else { return [] }
        return flattened(members)
      }
    }
  }

  /// Whether there is a `body`, whatever it is made of.
  var hasBody: Bool {
    body != nil
  }

  private var body: VariableDeclSyntax? {
    members.lazy.compactMap { $0.as(VariableDeclSyntax.self) }.first { property in
      property.bindings.contains {
        $0.pattern.as(IdentifierPatternSyntax.self)?.identifier.text == "body"
      }
    }
  }

  /// The method that reduces in place of a body.
  var reduceMethod: FunctionDeclSyntax? {
    members.lazy.compactMap { $0.as(FunctionDeclSyntax.self) }.first { function in
      let labels = function.signature.parameterClause.parameters.map(\.firstName.text)
      return ["reduce", "_reduce"].contains(function.name.text) && labels == ["into", "action"]
    }
  }

  private func declaresType(_ name: String) -> Bool {
    let isNested = members.contains { member in
      (member.is(StructDeclSyntax.self) || member.is(EnumDeclSyntax.self)
        || member.is(ClassDeclSyntax.self) || member.is(TypeAliasDeclSyntax.self))
        && member.asProtocol((any NamedDeclSyntax).self)?.name.text == name
    }
    let parameters = declaration.genericParameterClause?.parameters
    return isNested || parameters?.contains { $0.name.text == name } == true
  }

  /// The declarations that are absent.
  func absentMembers(_ type: GeneratedType) -> [DeclSyntax] {
    let access = type.access
    var declarations: [DeclSyntax] = []
    let inferred = inferredTypes
    if !declaresType("State"), !inferred.state {
      declarations.append(
        type.emptyStructure(
          "State",
          conformances: ["Swift.Codable", "Swift.Equatable", "Swift.Hashable", "Swift.Sendable"],
          traits: [.observable, .recordable]))
    }
    if !declaresType("Action"), !inferred.action {
      declarations.append(
        type.enumeration(
          "Action", conformances: ["Swift.Equatable", "Swift.Hashable", "Swift.Sendable"],
          traits: [.casePathable, .recordable], lines: []))
    }
    if !hasBody, reduceMethod == nil {
      declarations.append(
        """
        @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
        \(raw: access)var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
          ComposableArchitecture.EmptyReducer()
        }
        """
      )
    }
    if !access.isEmpty, !needsArguments {
      declarations.append("\(raw: access)init() {}")
    }
    return declarations
  }

  /// Whether an initialiser is written, or needed to give a stored property its value.
  ///
  /// A feature that another module can see gets one otherwise, since the language gives none.
  private var needsArguments: Bool {
    members.contains { member in
      if member.is(InitializerDeclSyntax.self) { return true }
      guard let property = member.as(VariableDeclSyntax.self), property.attributes.isEmpty,
        !property.modifiers.contains(where: { $0.name.text == "static" })
      else { return false }
      return property.bindings.contains { !$0.hasGetter }
    }
  }

  /// Whether the types of state and action follow from a body or a method that spells others than
  /// the feature's own `State` and `Action`.
  private var inferredTypes: (state: Bool, action: Bool) {
    if let body, let (state, action) = Self.genericArguments(ofBody: body) {
      return (!isOwn(state, "State"), !isOwn(action, "Action"))
    }
    guard let parameters = reduceMethod?.signature.parameterClause.parameters,
      let first = parameters.first, let last = parameters.last
    else { return (false, false) }
    let state = first.type.as(AttributedTypeSyntax.self)?.baseType ?? first.type
    return (
      !isOwn(state.trimmedDescription, "State"), !isOwn(last.type.trimmedDescription, "Action")
    )
  }

  private func isOwn(_ type: String, _ name: String) -> Bool {
    [name, "Self." + name, declaration.name.text + "." + name].contains(type)
  }

  /// The state and action that the type of a body spells: `some Reducer<A, B>` or
  /// `some ReducerOf<F>`.
  static func genericArguments(
    ofBody property: VariableDeclSyntax
  ) -> (state: String, action: String)? {
    guard
      let constraint = property.bindings.first?.typeAnnotation?.type.as(SomeOrAnyTypeSyntax.self)?
        .constraint
    else { return nil }
    let name: String
    let clause: GenericArgumentClauseSyntax?
    if let identifier = constraint.as(IdentifierTypeSyntax.self) {
      (name, clause) = (identifier.name.text, identifier.genericArgumentClause)
    } else if let member = constraint.as(MemberTypeSyntax.self) {
      (name, clause) = (member.name.text, member.genericArgumentClause)
    } else {
      return nil
    }
    let arguments = clause?.arguments.map { $0.argument.trimmedDescription } ?? []
    switch (name, arguments.count) {
    case ("Reducer", 2): return (arguments[0], arguments[1])
    case ("ReducerOf", 1): return (arguments[0] + ".State", arguments[0] + ".Action")
    default: return nil
    }
  }
}
