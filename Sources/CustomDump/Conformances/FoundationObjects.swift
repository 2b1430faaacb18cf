public import Foundation

// Foundation's classes are dumped as the values that they stand for: their own mirrors show how
// they are stored, which differs from one object to the next.

extension AttributedString: CustomDumpRepresentable {
  /// The text alone.
  public var customDumpValue: Any { String(characters) }
}

extension NSAttributedString: CustomDumpRepresentable {
  /// The text alone.
  public var customDumpValue: Any { string }
}

extension NSCalendar: CustomDumpRepresentable {
  public var customDumpValue: Any { self as Calendar }
}

extension NSData: CustomDumpRepresentable {
  public var customDumpValue: Any { self as Data }
}

extension NSDate: CustomDumpRepresentable {
  public var customDumpValue: Any { self as Date }
}

extension NSIndexPath: CustomDumpRepresentable {
  public var customDumpValue: Any { self as IndexPath }
}

extension NSIndexSet: CustomDumpRepresentable {
  public var customDumpValue: Any { self as IndexSet }
}

extension NSLocale: CustomDumpRepresentable {
  public var customDumpValue: Any { self as Locale }
}

extension NSNumber: CustomDumpStringConvertible {
  public var customDumpDescription: String { stringValue }
}

extension NSOrderedSet: CustomDumpRepresentable {
  public var customDumpValue: Any { array }
}

extension NSString: CustomDumpRepresentable {
  public var customDumpValue: Any { self as String }
}

extension NSTimeZone: CustomDumpRepresentable {
  public var customDumpValue: Any { self as TimeZone }
}

extension NSURL: CustomDumpRepresentable {
  public var customDumpValue: Any { self as URL }
}

extension NSUUID: CustomDumpRepresentable {
  public var customDumpValue: Any { self as UUID }
}
