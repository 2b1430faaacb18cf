import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@ObservationStateTracked`: a property over a private storage of its own.
enum ObservationStateTrackedMacro {}

extension ObservationStateTrackedMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self), property.isObservable,
      let name = property.soleName
    else { return [] }
    let storage = "_" + name.plain
    return [
      """
      @storageRestrictions(initializes: \(raw: storage))
      init(initialValue) {
        \(raw: storage) = initialValue
      }
      """
    ] + ObservedAccessors(name: name, access: storage, value: storage).declarations
  }
}

extension ObservationStateTrackedMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self), property.isObservable,
      let name = property.soleName, let binding = property.bindings.first
    else { return [] }
    // Observers written on the property watch the storage, where the values arrive.
    let type = binding.typeAnnotation.map { ": " + $0.type.trimmedDescription } ?? ""
    let value = binding.initializer.map { " = " + $0.value.trimmedDescription } ?? ""
    let observers = binding.accessorBlock.map { " " + $0.trimmedDescription } ?? ""
    let attributes = property.attributes.availability
    let modifiers = property.modifiers.filter { modifier in
      !["public", "package", "internal", "fileprivate", "private"].contains(modifier.name.text)
    }.map { $0.trimmedDescription + " " }.joined()
    return [
      """
      \(raw: attributes)@ComposableArchitecture.ObservationStateIgnored
      private \(raw: modifiers)var _\(raw: name.plain)\(raw: type)\(raw: value)\(raw: observers)
      """
    ]
  }
}

/// Getter, setter and access in place of a property that is observed.
struct ObservedAccessors {
  /// The property that observers see.
  var name: PropertyName

  /// What is read and written.
  var access: String

  /// What tells whether a write is a change; of the new value the same member.
  var value: String

  private var registrar: String { "_$observationRegistrar" }

  private var newValue: String {
    "newValue" + value.dropFirst(access.count)
  }

  /// The bit that stands for the property among those that were ever read.
  private var flag: String {
    let hash = name.plain.utf8.reduce(UInt64(5_381)) { $0 &* 33 &+ UInt64($1) }
    return "0x" + String(UInt64(1) << (hash % 64), radix: 16)
  }

  var declarations: [AccessorDeclSyntax] {
    [
      """
      get {
        if \(raw: registrar)._$mayBeRead {
          \(raw: registrar)._$access(self, keyPath: \\.\(raw: name.spelled), flag: \(raw: flag))
        }
        return \(raw: access)
      }
      """,
      """
      set {
        guard \(raw: registrar)._$mayBeObserved(\(raw: flag)),
          ComposableArchitecture._$shouldNotify(from: \(raw: value), to: \(raw: newValue))
        else {
          \(raw: access) = newValue
          return
        }
        \(raw: registrar).willSet(self, keyPath: \\.\(raw: name.spelled))
        \(raw: access) = newValue
        \(raw: registrar).didSet(self, keyPath: \\.\(raw: name.spelled))
      }
      """,
      """
      _modify {
        guard \(raw: registrar)._$mayBeObserved(\(raw: flag)) else {
          ComposableArchitecture._$willModify(&\(raw: value))
          yield &\(raw: access)
          return
        }
        let snapshot = ComposableArchitecture._$snapshot(&\(raw: value))
        defer {
          if snapshot.shouldNotify(\(raw: value)) {
            \(raw: registrar).willSet(self, keyPath: \\.\(raw: name.spelled))
            \(raw: registrar).didSet(self, keyPath: \\.\(raw: name.spelled))
          }
        }
        yield &\(raw: access)
      }
      """,
    ]
  }
}

/// The name of a property, as its source spells it and without the backticks.
struct PropertyName {
  var spelled: String

  var plain: String {
    spelled.filter { $0 != "`" }
  }
}

extension VariableDeclSyntax {
  /// The name of the one property that is declared; nil for several.
  var soleName: PropertyName? {
    guard bindings.count == 1,
      let pattern = bindings.first?.pattern.as(IdentifierPatternSyntax.self)
    else { return nil }
    return PropertyName(spelled: pattern.identifier.text)
  }
}
