import Foundation

/// How values of a type are kept in user defaults.
struct DefaultsCoding<Value: Sendable>: Sendable {
  /// Makes a value from what is kept; `nil` when that is of another kind.
  var decode: @Sendable (DefaultsValue) throws -> Value?
  /// Makes what is kept from a value; `nil` when nothing is to be kept.
  var encode: @Sendable (Value) throws -> DefaultsValue?

  /// Keeps the optional: nothing for `nil`.
  var optional: DefaultsCoding<Value?> {
    DefaultsCoding<Value?>(
      decode: { stored in try decode(stored).map { .some($0) } },
      encode: { value in try value.flatMap { try encode($0) } })
  }

  /// Keeps values that stand for raw ones of this type.
  func representing<Represented: RawRepresentable<Value> & Sendable>(
    _ type: Represented.Type
  ) -> DefaultsCoding<Represented> {
    DefaultsCoding<Represented>(
      decode: { try decode($0).flatMap(Represented.init(rawValue:)) },
      encode: { try encode($0.rawValue) })
  }
}

// Numbers are read as each other where nothing is lost, as Apple's Foundation does.

extension DefaultsCoding<Bool> {
  static let bool = Self(
    decode: { stored in
      switch stored {
      case .bool(let value): value
      case .int(0), .double(0): false
      case .int(1), .double(1): true
      default: nil
      }
    },
    encode: { .bool($0) })
}

extension DefaultsCoding<Int> {
  static let int = Self(
    decode: { stored in
      switch stored {
      case .int(let value): value
      case .bool(let value): value ? 1 : 0
      case .double(let value): Int(exactly: value)
      default: nil
      }
    },
    encode: { .int($0) })
}

extension DefaultsCoding<Double> {
  static let double = Self(
    decode: { stored in
      switch stored {
      case .double(let value): value
      case .int(let value): Double(exactly: value)
      case .bool(let value): value ? 1 : 0
      default: nil
      }
    },
    encode: { .double($0) })
}

extension DefaultsCoding<String> {
  static let string = Self(
    decode: { if case .string(let value) = $0 { value } else { nil } },
    encode: { .string($0) })
}

extension DefaultsCoding<[String]> {
  static let strings = Self(
    decode: { if case .strings(let value) = $0 { value } else { nil } },
    encode: { .strings($0) })
}

extension DefaultsCoding<Data> {
  static let data = Self(
    decode: { if case .data(let value) = $0 { value } else { nil } },
    encode: { .data($0) })
}

extension DefaultsCoding<Date> {
  static let date = Self(
    decode: { if case .date(let value) = $0 { value } else { nil } },
    encode: { .date($0) })
}

extension DefaultsCoding<URL> {
  /// As `UserDefaults.url(forKey:)` reads it: the path of a file, or an archive of any other.
  static let url = Self(
    decode: { stored in
      switch stored {
      case .string(let path):
        URL(fileURLWithPath: NSString(string: path).expandingTildeInPath)
      case .data(let archive):
        try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive) as URL?
      default: nil
      }
    },
    encode: { try .url($0) })
}

extension DefaultsValue {
  /// A URL, in a form that `UserDefaults.url(forKey:)` reads and that loses nothing.
  static func url(_ url: URL) throws -> Self {
    if url.isFileURL, URL(fileURLWithPath: url.path) == url { return .string(url.path) }
    return .data(
      try NSKeyedArchiver.archivedData(withRootObject: url as NSURL, requiringSecureCoding: true))
  }
}

extension DefaultsCoding where Value: Codable {
  /// As JSON.
  static var json: Self {
    Self(
      decode: { stored in
        guard case .data(let data) = stored else { return nil }
        return try JSONDecoder().decode(Value.self, from: data)
      },
      encode: { .data(try JSONEncoder().encode($0)) })
  }
}
