import Testing

struct PayloadExpansionTests {
  @Test func tuplesAndVoidAreTakenApart() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case point((x: Int, (Double, Double)), Void)
            case nothing(())
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .point(let value0, _):
                try writer.put(byte: 0)
                let field0_0 = ActionCoding.RecordField(value0.0)
                try writer.put(field0_0)
                let field0_1_0 = ActionCoding.RecordField(value0.1.0)
                try writer.put(field0_1_0)
                let field0_1_1 = ActionCoding.RecordField(value0.1.1)
                try writer.put(field0_1_1)
              case .nothing(_):
                try writer.put(byte: 1)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                let types = ActionCoding.recordFieldTypes(Self.point)
                let value0_0Type = types.0.part {
                  $0.0
                }
                let value0_0 = try reader.get(value0_0Type)
                let value0_1Type = types.0.part {
                  $0.1
                }
                let value0_1_0Type = value0_1Type.part {
                  $0.0
                }
                let value0_1_0 = try reader.get(value0_1_0Type)
                let value0_1_1Type = value0_1Type.part {
                  $0.1
                }
                let value0_1_1 = try reader.get(value0_1_1Type)
                self = .point((x: value0_0, (value0_1_0, value0_1_1)), ())
              case 1:
                self = .nothing(())
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              do {
                let types = ActionCoding.recordFieldTypes(Self.point)
                var fields: [ActionCoding.RecordSchema.Field] = []
                let type0_0 = types.0.part {
                  $0.0
                }
                let type0_1 = types.0.part {
                  $0.1
                }
                let type0_1_0 = type0_1.part {
                  $0.0
                }
                let type0_1_1 = type0_1.part {
                  $0.1
                }
                fields.append(.init("_0", schema.tuple([("x", schema.type(type0_0)), ("_1", schema.tuple([("_0", schema.type(type0_1_0)), ("_1", schema.type(type0_1_1))]))])))
                fields.append(.init("_1", schema.tuple([])))
                cases.append(.init(index: 0, name: "point", fields: fields))
              }
              do {
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.tuple([])))
                cases.append(.init(index: 1, name: "nothing", fields: fields))
              }
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  // The failure, mostly any error, must not make the success opaque.
  @Test func resultsAreTakenApart() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case response(Result<Int, any Error>)
            case saved(id: Int, Swift.Result<Void, any Error>)
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .response(let value0):
                try writer.put(byte: 0)
                switch value0 {
                case .success(let value):
                  try writer.put(byte: 0)
                  let field = ActionCoding.RecordField(value)
                  try writer.put(field)
                case .failure(let value):
                  try writer.put(byte: 1)
                  let field = ActionCoding.RecordField(value)
                  try writer.put(field)
                }
              case .saved(id: let value0, let value1):
                try writer.put(byte: 1)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
                switch value1 {
                case .success(_):
                  try writer.put(byte: 0)
                case .failure(let value):
                  try writer.put(byte: 1)
                  let field = ActionCoding.RecordField(value)
                  try writer.put(field)
                }
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                let types = ActionCoding.recordFieldTypes(Self.response)
                let value0 = try reader.getResult(types, success: {
                  (reader: inout ActionCoding.RecordReader) throws(ActionCoding.RecordDecodingError) in
                    let valueType = types.success()
                    return try reader.get(valueType)
                  }, failure: {
                  (reader: inout ActionCoding.RecordReader) throws(ActionCoding.RecordDecodingError) in
                    let valueType = types.failure()
                    return try reader.get(valueType)
                  })
                self = .response(value0)
              case 1:
                let types = ActionCoding.recordFieldTypes(Self.saved(id:_:))
                let value0 = try reader.get(types.0)
                let value1 = try reader.getResult(types.1, success: {
                  (reader: inout ActionCoding.RecordReader) throws(ActionCoding.RecordDecodingError) in
                    return ()
                  }, failure: {
                  (reader: inout ActionCoding.RecordReader) throws(ActionCoding.RecordDecodingError) in
                    let valueType = types.1.failure()
                    return try reader.get(valueType)
                  })
                self = .saved(id: value0, value1)
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              do {
                let types = ActionCoding.recordFieldTypes(Self.response)
                var fields: [ActionCoding.RecordSchema.Field] = []
                let type0_success = types.success()
                let type0_failure = types.failure()
                fields.append(.init("_0", schema.result(schema.type(type0_success), schema.type(type0_failure))))
                cases.append(.init(index: 0, name: "response", fields: fields))
              }
              do {
                let types = ActionCoding.recordFieldTypes(Self.saved(id:_:))
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("id", schema.type(types.0)))
                let type1_failure = types.1.failure()
                fields.append(.init("_1", schema.result(schema.tuple([]), schema.type(type1_failure))))
                cases.append(.init(index: 1, name: "saved", fields: fields))
              }
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }

  @Test func genericEnumsAskWithTheirLabel() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Box<T> {
            case value(T)
          }
          """#)
          == #"""
          extension Box: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              if case .value(let value0) = self {
                try writer.put(byte: 0)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(generic: field0)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                let types = ActionCoding.recordFieldTypes(Self.value)
                let field0 = try reader.field(types) {
                (reader, type) throws(ActionCoding.RecordDecodingError) in
                  try reader.get(generic: type)
                }
                self = ActionCoding.recordCase(Self.value, field0)
              default:
                throw reader.unknownCase(number, of: "Box")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              do {
                let types = ActionCoding.recordFieldTypes(Self.value)
                var fields: [ActionCoding.RecordSchema.Field] = []
                fields.append(.init("_0", schema.type(generic: types)))
                cases.append(.init(index: 0, name: "value", fields: fields))
              }
              return .enumeration(name: "Box", cases: cases)
            }
          }
          """#)
  }

  @Test func manyValuesHaveAClosureEach() throws {
    #expect(
      try expansion(
        of: #"""
          @Recordable
          enum Action {
            case nine(Int, b: Int, Int, Int, Int, Int, Int, Int, Int)
          }
          """#)
          == #"""
          extension Action: ActionCoding.Recordable {
            nonisolated func encode(
              to writer: inout ActionCoding.RecordWriter
            ) throws(ActionCoding.RecordOverflow) {
              switch self {
              case .nine(let value0, b: let value1, let value2, let value3, let value4, let value5, let value6, let value7, let value8):
                try writer.put(byte: 0)
                let field0 = ActionCoding.RecordField(value0)
                try writer.put(field0)
                let field1 = ActionCoding.RecordField(value1)
                try writer.put(field1)
                let field2 = ActionCoding.RecordField(value2)
                try writer.put(field2)
                let field3 = ActionCoding.RecordField(value3)
                try writer.put(field3)
                let field4 = ActionCoding.RecordField(value4)
                try writer.put(field4)
                let field5 = ActionCoding.RecordField(value5)
                try writer.put(field5)
                let field6 = ActionCoding.RecordField(value6)
                try writer.put(field6)
                let field7 = ActionCoding.RecordField(value7)
                try writer.put(field7)
                let field8 = ActionCoding.RecordField(value8)
                try writer.put(field8)
              }
            }

            nonisolated init(
              from reader: inout ActionCoding.RecordReader
            ) throws(ActionCoding.RecordDecodingError) {
              let number = try reader.getCase()
              switch number {
              case 0:
                let type0 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(value, b: _, _, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value0 = try reader.get(type0)
                let type1 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: value, _, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value1 = try reader.get(type1)
                let type2 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, value, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value2 = try reader.get(type2)
                let type3 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, value, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value3 = try reader.get(type3)
                let type4 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, value, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value4 = try reader.get(type4)
                let type5 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, value, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value5 = try reader.get(type5)
                let type6 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, value, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value6 = try reader.get(type6)
                let type7 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, _, value, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value7 = try reader.get(type7)
                let type8 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, _, _, value) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                let value8 = try reader.get(type8)
                self = .nine(value0, b: value1, value2, value3, value4, value5, value6, value7, value8)
              default:
                throw reader.unknownCase(number, of: "Action")
              }
            }

            nonisolated static func recordDefinition(
              in schema: inout ActionCoding.RecordSchemaBuilder
            ) -> ActionCoding.RecordSchema.Definition {
              var cases: [ActionCoding.RecordSchema.Case] = []
              do {
                var fields: [ActionCoding.RecordSchema.Field] = []
                let type0 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(value, b: _, _, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_0", schema.type(type0)))
                let type1 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: value, _, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("b", schema.type(type1)))
                let type2 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, value, _, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_2", schema.type(type2)))
                let type3 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, value, _, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_3", schema.type(type3)))
                let type4 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, value, _, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_4", schema.type(type4)))
                let type5 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, value, _, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_5", schema.type(type5)))
                let type6 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, value, _, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_6", schema.type(type6)))
                let type7 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, _, value, _) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_7", schema.type(type7)))
                let type8 = ActionCoding.RecordFieldType { (root: Self) in
                  if case let .nine(_, b: _, _, _, _, _, _, _, value) = root {
                    value
                  }
                  else {
                    throw ActionCoding.RecordOverflow.space
                  }
                }
                fields.append(.init("_8", schema.type(type8)))
                cases.append(.init(index: 0, name: "nine", fields: fields))
              }
              return .enumeration(name: "Action", cases: cases)
            }
          }
          """#)
  }
}
