import Testing

struct StructExpansionTests {
  // Computed, lazy and static ones have no storage of the value.
  @Test func storedPropertiesInTheirOrder() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          struct State {
            var a = 1, b: String
            let c: Int
            var observed = 1 { didSet {} }
            var computed: Int { 1 }
            var accessors: Int { get { 1 } set {} }
            lazy var late = 1
            static let shared = 1
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self.a)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.b)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.c)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.observed)
                try writer.put(field)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                self.a = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.b
                }
                self.b = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.c
                }
                self.c = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.observed
                }
                self.observed = try reader.get(type)
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                fields.append(.init("a", schema.type(type), default: 1))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.b
                }
                fields.append(.init("b", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.c
                }
                fields.append(.init("c", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.observed
                }
                fields.append(.init("observed", schema.type(type), default: 1))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func constantsAreComparedAndNeverAssigned() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          struct State {
            let constant = 5
            let pair = (1, "x")
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self.constant)
                try writer.put(field)
              }
              do {
                let field_0 = ActionCoding.RecordField(self.pair.0)
                try writer.put(field_0)
                let field_1 = ActionCoding.RecordField(self.pair.1)
                try writer.put(field_1)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let field = ActionCoding.RecordField(self.constant)
                try reader.check(field, "constant")
              }
              do {
                let field_0 = ActionCoding.RecordField(self.pair.0)
                try reader.check(field_0, "pair")
                let field_1 = ActionCoding.RecordField(self.pair.1)
                try reader.check(field_1, "pair")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.constant
                }
                fields.append(.init("constant", schema.type(type), isConstant: true, default: 5))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.pair
                }
                let type_0 = type.part {
                  $0.0
                }
                let type_1 = type.part {
                  $0.1
                }
                fields.append(.init("pair", schema.tuple([("_0", schema.type(type_0)), ("_1", schema.type(type_1))]), isConstant: true))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func storageOfObservedAndWrappedProperties() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          @ObservableState
          public struct State {
            var `default` = 1
            let id: Int
            @ObservationStateIgnored var ignored = 1
            @Presents var child: Child.State?
            @Shared(.count) var count = 0
            var (left, right) = (1, 2)
            @available(iOS 15, *) @MainActor @ObservationStateIgnored var plain = 1
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated public func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self._default)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.id)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.ignored)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self._child)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self._count)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.left)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.right)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.plain)
                try writer.put(field)
              }
            }

            nonisolated public init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._default
                }
                self._default = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.id
                }
                self.id = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.ignored
                }
                self.ignored = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._child
                }
                self._child = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._count
                }
                self._count = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.left
                }
                self.left = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.right
                }
                self.right = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.plain
                }
                self.plain = try reader.get(type)
              }
            }

            nonisolated public static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._default
                }
                fields.append(.init("default", schema.type(type), default: 1))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.id
                }
                fields.append(.init("id", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.ignored
                }
                fields.append(.init("ignored", schema.type(type), default: 1))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._child
                }
                fields.append(.init("child", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._count
                }
                fields.append(.init("count", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.left
                }
                fields.append(.init("left", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.right
                }
                fields.append(.init("right", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.plain
                }
                fields.append(.init("plain", schema.type(type), default: 1))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func wrappersWithoutObservation() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          package struct State {
            var plain = 1
            @SharedReader var shared: Int
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated package func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self.plain)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self._shared)
                try writer.put(field)
              }
            }

            nonisolated package init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.plain
                }
                self.plain = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._shared
                }
                self._shared = try reader.get(type)
              }
            }

            nonisolated package static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.plain
                }
                fields.append(.init("plain", schema.type(type), default: 1))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root._shared
                }
                fields.append(.init("shared", schema.type(type)))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func tuplesOfProperties() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          struct State {
            var point: (x: Int, Int)
            let (a, b): (Int, Int)
            var inferred = (1, name: "x")
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field_0 = ActionCoding.RecordField(self.point.0)
                try writer.put(field_0)
                let field_1 = ActionCoding.RecordField(self.point.1)
                try writer.put(field_1)
              }
              do {
                let field = ActionCoding.RecordField(self.a)
                try writer.put(field)
              }
              do {
                let field = ActionCoding.RecordField(self.b)
                try writer.put(field)
              }
              do {
                let field_0 = ActionCoding.RecordField(self.inferred.0)
                try writer.put(field_0)
                let field_1 = ActionCoding.RecordField(self.inferred.1)
                try writer.put(field_1)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.point
                }
                let value_0Type = type.part {
                  $0.0
                }
                let value_0 = try reader.get(value_0Type)
                let value_1Type = type.part {
                  $0.1
                }
                let value_1 = try reader.get(value_1Type)
                self.point = (x: value_0, value_1)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                self.a = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.b
                }
                self.b = try reader.get(type)
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.inferred
                }
                let value_0Type = type.part {
                  $0.0
                }
                let value_0 = try reader.get(value_0Type)
                let value_1Type = type.part {
                  $0.1
                }
                let value_1 = try reader.get(value_1Type)
                self.inferred = (value_0, name: value_1)
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.point
                }
                let type_0 = type.part {
                  $0.0
                }
                let type_1 = type.part {
                  $0.1
                }
                fields.append(.init("point", schema.tuple([("x", schema.type(type_0)), ("_1", schema.type(type_1))])))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                fields.append(.init("a", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.b
                }
                fields.append(.init("b", schema.type(type)))
              }
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.inferred
                }
                let type_0 = type.part {
                  $0.0
                }
                let type_1 = type.part {
                  $0.1
                }
                fields.append(.init("inferred", schema.tuple([("_0", schema.type(type_0)), ("name", schema.type(type_1))])))
              }
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func conditionalPropertiesStayUnderTheirCondition() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          struct State {
            #if DEBUG
              var a = 1
            #endif
          }
          """#)
          == #"""
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              #if DEBUG
              do {
                let field = ActionCoding.RecordField(self.a)
                try writer.put(field)
              }
              #endif
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              #if DEBUG
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                self.a = try reader.get(type)
              }
              #endif
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              #if DEBUG
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.a
                }
                fields.append(.init("a", schema.type(type), default: 1))
              }
              #endif
              return .structure(name: "State", fields: fields)
            }
          }
          """#)
  }

  @Test func genericStructsAskWithTheirLabel() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          struct Box<T> {
            var value: T
          }
          """#)
          == #"""
          extension Box: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self.value)
                try writer.put(generic: field)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.value
                }
                self.value = try reader.get(generic: type)
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.value
                }
                fields.append(.init("value", schema.type(generic: type)))
              }
              return .structure(name: "Box", fields: fields)
            }
          }
          """#)
  }

  @Test func typesNestedInGenericOnesAskWithTheLabelToo() throws {
    #expect(
      try expansion(
        of: #"""
          struct Outer<T> {
            @Recordable
            struct Inner {
              var value: T
            }
          }
          """#)
          == #"""
          extension Outer.Inner: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              do {
                let field = ActionCoding.RecordField(self.value)
                try writer.put(generic: field)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.value
                }
                self.value = try reader.get(generic: type)
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var fields: [ActionCoding.RecordSchema.Field] = []
              do {
                let type = ActionCoding.RecordFieldType { (root: Self) in
                  root.value
                }
                fields.append(.init("value", schema.type(generic: type)))
              }
              return .structure(name: "Outer.Inner", fields: fields)
            }
          }
          """#)
  }

  @Test func availabilityOfTheTypeIsKept() throws {
    #expect(
      try expansion(
        of: #"""
          @available(macOS 15, *)
          @Recordable
          struct State {
          }
          """#)
          == #"""
          extension @available(macOS 15, *)
          struct State {
          }

          @available(macOS 15, *)
          extension State: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {

            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {

            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              return .structure(name: "State", fields: [])
            }
          }
          """#)
  }
}
