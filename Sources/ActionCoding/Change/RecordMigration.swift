/// What has happened to a type since a log was written, where names alone don't tell.
///
/// ```swift
/// let migrations: [RecordMigration] = [
///   .renamedField("name", to: "title", in: "Todo"),
///   .renamedCase("addTapped", to: "addButtonTapped", in: "Todos.Action"),
///   .rewriting("Todos.Action") { value in
///     guard case .enumeration(let type, "toggle", let fields) = value else { return value }
///     return .enumeration(name: type, case: "setDone", fields: fields + [.init("_1", .bool(true))])
///   },
/// ]
/// ```
///
/// Types are named as in the source, with their nesting and without their module, as the errors of
/// ``RecordResolution`` name them; a type that was renamed goes by its old and its new name. The
/// migrations apply in their order, so that a name may change again. A name is left as it is where
/// the recording has the new one already: a list of migrations may grow for ever, and each log takes
/// from it what it needs.
public struct RecordMigration: Sendable {
  enum Kind: Sendable {
    case type(String, String)
    case field(String, String, type: String)
    case enumerationCase(String, String, type: String)
    case rewriting(String, @Sendable (RecordValue) throws -> RecordValue?)
  }

  let kind: Kind

  /// A struct or an enum has another name, or is nested elsewhere.
  ///
  /// Values are read without it, since a type's name is no part of them: it lets the other
  /// migrations know the type.
  public static func renamedType(_ old: String, to new: String) -> Self {
    Self(kind: .type(old, new))
  }

  /// A stored property, or the label of a value that comes with a case, has another name.
  public static func renamedField(_ old: String, to new: String, in type: String) -> Self {
    Self(kind: .field(old, new, type: type))
  }

  /// A case of an enum has another name.
  public static func renamedCase(_ old: String, to new: String, in type: String) -> Self {
    Self(kind: .enumerationCase(old, new, type: type))
  }

  /// Values of a type are written anew, wherever they are.
  ///
  /// `rewrite` is given the value as it was recorded, under its old names. What it returns is then
  /// read by name as the type that is there now, so that it may leave out what has a default value.
  ///
  /// When it returns nil, the value is dropped. In an optional this leaves nil, in a collection one
  /// element less, and everything else that can't be without the value is dropped with it. An action
  /// that is dropped as a whole does nothing in a replay: its number stays, and the state after it
  /// is the state before it. A state can't be dropped, which is an error.
  ///
  /// An error that it throws is the error of reading the value.
  public static func rewriting(
    _ type: String, _ rewrite: @escaping @Sendable (RecordValue) throws -> RecordValue?
  ) -> Self {
    Self(kind: .rewriting(type, rewrite))
  }
}

/// Migrations, and what they say of a name.
struct RecordMigrations: Sendable {
  let list: [RecordMigration]

  init(_ list: [RecordMigration] = []) { self.list = list }

  var isEmpty: Bool { self.list.isEmpty }

  /// The names that a type goes by.
  private func names(of type: String) -> Set<String> {
    self.list.reduce(into: [type]) { names, migration in
      if case .type(let old, let new) = migration.kind, names.contains(old) { names.insert(new) }
    }
  }

  /// The names that the fields of a type have now.
  func fields(_ fields: [String], of type: String) -> [String] {
    self.renamed(fields, of: type) {
      if case .field(let old, let new, let type) = $0 { (old, new, type) } else { nil }
    }
  }

  /// The names that the cases of a type have now.
  func cases(_ cases: [String], of type: String) -> [String] {
    self.renamed(cases, of: type) {
      if case .enumerationCase(let old, let new, let type) = $0 { (old, new, type) } else { nil }
    }
  }

  private func renamed(
    _ names: [String], of type: String,
    by rule: (RecordMigration.Kind) -> (old: String, new: String, type: String)?
  ) -> [String] {
    guard !self.isEmpty else { return names }
    let types = self.names(of: type)
    return self.list.reduce(names) { names, migration in
      guard let rule = rule(migration.kind), types.contains(rule.type),
        !names.contains(rule.new)
      else { return names }
      return names.map { $0 == rule.old ? rule.new : $0 }
    }
  }

  /// Whether a field of the type has another name now.
  func renamesFields(of type: String) -> Bool {
    guard !self.isEmpty else { return false }
    let types = self.names(of: type)
    return self.list.contains {
      if case .field(_, _, let type) = $0.kind { types.contains(type) } else { false }
    }
  }

  /// What writes values of the type anew, in its order.
  func rewrites(of type: String) -> [@Sendable (RecordValue) throws -> RecordValue?] {
    guard !self.isEmpty else { return [] }
    let types = self.names(of: type)
    return self.list.compactMap {
      guard case .rewriting(let type, let rewrite) = $0.kind, types.contains(type) else {
        return nil
      }
      return rewrite
    }
  }
}

extension RecordSchema {
  /// For each of the names that fields have now, the place of the recorded field.
  ///
  /// Fields are matched by name. Where there are as many as before, those that have no label on one
  /// side are matched by their place.
  static func match(_ now: [String], _ then: [String]) -> [Int?] {
    var matches: [Int?] = now.map { then.firstIndex(of: $0) }
    guard now.count == then.count else { return matches }
    for index in now.indices where matches[index] == nil && !matches.contains(index) {
      if Self.isUnlabelled(now[index]) || Self.isUnlabelled(then[index]) { matches[index] = index }
    }
    return matches
  }

  private static func isUnlabelled(_ name: String) -> Bool {
    name.utf8.first == UInt8(ascii: "_") && Int(name.dropFirst()) != nil
  }
}
