import SwiftSyntax
import SwiftSyntaxBuilder

/// The observed properties of a state, as the list of functions that change them in place.
struct ObservedProperties {
  private let properties: [ConditionalMember<PropertyName>]

  init(_ declaration: StructDeclSyntax) {
    self.properties = declaration.memberBlock.members.conditionalMembers { member in
      guard let property = member.as(VariableDeclSyntax.self), property.isObservable,
        let name = property.soleName, !property.attributes.hasAttribute("available")
      else { return [] }
      if property.attributes.hasAttribute("Presents") {
        return [PropertyName(spelled: "$" + name.plain)]
      }
      // A wrapper keeps its value elsewhere, and what is not tracked is stored as it is.
      let isTracked = property.attributes.spelledNames.allSatisfy {
        $0 == "ObservationStateTracked" || $0 == "Redacted" || $0.first?.isLowercase == true
      }
      return isTracked ? [name] : []
    }
  }

  func declaration(access: String) -> DeclSyntax? {
    let lines = properties.flatMap { member in
      member.lines { name in
        [
          """
          properties.append(ComposableArchitecture._$observed(\\Self.\(name.spelled)) { \
          $1(&$0.\(name.spelled)) })
          """
        ]
      }
    }
    guard !lines.isEmpty else { return nil }
    let list = "[ComposableArchitecture._$ObservedProperty<Self>]"
    let body = ["var properties: \(list) = []"] + lines + ["return properties"]
    return DeclSyntax(
      stringLiteral: """
        \(access)nonisolated static var _$observedProperties: \(list) {
        \(body.joined(separator: "\n").indentedLines(1))
        }
        """)
  }
}
