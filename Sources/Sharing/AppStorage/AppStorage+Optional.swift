public import Foundation

// The same with no entry in the user defaults for `nil`.

extension SharedReaderKey {
  /// A truth value or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool?> {
    AppStorageKey(key, store, DefaultsCoding.bool.optional)
  }

  /// An integer or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int?> {
    AppStorageKey(key, store, DefaultsCoding.int.optional)
  }

  /// A number or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double?> {
    AppStorageKey(key, store, DefaultsCoding.double.optional)
  }

  /// A string or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String?> {
    AppStorageKey(key, store, DefaultsCoding.string.optional)
  }

  /// A list of strings or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]?> {
    AppStorageKey(key, store, DefaultsCoding.strings.optional)
  }

  /// A URL or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL?> {
    AppStorageKey(key, store, DefaultsCoding.url.optional)
  }

  /// Bytes or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data?> {
    AppStorageKey(key, store, DefaultsCoding.data.optional)
  }

  /// A date or nothing, kept in user defaults.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date?> {
    AppStorageKey(key, store, DefaultsCoding.date.optional)
  }

  /// A value that stands for an integer, or nothing, kept in user defaults.
  public static func appStorage<Value: RawRepresentable<Int>>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store, DefaultsCoding.int.representing(Value.self).optional)
  }

  /// A value that stands for a string, or nothing, kept in user defaults.
  public static func appStorage<Value: RawRepresentable<String>>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store, DefaultsCoding.string.representing(Value.self).optional)
  }

  /// A value or nothing, kept in user defaults as JSON.
  @_disfavoredOverload
  public static func appStorage<Value: Codable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value?> {
    AppStorageKey(key, store, DefaultsCoding<Value>.json.optional)
  }
}
