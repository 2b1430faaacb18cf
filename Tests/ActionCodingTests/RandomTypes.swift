import ActionCoding
import Foundation

/// A type as a test makes it up, with its values and changes.
indirect enum RandomType {
  case primitive(RecordSchema.Primitive)
  case optional(RandomType)
  case array(RandomType)
  case set(RecordSchema.Primitive)
  case dictionary(RandomType)
  case structure(String, [Field])
  case enumeration(String, [Case])

  struct Field {
    var name: String
    var type: RandomType
    var standard: RecordLiteral = .absent
  }

  struct Case {
    var index: UInt64
    var name: String
    var fields: [Field]
  }

  // MARK: - Making them up

  static func random(_ depth: Int, _ random: inout Seeded) -> RandomType {
    switch depth == 0 ? 0 : Int.random(in: 0..<8, using: &random) {
    case 1: return .optional(Self.random(depth - 1, &random))
    case 2: return .array(Self.random(depth - 1, &random))
    case 3: return .set([.int16, .string, .uint8].randomElement(using: &random) ?? .int16)
    case 4: return .dictionary(Self.random(depth - 1, &random))
    case 5, 6:
      return .structure("S\(random.next() % 100)", fields("f", depth, &random))
    case 7:
      let count = Int.random(in: 1..<5, using: &random)
      return .enumeration(
        "E\(random.next() % 100)",
        (0..<count).map { index in
          let prefix = Bool.random(using: &random) ? "_" : "l"
          return Case(
            index: UInt64(index), name: "c\(index)", fields: fields(prefix, depth, &random))
        })
    default:
      return .primitive(
        [.int8, .int32, .int, .uint16, .float, .double, .string, .bool, .uuid, .date]
          .randomElement(using: &random) ?? .int)
    }
  }

  private static func fields(_ prefix: String, _ depth: Int, _ random: inout Seeded) -> [Field] {
    (0..<Int.random(in: 0..<4, using: &random)).map {
      Field(name: "\(prefix)\($0)", type: Self.random(depth - 1, &random))
    }
  }

  func value(_ random: inout Seeded) -> RecordValue {
    func count() -> Int { Int.random(in: 0..<4, using: &random) }
    switch self {
    case .primitive(let primitive): return Self.value(primitive, &random)
    case .optional(let type):
      return Bool.random(using: &random) ? .null : type.present(type.value(&random))
    case .array(let type): return .array((0..<count()).map { _ in type.value(&random) })
    case .set(let primitive):
      return .set((0..<count()).map { _ in Self.value(primitive, &random) })
    case .dictionary(let type):
      return .dictionary((0..<count()).map { .init(.string("k\($0)"), type.value(&random)) })
    case .structure(let name, let fields):
      return .structure(
        name: name, fields: fields.map { .init($0.name, $0.type.value(&random)) })
    case .enumeration(let name, let cases):
      guard let item = cases.randomElement(using: &random) else { return .null }
      return .enumeration(
        name: name, case: item.name,
        fields: item.fields.map { .init($0.name, $0.type.value(&random)) })
    }
  }

  private static func value(
    _ primitive: RecordSchema.Primitive, _ random: inout Seeded
  ) -> RecordValue {
    let number = Int64.random(in: -100...100, using: &random)
    switch primitive {
    case .bool: return .bool(number > 0)
    case .uint8, .uint16: return .uint(UInt64(abs(number)))
    case .float: return .float(Float(number) / 3)
    case .double: return .double(Double(number) / 3)
    case .string: return .string("\(number)")
    case .date: return .date(.init(timeIntervalSinceReferenceDate: Double(number)))
    case .uuid: return .uuid(.init(uuidString: "00000000-0000-0000-0000-000000000001") ?? .init())
    default: return .int(number)
    }
  }

  /// How many optionals are around what is in them.
  private var levels: Int {
    if case .optional(let wrapped) = self { wrapped.levels + 1 } else { 0 }
  }

  /// A value of this type as what an optional holds.
  func present(_ value: RecordValue) -> RecordValue {
    if case .optional = self { return .some(value) }
    return value
  }

  // MARK: - The schema

  var schema: RecordSchema {
    var types: [RecordSchema.Definition] = []
    _ = self.add(to: &types)
    return RecordSchema(types: types)
  }

  private func add(to types: inout [RecordSchema.Definition]) -> Int {
    let index = types.count
    types.append(.primitive(.bool))
    switch self {
    case .primitive(let primitive): types[index] = .primitive(primitive)
    case .optional(let type): types[index] = .optional(type.add(to: &types))
    case .array(let type): types[index] = .array(type.add(to: &types))
    case .set(let primitive):
      types[index] = .set(RandomType.primitive(primitive).add(to: &types))
    case .dictionary(let type):
      let key = RandomType.primitive(.string).add(to: &types)
      types[index] = .dictionary(key: key, value: type.add(to: &types))
    case .structure(let name, let fields):
      types[index] = .structure(name: name, fields: Self.add(fields, to: &types))
    case .enumeration(let name, let cases):
      let all = cases.map {
        RecordSchema.Case(
          index: $0.index, name: $0.name, fields: Self.add($0.fields, to: &types))
      }
      types[index] = .enumeration(name: name, cases: all)
    }
    return index
  }

  private static func add(
    _ fields: [Field], to types: inout [RecordSchema.Definition]
  ) -> [RecordSchema.Field] {
    fields.map { RecordSchema.Field($0.name, $0.type.add(to: &types), default: $0.standard) }
  }
}

