public import Foundation

// One function a type that user defaults can hold; see `AppStorage+Optional.swift` for optionals.

extension SharedReaderKey {
  /// A truth value that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Bool> {
    AppStorageKey(key, store, .bool)
  }

  /// An integer that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Int> {
    AppStorageKey(key, store, .int)
  }

  /// A number that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Double> {
    AppStorageKey(key, store, .double)
  }

  /// A string that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<String> {
    AppStorageKey(key, store, .string)
  }

  /// A list of strings that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<[String]> {
    AppStorageKey(key, store, .strings)
  }

  /// A URL that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<URL> {
    AppStorageKey(key, store, .url)
  }

  /// Bytes that is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Data> {
    AppStorageKey(key, store, .data)
  }

  /// A date that is kept in user defaults, in whole seconds once it is read back from disk.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage(_ key: String, store: UserDefaults? = nil) -> Self
  where Self == AppStorageKey<Date> {
    AppStorageKey(key, store, .date)
  }

  /// A value that stands for an integer, which is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage<Value: RawRepresentable<Int>>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store, DefaultsCoding.int.representing(Value.self))
  }

  /// A value that stands for a string, which is kept in user defaults.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  public static func appStorage<Value: RawRepresentable<String>>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store, DefaultsCoding.string.representing(Value.self))
  }

  /// A value that is kept in user defaults as JSON.
  ///
  /// - Parameters:
  ///   - key: The key in the user defaults.
  ///   - store: The user defaults; those of `\.defaultAppStorage` when it is `nil`.
  @_disfavoredOverload
  public static func appStorage<Value: Codable>(
    _ key: String, store: UserDefaults? = nil
  ) -> Self where Self == AppStorageKey<Value> {
    AppStorageKey(key, store, .json)
  }
}
