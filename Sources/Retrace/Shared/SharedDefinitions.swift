internal import ActionCoding
internal import Sharing

/// What the log of a stream defines of shared values.
struct SharedDefinitions: Sendable {
  /// The schemas of values' types, by their numbers.
  private(set) var types: [Int: RecordSchema] = [:]
  private(set) var references: [Int: SharedDefinition] = [:]
  private var keys: [SharedKeyName: [Int]] = [:]

  mutating func add(type number: Int, _ schema: RecordSchema) {
    self.types[number] = schema
  }

  mutating func add(_ index: Int, _ definition: SharedDefinition) {
    let isNew = self.references.updateValue(definition, forKey: index) == nil
    guard isNew, let key = definition.key else { return }
    self.keys[key, default: []].append(SharedNumber.defined(index))
  }

  /// The numbers of the references of keys with a name; as a rule there is one.
  func numbers(of key: SharedKeyName) -> [Int] { self.keys[key] ?? [] }

  /// The numbers of references that no key holds, in order.
  var numbersWithoutKey: [Int] {
    self.references.filter { $0.value.key == nil }.keys.sorted().map { SharedNumber.defined($0) }
  }

  /// The key of a reference, `nil` where it has none.
  func key(of number: Int) -> SharedKeyName? {
    SharedNumber.isMade(number) ? nil : self.references[number / 2]?.key
  }

  /// What people call a reference.
  func name(of number: Int) -> String {
    if let key = self.key(of: number) { return key.key }
    return SharedNumber.isMade(number)
      ? "Shared(value:) number \(number / 2 + 1) of the reducers"
      : "Shared(value:) number \(number / 2)"
  }
}
