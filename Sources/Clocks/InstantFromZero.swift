/// An instant that is told by how far it is from another one, which is the same for all of the type.
package protocol InstantFromZero: InstantProtocol {
  /// The instant at no distance.
  static var zero: Self { get }
}

extension TestClock.Instant: InstantFromZero {
  package static var zero: Self { Self(offset: .zero) }
}

extension ImmediateClock.Instant: InstantFromZero {
  package static var zero: Self { Self(offset: .zero) }
}
