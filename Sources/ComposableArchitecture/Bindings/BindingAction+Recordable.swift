public import ActionCoding

// In a record the property stands by its place in the list, in the schema by its name.
extension BindingAction: Recordable where Root: _$BindableState {
  /// The number of an action whose property is not in the list: its value is not in the record, and
  /// what reducers learn of it is in their reads.
  private static var unknown: UInt64 { 0 }

  public func encode(to writer: inout RecordWriter) throws(RecordOverflow) {
    let table = BindableTable<Root>.shared
    guard let index = table.index(of: self.keyPath) else {
      return try writer.put(varint: Self.unknown)
    }
    try writer.put(varint: UInt64(index) + 1)
    try table.properties[index].encode(self.value, &writer)
  }

  public init(from reader: inout RecordReader) throws(RecordDecodingError) {
    let number = try reader.getCase()
    guard number != Self.unknown else {
      self.init(unlisted: ())
      return
    }
    let properties = BindableTable<Root>.shared.properties
    guard number <= UInt64(properties.count) else {
      throw reader.unknownCase(number, of: "BindingAction")
    }
    self = try properties[Int(number) - 1].decode(&reader)
  }

  public static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition {
    var cases = [RecordSchema.Case(index: Self.unknown, name: "unknown")]
    for (index, property) in BindableTable<Root>.shared.properties.enumerated() {
      cases.append(
        RecordSchema.Case(
          index: UInt64(index) + 1, name: property.name,
          fields: [RecordSchema.Field("_0", property.type(&schema))]))
    }
    return .enumeration(name: "BindingAction", cases: cases)
  }
}
