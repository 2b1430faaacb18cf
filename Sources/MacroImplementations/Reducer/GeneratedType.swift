import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A type that `@Reducer` writes, with the members and conformances that other macros would add.
///
/// It does not stand beside the attributes of those macros: their extensions would be expanded
/// while the compiler goes through the extensions of the file already, which it does not survive.
struct GeneratedType {
  /// What a generated type is made to conform to.
  struct Traits: OptionSet {
    let rawValue: Int
    static let casePathable = Self(rawValue: 1)
    static let observable = Self(rawValue: 2)
    static let recordable = Self(rawValue: 4)
  }

  /// `public `, `package ` or nothing.
  let access: String
  /// The feature around the type, then what is around that.
  let scopes: [Syntax]

  /// - Parameter feature: The type that `@Reducer` is on.
  init(
    in feature: some DeclGroupSyntax, access: String, context: some MacroExpansionContext
  ) {
    self.access = access
    self.scopes = [Syntax(feature)] + context.lexicalContext
  }

  /// An enum.
  ///
  /// - Parameters:
  ///   - header: What stands before `enum`, other than the access.
  ///   - lines: The members.
  func enumeration(
    _ name: String, header: String = "", conformances: [String], traits: Traits, lines: [String]
  ) -> DeclSyntax {
    let plain = DeclSyntax(
      stringLiteral: "\(header)\(access)enum \(name) {\n\(lines.joined(separator: "\n"))\n}")
    guard let declaration = plain.as(EnumDeclSyntax.self) else { return plain }
    var members = lines
    if traits.contains(.casePathable) {
      members += CasePathMembers(declaration).declarations(access: access)
        .map(\.trimmedDescription)
    }
    if traits.contains(.observable) {
      members += ObservableEnumMembers(declaration).declarations(access: access)
        .map(\.trimmedDescription)
    }
    if traits.contains(.recordable) {
      members += RecordableEnum(declaration, target: target(declaration, name)).members
    }
    return DeclSyntax(
      stringLiteral: block(
        "\(header)\(access)enum \(name)", conformances + self.conformances(traits), members))
  }

  /// A struct without properties.
  func emptyStructure(_ name: String, conformances: [String], traits: Traits) -> DeclSyntax {
    let plain = DeclSyntax(stringLiteral: "\(access)struct \(name) {}")
    guard let declaration = plain.as(StructDeclSyntax.self) else { return plain }
    var members = ["\(access)init() {}"]
    if traits.contains(.observable) {
      members += ObservableStateMacro.members(access: access).map(\.trimmedDescription)
    }
    if traits.contains(.recordable) {
      members += RecordableStruct(declaration, target: target(declaration, name)).members
    }
    return DeclSyntax(
      stringLiteral: block(
        "\(access)struct \(name)", conformances + self.conformances(traits), members))
  }

  private func conformances(_ traits: Traits) -> [String] {
    var names: [String] = []
    if traits.contains(.casePathable) {
      names += ["nonisolated CasePaths.CasePathable", "nonisolated CasePaths.CasePathIterable"]
    }
    if traits.contains(.observable) {
      names += [
        "nonisolated ComposableArchitecture.ObservableState", "nonisolated Observation.Observable",
      ]
    }
    if traits.contains(.recordable) { names.append("ActionCoding.Recordable") }
    return names
  }

  private func block(_ header: String, _ conformances: [String], _ members: [String]) -> String {
    let list = conformances.isEmpty ? "" : ": " + conformances.joined(separator: ", ")
    guard !members.isEmpty else { return "\(header)\(list) {\n}" }
    return "\(header)\(list) {\n\(members.joined(separator: "\n").indentedLines(1))\n}"
  }

  private func target(_ declaration: some DeclGroupSyntax, _ name: String) -> RecordableTarget {
    let names = scopes.reversed().compactMap { scope -> String? in
      if let scope = scope.as(ExtensionDeclSyntax.self) {
        return scope.extendedType.trimmedDescription
      }
      guard scope.asProtocol((any DeclGroupSyntax).self) != nil else { return nil }
      return scope.asProtocol((any NamedDeclSyntax).self)?.name.text
    }
    let type = TypeSyntax(stringLiteral: (names + [name]).joined(separator: "."))
    return RecordableTarget(declaration: declaration, type: type, lexicalContext: scopes)
  }
}
