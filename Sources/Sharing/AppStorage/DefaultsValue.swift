import Foundation

/// What user defaults hold for a key, as far as shared values are concerned.
enum DefaultsValue: Equatable, Sendable {
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case data(Data)
  case date(Date)
  case strings([String])
  /// Something else, by a description that changes when it does.
  case other(String)

  /// What the store holds; `nil` when it holds nothing.
  init?(_ key: String, in store: UserDefaults) {
    guard let object = store.object(forKey: key) else { return nil }
    // The types in which Foundation gives back what was set or read from the property list.
    switch object {
    case let value as Bool: self = .bool(value)
    case let value as Int: self = .int(value)
    case let value as any BinaryInteger:
      self = Int(exactly: value).map { .int($0) } ?? .other(String(describing: value))
    case let value as Double: self = .double(value)
    case let value as Float: self = .double(Double(value))
    case let value as String: self = .string(value)
    case let value as Data: self = .data(value)
    case let value as Date: self = .date(value)
    default: self = Self.array(object) ?? .other(String(describing: object))
    }
  }

  /// Whether one may be what became of the other on disk, where dates are kept in whole seconds.
  func isSame(as other: Self) -> Bool {
    guard case .date(let one) = self, case .date(let two) = other else { return self == other }
    let (first, second) = (one.timeIntervalSinceReferenceDate, two.timeIntervalSinceReferenceDate)
    if first == second { return true }
    return abs(first - second) < 1 && (first == first.rounded() || second == second.rounded())
  }

  private static func array(_ object: Any) -> Self? {
    if let strings = object as? [String] { return .strings(strings) }
    // Read from a property list, the elements are optional.
    guard let elements = object as? [Any?] else { return nil }
    let strings: [String] = elements.compactMap { $0 as? String }
    return strings.count == elements.count ? .strings(strings) : nil
  }

  /// Sets a key of the store.
  func set(_ key: String, in store: UserDefaults) {
    switch self {
    case .bool(let value): store.set(value, forKey: key)
    case .int(let value): store.set(value, forKey: key)
    case .double(let value): store.set(value, forKey: key)
    case .string(let value): store.set(value as Any, forKey: key)
    case .data(let value): store.set(value as Any, forKey: key)
    case .date(let value): store.set(value as Any, forKey: key)
    case .strings(let value): store.set(value as Any, forKey: key)
    case .other: break
    }
  }
}
