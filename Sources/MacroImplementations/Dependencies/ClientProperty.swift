import SwiftSyntax
import SwiftSyntaxBuilder

/// A stored property of a dependency client, as far as its syntax tells.
struct ClientProperty {
  var declaration: VariableDeclSyntax
  /// As spelled, in backticks where the source has them.
  var name: String
  /// What the property holds, if its type is written out or follows from a literal.
  var type: TypeSyntax?
  var initialValue: ExprSyntax?

  /// Fails for computed, static and lazy properties, and for several in one declaration.
  init?(_ declaration: VariableDeclSyntax) {
    guard declaration.bindings.count == 1, let binding = declaration.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self),
      !Self.isComputed(binding),
      !declaration.modifiers.contains(where: {
        [.keyword(.static), .keyword(.class), .keyword(.lazy)].contains($0.name.tokenKind)
      })
    else { return nil }
    self.declaration = declaration
    self.name = pattern.identifier.trimmed.text
    self.initialValue = binding.initializer?.value.trimmed
    self.type = binding.typeAnnotation?.type.trimmed ?? initialValue.flatMap(Self.literalType)
  }

  /// The name without backticks.
  var plainName: String { name.filter { $0 != "`" } }

  var isConstant: Bool { declaration.bindingSpecifier.tokenKind == .keyword(.let) }

  /// The type as a function's, if it is one.
  var function: FunctionTypeSyntax? { type.flatMap(Self.function) }

  /// Whether the property can be an endpoint: a closure that may change, of a type written out.
  var isEndpoint: Bool {
    !isConstant && function != nil && declaration.bindings.first?.typeAnnotation != nil
  }

  var hasEndpointAttribute: Bool {
    declaration.attributes.carriesAttribute("DependencyEndpoint")
      || declaration.attributes.carriesAttribute("DependencyEndpointIgnored")
  }

  /// The widest access that a member made from the property may have.
  var access: Access { Access(declaration.modifiers) }

  private static func isComputed(_ binding: PatternBindingSyntax) -> Bool {
    guard let block = binding.accessorBlock else { return false }
    switch block.accessors {
    case .getter: return true
    case .accessors(let accessors):
      // Observers leave the property stored.
      return !accessors.allSatisfy {
        [.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
      }
    @unknown default: return true
    }
  }

  static func function(_ type: TypeSyntax) -> FunctionTypeSyntax? {
    if let function = type.as(FunctionTypeSyntax.self) { return function }
    if let attributed = type.as(AttributedTypeSyntax.self) { return function(attributed.baseType) }
    if let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let element = tuple.elements.first, element.firstName == nil
    {
      return function(element.type)
    }
    return nil
  }

  private static func literalType(_ value: ExprSyntax) -> TypeSyntax? {
    switch value.kind {
    case .stringLiteralExpr: "Swift.String"
    case .integerLiteralExpr: "Swift.Int"
    case .floatLiteralExpr: "Swift.Double"
    case .booleanLiteralExpr: "Swift.Bool"
    default: nil
    }
  }

  enum Access: Int, Comparable {
    case `private`, `fileprivate`, `internal`, package, `public`

    init(_ modifiers: DeclModifierListSyntax) {
      self = .internal
      for modifier in modifiers where modifier.detail == nil {
        switch modifier.name.tokenKind {
        case .keyword(.private): self = .private
        case .keyword(.fileprivate): self = .fileprivate
        case .keyword(.package): self = .package
        case .keyword(.public), .keyword(.open): self = .public
        default: continue
        }
      }
    }

    /// The access as source, with the space that follows.
    var prefix: String {
      switch self {
      case .private: "private "
      case .fileprivate: "fileprivate "
      case .internal: ""
      case .package: "package "
      case .public: "public "
      }
    }

    static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
  }
}
