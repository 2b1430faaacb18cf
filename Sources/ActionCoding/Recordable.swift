/// A value that writes itself to a record and reads itself back by static code.
///
/// `@Recordable` writes the conformance; it may be written by hand as well, for a type that holds
/// something else than its value (a box, a reference, an identified collection):
///
/// ```swift
/// @Recordable
/// enum Action {
///   case increment
///   case itemRenamed(id: UUID, name: String)
/// }
/// ```
///
/// The form is positional: nothing but the values is written, in the order in which
/// ``recordDefinition(in:)`` lists them. Equal values must give equal bytes in every process.
///
/// Since its metatype is sendable, a type in a module whose default isolation is the main actor
/// belongs to no actor when it is recordable, as values should. (A property wrapper of such a module
/// must then be declared `nonisolated`.) A type that is marked `@MainActor` itself may be recordable
/// as long as its stored properties are `Sendable`.
public protocol Recordable: SendableMetatype {
  /// Writes the value at the writer's position.
  ///
  /// Throws ``RecordOverflow`` when the writer's memory ends before the value does. What was
  /// written until then has no meaning.
  func encode(to writer: inout RecordWriter) throws(RecordOverflow)

  /// Reads a value that ``encode(to:)`` wrote.
  ///
  /// The bytes may be anything: an implementation throws ``RecordDecodingError`` and never traps.
  init(from reader: inout RecordReader) throws(RecordDecodingError)

  /// Says what ``encode(to:)`` writes, so that the bytes can be read without the type.
  static func recordDefinition(
    in schema: inout RecordSchemaBuilder
  ) -> RecordSchema.Definition
}

/// Writes the conformance of an enum or a struct to ``Recordable``, and of those nested in it.
///
/// A field whose type is ``Recordable`` is written by its own code, one whose type is only
/// `Codable` through the bridge, and one that is neither is opaque: its place in the schema says
/// so, its value is not in the record, and reading it back fails with its name.
///
/// Stored properties are read from their storage, so that `@ObservableState`, `@Presents` and
/// property wrappers may stand beside it. Computed, lazy and static properties are left out. A `let`
/// with a default value is written, and compared when it is read.
@attached(
  extension, conformances: Recordable, names: named(encode(to:)), named(init(from:)),
  named(recordDefinition(in:)))
@attached(memberAttribute)
public macro Recordable() = #externalMacro(module: "Macros", type: "RecordableMacro")

// A macro may not come up again within what it expands to, so each level of nesting has a name of
// its own for it. Types nested more deeply are given the attribute by hand.

/// ``Recordable()`` on a type nested in one that has it.
@attached(
  extension, conformances: Recordable, names: named(encode(to:)), named(init(from:)),
  named(recordDefinition(in:)))
@attached(memberAttribute)
public macro _RecordableNested1() =
  #externalMacro(module: "Macros", type: "RecordableMacro")

/// ``Recordable()`` on a type two levels below one that has it.
@attached(
  extension, conformances: Recordable, names: named(encode(to:)), named(init(from:)),
  named(recordDefinition(in:)))
@attached(memberAttribute)
public macro _RecordableNested2() =
  #externalMacro(module: "Macros", type: "RecordableMacro")

/// ``Recordable()`` on a type three levels below one that has it.
@attached(
  extension, conformances: Recordable, names: named(encode(to:)), named(init(from:)),
  named(recordDefinition(in:)))
@attached(memberAttribute)
public macro _RecordableNested3() =
  #externalMacro(module: "Macros", type: "RecordableMacro")

/// ``Recordable()`` on a type four levels below one that has it.
@attached(
  extension, conformances: Recordable, names: named(encode(to:)), named(init(from:)),
  named(recordDefinition(in:)))
public macro _RecordableNested4() =
  #externalMacro(module: "Macros", type: "RecordableMacro")
