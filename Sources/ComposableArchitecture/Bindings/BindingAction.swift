public import CasePaths
public import CustomDump
internal import Dependencies

/// The action that writes one value of a feature's state, sent by a control that is bound to it.
///
/// ```swift
/// enum Action: BindableAction {
///   case binding(BindingAction<State>)
/// }
///
/// var body: some ReducerOf<Self> {
///   BindingReducer()
///   Reduce { state, action in
///     switch action {
///     case .binding(\.name): …
///     case .binding: return .none
///     }
///   }
/// }
/// ```
// `@unchecked`: key paths are immutable, and the value is `Sendable` where it is made.
public struct BindingAction<Root>: @unchecked Sendable {
  /// The way to the value that is written.
  public let keyPath: PartialKeyPath<Root>

  let set: (inout Root) -> Void
  let value: Any
  let isValueEqual: (Any) -> Bool
  let report: UnhandledBindingReport?

  init<Value: Equatable>(
    keyPath: WritableKeyPath<Root, Value>, value: Value, report: UnhandledBindingReport?
  ) {
    self.keyPath = keyPath
    self.set = { $0[keyPath: keyPath] = value }
    self.value = value
    self.isValueEqual = { $0 as? Value == value }
    self.report = report
  }

  /// An action on a part, as one on the whole.
  init<Part>(_ action: BindingAction<Part>, of part: WritableKeyPath<Root, Part>) {
    self.keyPath = (part as PartialKeyPath<Root>).appending(path: action.keyPath) ?? part
    self.set = { action.set(&$0[keyPath: part]) }
    self.value = action.value
    self.isValueEqual = action.isValueEqual
    self.report = nil
  }

  /// An action that is never run: it is made to learn which case of an action holds bindings.
  init(probe: Void) {
    self.keyPath = \Root.self
    self.set = { _ in }
    self.value = ()
    self.isValueEqual = { _ in false }
    self.report = nil
  }

  /// Writes the value into the state.
  func run(on state: inout Root) {
    self.report?.isHandled = true
    if let reads = ReducerReads.current {
      self.run(on: &state, in: reads)
    } else {
      self.set(&state)
    }
  }

  /// Writes a value.
  ///
  /// - Parameters:
  ///   - keyPath: The way to the value.
  ///   - value: What is written.
  public static func set<Value: Equatable & Sendable>(
    _ keyPath: WritableKeyPath<Root, Value>, _ value: Value
  ) -> Self where Root: ObservableState {
    Self(keyPath: keyPath, value: value, report: nil)
  }

  /// Matches an action by the value that it writes, in a `switch`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, Value>, bindingAction: Self
  ) -> Bool {
    bindingAction.leads(to: keyPath)
  }
}

extension BindingAction: Equatable {
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.keyPath == rhs.keyPath && lhs.isValueEqual(rhs.value)
  }
}

extension BindingAction: CasePathable {
  /// One case for each value of the state.
  @dynamicMemberLookup
  public struct AllCasePaths: Sendable {
    /// The actions that write a value.
    public subscript<Value: Equatable & Sendable>(
      dynamicMember keyPath: WritableKeyPath<Root, Value>
    ) -> AnyCasePath<BindingAction, Value> where Root: ObservableState {
      BindingAction.casePath(to: keyPath)
    }
  }

  private static func casePath<Value: Equatable & Sendable>(
    to keyPath: WritableKeyPath<Root, Value>
  ) -> AnyCasePath<BindingAction, Value> {
    // Key paths are immutable.
    nonisolated(unsafe) let keyPath = keyPath
    return AnyCasePath<BindingAction, Value>(
      embed: { BindingAction(keyPath: keyPath, value: $0, report: nil) },
      extract: { $0.leads(to: keyPath) ? $0.value as? Value : nil })
  }

  public static var allCasePaths: AllCasePaths { AllCasePaths() }
}

extension BindingAction: CustomStringConvertible {
  public var description: String {
    ".set(\(self.keyPathDescription), \(String(reflecting: self.value)))"
  }

  /// The key path without its root, as the source spells it; `_` where nothing can tell it, as
  /// for a computed property that the state does not list.
  var keyPathDescription: String {
    if let type = Root.self as? any _$BindableState.Type, let name = self.name(in: type) {
      return "\\.\(name)"
    }
    let text = String(reflecting: self.keyPath)
    guard !text.contains("<"), let dot = text.lastIndex(of: ".") else { return "_" }
    return "\\" + text[dot...]
  }

  private func name<State: _$BindableState>(in type: State.Type) -> String? {
    let table = BindableTable<State>.shared
    return (self.keyPath as? PartialKeyPath<State>).flatMap(table.index)
      .map { table.properties[$0].name }
  }
}

extension BindingAction: CustomDumpStringConvertible {
  public var customDumpDescription: String { self.description }
}
