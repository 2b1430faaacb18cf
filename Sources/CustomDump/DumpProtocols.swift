/// A type that is dumped as the mirror that it gives.
///
/// It is like `CustomReflectable`, for dumps alone.
public protocol CustomDumpReflectable {
  /// What a dump shows of this value.
  var customDumpMirror: Mirror { get }
}

/// A type that is dumped as another value, such as the only one that it holds.
public protocol CustomDumpRepresentable {
  /// The value to dump instead.
  var customDumpValue: Any { get }
}

/// A type that is dumped as a text of its own.
public protocol CustomDumpStringConvertible {
  /// The text, of one line or of several.
  var customDumpDescription: String { get }
}

/// A reference that knows what its value was, so that a difference can be told between the two
/// times although both sides hold the same object.
public protocol _CustomDiffObject {
  /// The value before and the value now.
  var _customDiffValues: (Any, Any) { get }

  /// What tells one object from another.
  var _objectIdentifier: ObjectIdentifier { get }
}

extension _CustomDiffObject where Self: AnyObject {
  public var _objectIdentifier: ObjectIdentifier { ObjectIdentifier(self) }
}
