import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@DependencyEndpoint`: a closure with an unimplemented default, and a method that calls it.
enum DependencyEndpointMacro {}

extension DependencyEndpointMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self).flatMap(ClientProperty.init),
      property.isEndpoint
    else { return [] }
    let storage = "_" + property.plainName
    var accessors: [AccessorDeclSyntax] = []
    // With an initial value, this accessor would put that value in the place of the default that
    // reports its use; without the accessor, the compiler drops it.
    if property.initialValue == nil {
      accessors.append(
        """
        @storageRestrictions(initializes: \(raw: storage))
        init(initialValue) {
          \(raw: storage) = initialValue
        }
        """)
    }
    return accessors + [
      """
      get {
        \(raw: property.getter(storage: storage))
      }
      """,
      """
      set {
        \(raw: storage) = newValue
      }
      """,
    ]
  }
}

extension DependencyEndpointMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self).flatMap(ClientProperty.init),
      let function = property.function, let type = property.type, property.isEndpoint
    else {
      context.refuse(
        node, "'@DependencyEndpoint' must be attached to closure property with a type annotation")
      return []
    }
    guard let body = defaultBody(of: property, function: function, in: context) else { return [] }
    let storage = "_" + property.plainName
    var peers: [DeclSyntax] = []
    if let method = method(of: property, function: function, node: node, in: context) {
      peers.append(method)
    }
    guard property.recording != .none else {
      return peers + ["private var \(raw: storage): \(type) = \(raw: body)"]
    }
    // A replay calls it as well, where it can't call what the program put in its place.
    return peers + [
      """
      private static var \(raw: property.standInName): \(type) {
        return \(raw: body)
      }
      """,
      "private var \(raw: storage): \(type) = Self.\(raw: property.standInName)",
    ]
  }

  /// The closure that stands in for the one that nobody gave; nil when there is none.
  private static func defaultBody(
    of property: ClientProperty, function: FunctionTypeSyntax,
    in context: some MacroExpansionContext
  ) -> String? {
    let report = """
      _reportUnimplementedEndpoint(\
      Self.self, "\(property.plainName)", fileID: #fileID, filePath: #filePath, line: #line, \
      column: #column)
      """
    if let value = property.initialValue {
      guard let closure = value.as(ClosureExprSyntax.self) else {
        context.refuse(
          value,
          """
          '@DependencyEndpoint' requires the default of '\(property.name)' to be a closure \
          expression
          """)
        return nil
      }
      return unimplemented(closure, report: report)
    }
    let count: Int = function.parameters.count
    let ignored = Array(repeating: "_", count: count).joined(separator: ", ")
    let head: String = count == 0 ? "{" : "{ \(ignored) in"
    if function.throwsAnyError {
      return """
        \(head)
          \(report)
          throw _unimplementedEndpoint("\(property.plainName)")
        }
        """
    }
    if function.returnsOptional, function.effectSpecifiers?.throwsClause == nil {
      return """
        \(head)
          \(report)
          return nil
        }
        """
    }
    // An error of a type of its own can't be made up, and the closure may be left in no other way.
    guard function.isVoid else {
      diagnoseMissingDefault(of: property, function: function, in: context)
      return nil
    }
    return """
      \(head)
        \(report)
      }
      """
  }

  /// A given default, with a report before all else.
  private static func unimplemented(_ closure: ClosureExprSyntax, report: String) -> String {
    let signature: String = closure.signature.map { " \($0.trimmed)" } ?? ""
    var statements: CodeBlockItemListSyntax = closure.statements.trimmed
    if statements.count == 1, let only = statements.first,
      let expression = only.item.as(ExprSyntax.self),
      // An `if` or `switch` is a value or a statement; `return` before it suits both.
      !expression.is(SequenceExprSyntax.self) || !"\(expression.trimmed)".contains(" = ")
    {
      statements = [
        CodeBlockItemSyntax(
          item: .stmt("return \(expression.trimmed)"),
          trailingTrivia: closure.statements.trailingTrivia)
      ]
    }
    return """
      {\(signature)
        \(report)
        \(statements)
      }
      """
  }

  private static func diagnoseMissingDefault(
    of property: ClientProperty, function: FunctionTypeSyntax,
    in context: some MacroExpansionContext
  ) {
    guard let binding = property.declaration.bindings.first else { return }
    let ignored: String =
      function.parameters.isEmpty
      ? "" : function.parameters.map { _ in "_" }.joined(separator: ", ") + " in "
    let isThrowing: Bool = function.effectSpecifiers?.throwsClause != nil
    let kind: String = isThrowing ? "typed-throwing" : "non-throwing"
    let placeholder = "{ \(ignored)<#\(function.returnClause.type.trimmed)#> }"
    var fixed: PatternBindingSyntax = binding
    if var annotation = fixed.typeAnnotation {
      annotation.trailingTrivia = []
      fixed.typeAnnotation = annotation
    }
    fixed.initializer = InitializerClauseSyntax(
      leadingTrivia: .space, equal: .equalToken(trailingTrivia: .space),
      value: ExprSyntax("\(raw: placeholder)"), trailingTrivia: binding.trailingTrivia)
    context.refuse(
      binding,
      """
      Default value required for \(kind) closure '\(property.name)'

      Defaults are required so that the macro can generate a default, "unimplemented" version of \
      the dependency. The default value can be anything and does not need to signify a real value. \
      For example, if the endpoint returns a boolean, you can return 'false', or if it returns an \
      array, you can return '[]'.
      """,
      fixIts: [
        FixIt(
          message: ClientMessage(message: "Insert '= \(placeholder)'"),
          changes: [.replace(oldNode: Syntax(binding), newNode: Syntax(fixed))])
      ])
  }
}

extension FunctionTypeSyntax {
  /// Whether the function may throw an error of any type.
  var throwsAnyError: Bool {
    guard let clause = effectSpecifiers?.throwsClause else { return false }
    guard let type = clause.type else { return true }
    return ["any Error", "any Swift.Error"].contains(type.trimmedDescription)
  }

  /// Whether the function gives an optional, as far as its spelling tells.
  fileprivate var returnsOptional: Bool {
    let type: TypeSyntax = returnClause.type
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1 {
      return tuple.elements.first?.type.is(OptionalTypeSyntax.self) == true
    }
    if type.is(OptionalTypeSyntax.self) { return true }
    let name: String? =
      type.as(IdentifierTypeSyntax.self)?.name.text ?? type.as(MemberTypeSyntax.self)?.name.text
    return name == "Optional"
  }

  /// Whether the function gives no value.
  var isVoid: Bool {
    let type: TypeSyntax = returnClause.type
    if let tuple = type.as(TupleTypeSyntax.self) { return tuple.elements.isEmpty }
    return ["Void", "Swift.Void"].contains(type.trimmedDescription)
  }
}
