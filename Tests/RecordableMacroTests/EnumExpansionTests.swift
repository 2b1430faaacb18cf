import Testing

struct EnumExpansionTests {
  // A case is its number; the types of its values come from its constructor.
  @Test func casesWithAndWithoutValues() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case increment
            case itemRenamed(id: Int, String)
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .increment:
                try writer.put(byte: 0)
              case .itemRenamed(id: let value0, let value1):
                try writer.put(byte: 1)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
                let field1 = ActionCoding.RecordField(value1)
                try writer.put(field1)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                self = .increment
              case 1:
                let types = ActionCoding.recordFieldTypes(Self.itemRenamed(id:_:))
                let value0 = try reader.get(types.0)
                let value1 = try reader.get(types.1)
                self = .itemRenamed(id: value0, value1)
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              cases.append(.init(index: 0, name: "increment"))
              do {
                let types = ActionCoding.recordFieldTypes(Self.itemRenamed(id:_:))
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("id", schema.type(types.0)))
                fields.append(.init("_1", schema.type(types.1)))
                cases.append(.init(index: 1, name: "itemRenamed", fields: fields))
              }
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  // Private types can't be named by an extension, and a reducer sees to itself.
  @Test func nestedTypesGetTheMacroToo() throws {
    #expect(
      try expand(
        #"""
        @Recordable
        enum Action {
          enum Alert {}
          struct Payload {}
          private enum Hidden {}
          @Reducer struct Child {}
          struct Key: DependencyKey {}
          struct Mine: ActionCoding.Recordable {}
          struct Moved: ~Copyable {}
          class Reference {}
        }
        """#
      ).text.hasPrefix(
        #"""
        enum Action {
          @ActionCoding._RecordableNested1
          enum Alert {}
          @ActionCoding._RecordableNested1
          struct Payload {}
          private enum Hidden {}
          @Reducer struct Child {}
          struct Key: DependencyKey {}
          struct Mine: ActionCoding.Recordable {}
          struct Moved: ~Copyable {}
          class Reference {}
        }
        """#))
  }

  @Test func indirectCasesCountTheirDepth() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Tree {
            case leaf
            indirect case node(Tree)
          }
          """#)
          == #"""
          extension Tree: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .leaf:
                try writer.put(byte: 0)
              case .node(let value0):
                try writer.put(byte: 1)
                try writer.descend()
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
                writer.ascend()
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                self = .leaf
              case 1:
                try reader.descend()
                let types = ActionCoding.recordFieldTypes(Self.node)
                let field0 = try reader.field(types) {
                (reader, type) throws(ActionCoding.RecordDecodingError) in
                  try reader.get(type)
                }
                self = ActionCoding.recordCase(Self.node, field0)
                reader.ascend()
              default:
                throw reader.unknownCase(number, of: "Tree")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              cases.append(.init(index: 0, name: "leaf"))
              do {
                let types = ActionCoding.recordFieldTypes(Self.node)
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.type(types)))
                cases.append(.init(index: 1, name: "node", fields: fields))
              }
              return .enumeration(name: "Tree", cases: cases)
            }
          }
          """#)
  }

  // Each case of each branch has a number of its own.
  @Test func conditionalCasesStayUnderTheirCondition() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case a
            #if DEBUG
              case b
            #elseif os(Linux)
              case c
            #else
              case d
            #endif
            case e
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .a:
                try writer.put(byte: 0)
              #if DEBUG
              case .b:
                try writer.put(byte: 1)
              #elseif os(Linux)
              case .c:
                try writer.put(byte: 2)
              #else
              case .d:
                try writer.put(byte: 3)
              #endif
              case .e:
                try writer.put(byte: 4)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                self = .a
              #if DEBUG
              case 1:
                self = .b
              #elseif os(Linux)
              case 2:
                self = .c
              #else
              case 3:
                self = .d
              #endif
              case 4:
                self = .e
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              cases.append(.init(index: 0, name: "a"))
              #if DEBUG
              cases.append(.init(index: 1, name: "b"))
              #elseif os(Linux)
              cases.append(.init(index: 2, name: "c"))
              #else
              cases.append(.init(index: 3, name: "d"))
              #endif
              cases.append(.init(index: 4, name: "e"))
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  @Test func reservedWordsAndDefaultsAndComments() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case `default`(`in`: Int = 3) // c
            case `init`(_ x: Int) /* d */
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .`default`(in: let value0):
                try writer.put(byte: 0)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
              case .`init`(let value0):
                try writer.put(byte: 1)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                let types = ActionCoding.recordFieldTypes(Self.`default`(in:))
                self = .`default`(in: try reader.get(types))
              case 1:
                let types = ActionCoding.recordFieldTypes(Self.`init`)
                self = .`init`(try reader.get(types))
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              do {
                let types = ActionCoding.recordFieldTypes(Self.`default`(in:))
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("in", schema.type(types), default: 3))
                cases.append(.init(index: 0, name: "default", fields: fields))
              }
              do {
                let types = ActionCoding.recordFieldTypes(Self.`init`)
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.type(types)))
                cases.append(.init(index: 1, name: "init", fields: fields))
              }
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  // The one is never made; the other gives no warning.
  @Test func unavailableAndDeprecatedCases() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            @available(*, unavailable) case gone(Int)
            @available(*, deprecated) case old
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            @available(*, deprecated)
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .gone:
                try writer.put(byte: 0)
              case .old:
                try writer.put(byte: 1)
              }
            }

            @available(*, deprecated)
            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 1:
                self = .old
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            @available(*, deprecated)
            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              cases.append(.init(index: 0, name: "gone"))
              cases.append(.init(index: 1, name: "old"))
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  @Test func anEnumWithoutCases() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          public enum Never {
          }
          """#)
          == #"""
          extension Never: ActionCoding.Recordable {
            nonisolated public func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              }
            }

            nonisolated public init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              throw reader.error("'Never' has no cases: a value of it can't exist.")
            }

            nonisolated public static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              return .enumeration(name: "Never", cases: [])
            }
          }
          """#)
  }
}
