/// Values that go along with a change of a model, to whoever observes it.
///
/// ```swift
/// withUITransaction(\.isQuick, true) {
///   model.count += 1
/// }
/// ```
///
/// Further values are added by a key and a property:
///
/// ```swift
/// enum IsQuickKey: UITransactionKey { static let defaultValue = false }
///
/// extension UITransaction {
///   var isQuick: Bool {
///     get { self[IsQuickKey.self] }
///     set { self[IsQuickKey.self] = newValue }
///   }
/// }
/// ```
public struct UITransaction: Sendable {
  /// The transaction of the change that is being made, or being observed.
  @TaskLocal static var current = Self()

  private var values: [ObjectIdentifier: any Sendable] = [:]

  /// A transaction without values.
  public init() {}

  /// The value of a key; its default where none was set.
  public subscript<K: UITransactionKey>(key: K.Type) -> K.Value {
    get { self.values[ObjectIdentifier(key)] as? K.Value ?? K.defaultValue }
    set { self.values[ObjectIdentifier(key)] = newValue }
  }

  func merging(_ other: Self) -> Self {
    var copy = self
    copy.values.merge(other.values) { _, new in new }
    return copy
  }
}

/// A key of a transaction's values.
public protocol UITransactionKey {
  /// The type of the value.
  associatedtype Value: Sendable

  /// The value where none was set.
  static var defaultValue: Value { get }
}

/// Runs a change with the values of a transaction, over those that are in force.
///
/// - Parameters:
///   - transaction: The values.
///   - body: The change.
/// - Throws: What `body` throws.
public func withUITransaction<Result>(
  _ transaction: UITransaction,
  _ body: () throws -> Result
) rethrows -> Result {
  try UITransaction.$current.withValue(
    UITransaction.current.merging(transaction), operation: body)
}

/// Runs a change with one value of a transaction.
///
/// - Parameters:
///   - keyPath: The value's property.
///   - value: The value.
///   - body: The change.
/// - Throws: What `body` throws.
public func withUITransaction<R, V>(
  _ keyPath: WritableKeyPath<UITransaction, V>,
  _ value: V,
  _ body: () throws -> R
) rethrows -> R {
  var transaction = UITransaction()
  transaction[keyPath: keyPath] = value
  return try withUITransaction(transaction, body)
}
