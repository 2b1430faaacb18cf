import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@PerceptionTracked`: a property over a private storage of its own.
enum PerceptionTrackedMacro {}

extension PerceptionTrackedMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax,
    providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let property = declaration.as(VariableDeclSyntax.self), property.isObservable,
      let name = property.soleName
    else { return [] }
    let storage: String = "_" + name.plain
    let keyPath: String = "\\." + name.spelled
    return [
      """
      @storageRestrictions(initializes: \(raw: storage))
      init(initialValue) {
        \(raw: storage) = initialValue
      }
      """,
      """
      get {
        access(keyPath: \(raw: keyPath))
        return \(raw: storage)
      }
      """,
      """
      set {
        guard shouldNotifyObservers(\(raw: storage), newValue) else {
          \(raw: storage) = newValue
          return
        }
        withMutation(keyPath: \(raw: keyPath)) {
          \(raw: storage) = newValue
        }
      }
      """,
      """
      _modify {
        access(keyPath: \(raw: keyPath))
        _$perceptionRegistrar.willSet(self, keyPath: \(raw: keyPath))
        defer { _$perceptionRegistrar.didSet(self, keyPath: \(raw: keyPath)) }
        yield &\(raw: storage)
      }
      """,
    ]
  }
}

extension PerceptionTrackedMacro: PeerMacro {
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
    let modifiers = property.modifiers.filter { modifier in
      !["public", "open", "package", "internal", "fileprivate", "private"]
        .contains(modifier.name.text)
    }.map { $0.trimmedDescription + " " }.joined()
    return [
      """
      \(raw: property.attributes.availability)@Perception.PerceptionIgnored
      private \(raw: modifiers)var _\(raw: name.plain)\(raw: type)\(raw: value)\(raw: observers)
      """
    ]
  }
}