// MARK: - Changes

extension RandomType {
  typealias Change = (RecordValue) -> RecordValue

  /// The type after some changes that keep its values, and what becomes of each of them.
  func changed(_ random: inout Seeded) -> (type: RandomType, change: Change) {
    if Int.random(in: 0..<8, using: &random) == 0 {
      return (.optional(self), { self.present($0) })
    }
    switch self {
    case .primitive(let primitive): return Self.changed(primitive)
    case .set(let primitive):
      let (type, change) = Self.changed(primitive)
      guard case .primitive(let now) = type else { return (self, { $0 }) }
      return (
        .set(now),
        { value in
          guard case .set(let elements) = value else { return value }
          return .set(elements.map(change))
        }
      )
    case .optional(let wrapped):
      var (type, change) = wrapped.changed(&random)
      // That the content has become optional can't be told from the whole having become so.
      if type.levels > wrapped.levels { (type, change) = (wrapped, { $0 }) }
      let (now, by) = (type, change)
      return (
        .optional(now),
        { value in
          if case .null = value { return .null }
          if case .optional = wrapped, case .some(let inner) = value {
            return now.present(by(inner))
          }
          return now.present(by(value))
        }
      )
    case .array(let element):
      let (type, change) = element.changed(&random)
      return (
        .array(type),
        { value in
          guard case .array(let elements) = value else { return value }
          return .array(elements.map(change))
        }
      )
    case .dictionary(let content):
      let (type, change) = content.changed(&random)
      return (
        .dictionary(type),
        { value in
          guard case .dictionary(let entries) = value else { return value }
          return .dictionary(entries.map { .init($0.key, change($0.value)) })
        }
      )
    case .structure(let name, let fields):
      let (now, change) = Self.changed(fields, isCase: false, &random)
      return (
        .structure(name + "x", now),
        { value in
          guard case .structure(_, let values) = value else { return value }
          return .structure(name: name, fields: change(values))
        }
      )
    case .enumeration(let name, let cases): return Self.changed(name, cases, &random)
    }
  }

  private static func changed(
    _ primitive: RecordSchema.Primitive
  ) -> (type: RandomType, change: Change) {
    switch primitive {
    case .int8, .int16, .int32: return (.primitive(.int), { $0 })
    case .int: return (.primitive(.int32), { $0 })
    case .uint8: return (.primitive(.int16), { $0.asInt })
    case .uint16: return (.primitive(.uint8), { $0 })
    case .float:
      return (
        .primitive(.double),
        { value in
          guard case .float(let number) = value else { return value }
          return .double(Double(number))
        }
      )
    default: return (.primitive(primitive), { $0 })
    }
  }

  private static func changed(
    _ name: String, _ cases: [Case], _ random: inout Seeded
  ) -> (type: RandomType, change: Change) {
    var changes: [String: ([RecordValue.Field]) -> [RecordValue.Field]] = [:]
    var now: [Case] = []
    for item in cases {
      let (fields, change) = self.changed(item.fields, isCase: true, &random)
      changes[item.name] = change
      now.append(Case(index: 0, name: item.name, fields: fields))
    }
    now.append(Case(index: 0, name: "added", fields: []))
    now.shuffle(using: &random)
    for index in now.indices { now[index].index = UInt64(index) * 3 }
    let all = changes
    return (
      .enumeration(name + "x", now),
      { value in
        guard case .enumeration(_, let label, let fields) = value, let change = all[label] else {
          return value
        }
        return .enumeration(name: name, case: label, fields: change(fields))
      }
    )
  }

  private static func changed(
    _ fields: [Field], isCase: Bool, _ random: inout Seeded
  ) -> (fields: [Field], change: ([RecordValue.Field]) -> [RecordValue.Field]) {
    var now: [Field] = []
    var makers: [String: ([RecordValue.Field]) -> RecordValue] = [:]
    let isRelabelled = isCase && Bool.random(using: &random)
    for (index, field) in fields.enumerated() {
      let (type, change) = field.type.changed(&random)
      // Labels that come or go leave the values at their places.
      let isPlain = field.name.hasPrefix("_")
      let name = isRelabelled ? isPlain ? "new\(index)" : "_\(index)" : field.name
      now.append(Field(name: name, type: type))
      makers[name] = { change($0[index].value) }
    }
    if !isRelabelled {
      if !now.isEmpty, Bool.random(using: &random) { now.removeLast() }
      if Bool.random(using: &random) {
        now.append(Field(name: "maybe", type: .optional(.primitive(.string))))
        makers["maybe"] = { _ in .null }
      }
      if Bool.random(using: &random) {
        now.append(Field(name: "given", type: .primitive(.int8), standard: 7))
        makers["given"] = { _ in .int(7) }
      }
      // A list of as many, with a name that has no label among them, would be matched by place.
      if now.count == fields.count, now.map(\.name) != fields.map(\.name), isCase {
        now.append(Field(name: "more", type: .array(.primitive(.bool)), standard: []))
        makers["more"] = { _ in .array([]) }
      }
      now.shuffle(using: &random)
    }
    let order = now
    let all = makers
    return (
      now, { values in order.map { .init($0.name, all[$0.name]?(values) ?? .null) } }
    )
  }
}

extension RecordValue {
  fileprivate var asInt: RecordValue {
    if case .uint(let number) = self { .int(Int64(number)) } else { self }
  }
}
