/// A value on its way into a record, together with the type that it has in the source.
///
/// An existential handed to a generic function is opened, and its content is then written by a
/// coder which nothing can choose again when reading. Wrapped in this type it stays what the source
/// says it is.
@frozen
public struct RecordField<Value> {
  @usableFromInline let value: Value

  @inlinable
  @inline(__always)
  public init(_ value: Value) {
    self.value = value
  }
}

/// The type of a field, inferred from an expression that would give its value.
///
/// The macro sees no types, only syntax: it lets the compiler infer them. None of the closures is
/// ever called.
@frozen
public struct RecordFieldType<Value> {
  @inlinable
  @inline(__always)
  public init(_ type: Value.Type) {}

  /// The type of what `value` gives, as `{ (root: Self) in root.count }`.
  @inlinable
  @inline(__always)
  public init<Root>(_ value: (Root) throws -> Value) {}

  /// The type of a part of this one, as `{ $0.1 }` for a tuple's second element.
  @inlinable
  @inline(__always)
  public func part<Part>(_ part: (Value) -> Part) -> RecordFieldType<Part> {
    RecordFieldType<Part>(Part.self)
  }
}

extension RecordFieldType {
  /// The type of a result's success.
  @inlinable
  @inline(__always)
  public func success<Success, Failure>() -> RecordFieldType<Success>
  where Value == Result<Success, Failure> {
    RecordFieldType<Success>(Success.self)
  }

  /// The type of a result's failure.
  @inlinable
  @inline(__always)
  public func failure<Success, Failure>() -> RecordFieldType<Failure>
  where Value == Result<Success, Failure> {
    RecordFieldType<Failure>(Failure.self)
  }
}

// MARK: - The values of a case

// One function for each count, since the compiler can't yet pass a constructor that takes a tuple to
// one with a parameter pack. The macro writes closures for cases with more than eight values.

/// The type of the value that comes with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, Root>(_ constructor: (A) -> Root) -> RecordFieldType<A> {
  RecordFieldType(A.self)
}

/// The types of the two values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, Root>(
  _ constructor: (A, B) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self)
  )
}

/// The types of the three values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, Root>(
  _ constructor: (A, B, C) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self)
  )
}

/// The types of the four values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, D, Root>(
  _ constructor: (A, B, C, D) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>, RecordFieldType<D>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self),
    RecordFieldType(D.self)
  )
}

/// The types of the five values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, D, E, Root>(
  _ constructor: (A, B, C, D, E) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>, RecordFieldType<D>,
  RecordFieldType<E>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self),
    RecordFieldType(D.self), RecordFieldType(E.self)
  )
}

/// The types of the six values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, D, E, F, Root>(
  _ constructor: (A, B, C, D, E, F) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>, RecordFieldType<D>,
  RecordFieldType<E>, RecordFieldType<F>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self),
    RecordFieldType(D.self), RecordFieldType(E.self), RecordFieldType(F.self)
  )
}

/// The types of the seven values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, D, E, F, G, Root>(
  _ constructor: (A, B, C, D, E, F, G) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>, RecordFieldType<D>,
  RecordFieldType<E>, RecordFieldType<F>, RecordFieldType<G>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self),
    RecordFieldType(D.self), RecordFieldType(E.self), RecordFieldType(F.self),
    RecordFieldType(G.self)
  )
}

/// The types of the eight values that come with an enum's case, inferred from its constructor.
@inlinable
@inline(__always)
public func recordFieldTypes<A, B, C, D, E, F, G, H, Root>(
  _ constructor: (A, B, C, D, E, F, G, H) -> Root
) -> (
  RecordFieldType<A>, RecordFieldType<B>, RecordFieldType<C>, RecordFieldType<D>,
  RecordFieldType<E>, RecordFieldType<F>, RecordFieldType<G>, RecordFieldType<H>
) {
  (
    RecordFieldType(A.self), RecordFieldType(B.self), RecordFieldType(C.self),
    RecordFieldType(D.self), RecordFieldType(E.self), RecordFieldType(F.self),
    RecordFieldType(G.self), RecordFieldType(H.self)
  )
}
