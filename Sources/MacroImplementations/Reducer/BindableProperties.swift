import SwiftSyntax
import SwiftSyntaxBuilder

/// The properties of a state that a binding action may write, as the list that puts them into
/// records by name.
struct BindableProperties {
  private struct Property {
    var name: PropertyName
    var isRedacted: Bool
  }

  private let properties: [ConditionalMember<Property>]

  /// Nil where nothing outside of an actor can name the properties.
  init?(_ declaration: StructDeclSyntax) {
    guard !declaration.attributes.spelledNames.contains(where: { $0.hasSuffix("Actor") }) else {
      return nil
    }
    self.properties = declaration.memberBlock.members.conditionalMembers { member in
      guard let property = member.as(VariableDeclSyntax.self), property.isBindable,
        let name = property.soleName
      else { return [] }
      return [
        Property(name: name, isRedacted: property.attributes.hasAttribute("Redacted"))
      ]
    }
  }

  func declaration(access: String) -> DeclSyntax {
    let lines = properties.flatMap { member in
      member.lines { property in
        let (name, label) = (property.name, property.isRedacted ? "redacted: " : "")
        return [
          """
          properties += \
          ComposableArchitecture._$bindable(\(label)"\(name.plain)", \\Self.\(name.spelled))
          """
        ]
      }
    }
    let list = "[ComposableArchitecture._$BindableProperty<Self>]"
    let body =
      lines.isEmpty
      ? ["[]"] : ["var properties: \(list) = []"] + lines + ["return properties"]
    return DeclSyntax(
      stringLiteral: """
        \(access)nonisolated static var _$bindableProperties: \(list) {
        \(body.joined(separator: "\n").indentedLines(1))
        }
        """)
  }
}

extension VariableDeclSyntax {
  /// Whether a writable key path leads to the property from wherever the state is.
  fileprivate var isBindable: Bool {
    let exceptions: Set<String> = ["static", "class", "lazy", "weak", "unowned"]
    guard bindingSpecifier.tokenKind == .keyword(.var), let binding = bindings.first,
      !modifiers.contains(where: { exceptions.contains($0.name.text) })
    else { return false }
    // A property wrapper may have no setter, and what is deprecated must not be named.
    let plain: Set<String> = [
      "ObservationStateIgnored", "ObservationStateTracked", "Presents", "Redacted",
    ]
    guard
      attributes.spelledNames.allSatisfy({ plain.contains($0) || $0.first?.isLowercase == true }),
      !attributes.hasAttribute("available")
    else { return false }
    return !binding.hasGetter || binding.hasSetter
  }
}

extension PatternBindingSyntax {
  /// Whether the binding has a setter of its own, and a getter that leaves the value alone.
  fileprivate var hasSetter: Bool {
    guard case .accessors(let accessors)? = accessorBlock?.accessors else { return false }
    let specifiers = accessors.map(\.accessorSpecifier.text)
    let getters = accessors.filter { $0.accessorSpecifier.text == "get" }
    return specifiers.contains { $0 == "set" || $0 == "_modify" }
      && getters.allSatisfy { $0.modifier == nil && $0.effectSpecifiers == nil }
  }
}
