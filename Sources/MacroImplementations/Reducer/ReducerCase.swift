import SwiftSyntax
import SwiftSyntaxBuilder

/// A case of an enum that `@Reducer` is on, and what becomes of it in each type that is generated.
struct ReducerCase {
  /// What a case is for.
  enum Role: Equatable {
    /// A feature, run while the state is in this case.
    case feature
    /// A state that ends with its first action, as that of an alert.
    case ephemeral
    /// A value, or nothing, that has no actions.
    case value
  }

  /// The name, with its backticks.
  let name: String
  let role: Role

  private let element: EnumCaseElementSyntax
  private let declaration: EnumCaseDeclSyntax

  init(_ element: EnumCaseElementSyntax, of declaration: EnumCaseDeclSyntax) {
    self.name = element.name.text
    self.element = element
    self.declaration = declaration
    let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
    let names = declaration.attributes.spelledNames
    if names.contains("ReducerCaseIgnored") || parameters.count != 1 {
      self.role = .value
    } else if names.contains("ReducerCaseEphemeral") || parameters[0].type.isEphemeral {
      self.role = .ephemeral
    } else {
      // What has no name can't have a state: a tuple, an array, an optional, a function.
      let type = parameters[0].type
      let isNamed = type.is(IdentifierTypeSyntax.self) || type.is(MemberTypeSyntax.self)
      self.role = isNamed ? .feature : .value
    }
  }

  /// The parameter of a case that has exactly one.
  var parameter: EnumCaseParameterSyntax? {
    guard let parameters = element.parameterClause?.parameters, parameters.count == 1 else {
      return nil
    }
    return parameters.first
  }

  // MARK: - What is generated

  var stateCase: [String] {
    switch role {
    case .feature: caseLines(payload(of: stateType))
    case .ephemeral, .value: caseLines(plainPayload)
    }
  }

  var actionCase: [String] {
    switch role {
    case .feature: caseLines("(\(featureType).Action)")
    case .ephemeral: caseLines("(\(featureType).Action)")
    case .value: caseLines("(Swift.Never)")
    }
  }

  var scopeCase: [String] {
    switch role {
    case .feature: caseLines(payload(of: "ComposableArchitecture.StoreOf<\(featureType)>"))
    case .ephemeral, .value: caseLines(plainPayload)
    }
  }

  /// The branch of the switch over the state that makes the case of `CaseScope`.
  var scopeBranch: [String] {
    switch role {
    case .feature:
      return [
        "case .\(name):",
        "  return .\(name)(\(label)store.scope(state: \\.\(name), action: \\.\(name))!)",
      ]
    case .ephemeral, .value:
      let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
      guard !parameters.isEmpty else { return ["case .\(name):", "  return .\(name)"] }
      let patterns = parameters.indices.map { "let v\($0)" }.joined(separator: ", ")
      let values = parameters.enumerated().map { index, parameter in
        parameter.labelPrefix + "v\(index)"
      }.joined(separator: ", ")
      return ["case .\(name)(\(patterns)):", "  return .\(name)(\(values))"]
    }
  }

  /// The reducer of the case; nil where there is nothing to run.
  var scopeReducer: [String]? {
    guard role == .feature else { return nil }
    return [
      "ComposableArchitecture.Scope(",
      "  _$state: Self.State.allCasePaths.\(name), action: Self.Action.allCasePaths.\(name)",
      ") {",
      "  \(reducer)",
      "}",
    ]
  }

  /// The type of ``scopeReducer``.
  var scopeReducerType: String? {
    guard role == .feature else { return nil }
    let child = enumReducer.map { "\($0).Body" } ?? featureType
    return "ComposableArchitecture.Scope<Self.State, Self.Action, \(child)>"
  }

  // MARK: - Parts

  /// The type whose `State` and `Action` these are: of `Destination.Body` that is `Destination`.
  private var featureType: String {
    enumReducer ?? parameter?.type.trimmedDescription ?? ""
  }

  /// The enum reducer that a case names by the reducer it is made of, as `Destination.Body`: an
  /// enum has no value to run.
  private var enumReducer: String? {
    guard let member = parameter?.type.as(MemberTypeSyntax.self), member.name.text == "Body" else {
      return nil
    }
    return member.baseType.trimmedDescription
  }

  private var stateType: String { "\(featureType).State" }

  private var reducer: String {
    if let value = parameter?.defaultValue?.value { return value.trimmedDescription }
    if let enumReducer { return "\(enumReducer).body" }
    return "\(featureType)()"
  }

  private var label: String { parameter?.labelPrefix ?? "" }

  private func payload(of type: String) -> String { "(\(label)\(type))" }

  /// The values as they are written, without their defaults.
  private var plainPayload: String {
    guard let clause = element.parameterClause else { return "" }
    let parameters = clause.parameters.map { $0.labelPrefix + $0.type.trimmedDescription }
    return "(\(parameters.joined(separator: ", ")))"
  }

  private func caseLines(_ payload: String) -> [String] {
    let isIndirect = declaration.modifiers.contains { $0.name.text == "indirect" }
    let attributes = declaration.attributes.availability + (isIndirect ? "indirect " : "")
    return (attributes + "case \(name)\(payload)").split(separator: "\n").map(String.init)
  }
}

extension EnumCaseParameterSyntax {
  /// The label with its colon and a space, or nothing.
  fileprivate var labelPrefix: String {
    guard let firstName, firstName.tokenKind != .wildcard else { return "" }
    return firstName.text + ": "
  }
}

extension TypeSyntax {
  /// Whether this is spelled as the state of an alert or a dialog.
  fileprivate var isEphemeral: Bool {
    ["AlertState", "ConfirmationDialogState"].contains(lastName)
  }
}
