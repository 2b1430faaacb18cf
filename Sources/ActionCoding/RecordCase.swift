// The last step of reading an enum's case, in generic code: there the compiler can't know that a type
// has no values, as the action of a feature that has none. It warns of code that it sees can never
// run, which generated code must not bring about.

extension RecordReader {
  /// Reads a field by a closure.
  @inlinable
  @inline(__always)
  public mutating func field<T>(
    _ type: RecordFieldType<T>,
    _ get: (inout RecordReader, RecordFieldType<T>) throws(RecordDecodingError) -> T
  ) throws(RecordDecodingError) -> RecordField<T> {
    RecordField(try get(&self, type))
  }
}

/// Makes the case of an enum of the value that comes with it.
@inlinable
@inline(__always)
public func recordCase<A, Root>(_ make: (A) -> Root, _ a: RecordField<A>) -> Root {
  make(a.value)
}

/// Makes the case of an enum of the two values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, Root>(
  _ make: (A, B) -> Root, _ a: RecordField<A>, _ b: RecordField<B>
) -> Root {
  make(a.value, b.value)
}

/// Makes the case of an enum of the three values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, Root>(
  _ make: (A, B, C) -> Root, _ a: RecordField<A>, _ b: RecordField<B>, _ c: RecordField<C>
) -> Root {
  make(a.value, b.value, c.value)
}

/// Makes the case of an enum of the four values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, D, Root>(
  _ make: (A, B, C, D) -> Root, _ a: RecordField<A>, _ b: RecordField<B>, _ c: RecordField<C>,
  _ d: RecordField<D>
) -> Root {
  make(a.value, b.value, c.value, d.value)
}

/// Makes the case of an enum of the five values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, D, E, Root>(
  _ make: (A, B, C, D, E) -> Root, _ a: RecordField<A>, _ b: RecordField<B>, _ c: RecordField<C>,
  _ d: RecordField<D>, _ e: RecordField<E>
) -> Root {
  make(a.value, b.value, c.value, d.value, e.value)
}

/// Makes the case of an enum of the six values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, D, E, F, Root>(
  _ make: (A, B, C, D, E, F) -> Root, _ a: RecordField<A>, _ b: RecordField<B>, _ c: RecordField<C>,
  _ d: RecordField<D>, _ e: RecordField<E>, _ f: RecordField<F>
) -> Root {
  make(a.value, b.value, c.value, d.value, e.value, f.value)
}

/// Makes the case of an enum of the seven values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, D, E, F, G, Root>(
  _ make: (A, B, C, D, E, F, G) -> Root, _ a: RecordField<A>, _ b: RecordField<B>,
  _ c: RecordField<C>, _ d: RecordField<D>, _ e: RecordField<E>, _ f: RecordField<F>,
  _ g: RecordField<G>
) -> Root {
  make(a.value, b.value, c.value, d.value, e.value, f.value, g.value)
}

/// Makes the case of an enum of the eight values that come with it.
@inlinable
@inline(__always)
public func recordCase<A, B, C, D, E, F, G, H, Root>(
  _ make: (A, B, C, D, E, F, G, H) -> Root, _ a: RecordField<A>, _ b: RecordField<B>,
  _ c: RecordField<C>, _ d: RecordField<D>, _ e: RecordField<E>, _ f: RecordField<F>,
  _ g: RecordField<G>, _ h: RecordField<H>
) -> Root {
  make(a.value, b.value, c.value, d.value, e.value, f.value, g.value, h.value)
}
