import Dependencies
import Dispatch
public import Foundation

extension SharedReaderKey {
  /// A value that is kept in a file, as JSON.
  ///
  ///     @Shared(.fileStorage(.documentsDirectory.appending(component: "stats.json")))
  ///     var stats = Stats()
  ///
  /// The first change is written at once, those that follow it within a second together when it is
  /// over, at the latest when the process ends by itself. A file is always replaced as a whole, so
  /// that nobody ever reads a half of it. Changes that others make to the file are seen, and a file
  /// that is missing or empty stands for the default.
  ///
  /// A file that can't be decoded is left alone: the default is used, and `loadError` tells why.
  /// Once the program changes the value, the file is replaced, and what it held stays beside it
  /// under its name with `.unreadable` at the end (then `.unreadable-2` and so on).
  ///
  /// - Parameters:
  ///   - url: Where the file is. It and the folders on the way are made with the first change.
  ///   - decoder: Reads it.
  ///   - encoder: Writes it.
  public static func fileStorage<Value: Codable>(
    _ url: URL, decoder: JSONDecoder = JSONDecoder(), encoder: JSONEncoder = JSONEncoder()
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(
      url: url, decode: { try decoder.decode(Value.self, from: $0) },
      encode: { try encoder.encode($0) })
  }

  /// A value that is kept in a file, in a form of its own.
  ///
  /// - Parameters:
  ///   - url: Where the file is. It and the folders on the way are made with the first change.
  ///   - decode: Makes the value from the file's content, which is never empty.
  ///   - encode: Makes the file's content from the value.
  public static func fileStorage<Value>(
    _ url: URL, decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) -> Self where Self == FileStorageKey<Value> {
    FileStorageKey(url: url, decode: decode, encode: encode)
  }
}

/// The key of a value that is kept in a file; see ``SharedReaderKey/fileStorage(_:decoder:encoder:)``.
public final class FileStorageKey<Value: Sendable>: SharedKey {
  let url: URL
  private let storage: FileStorage
  private let file: SharedFile
  private let decode: @Sendable (Data) throws -> Value
  private let encode: @Sendable (Value) throws -> Data

  fileprivate init(
    url: URL, decode: @escaping @Sendable (Data) throws -> Value,
    encode: @escaping @Sendable (Value) throws -> Data
  ) {
    @Dependency(\.defaultFileStorage) var storage
    self.url = url
    self.storage = storage
    self.file = SharedFile.of(FileStorageKeyID(url: url, storage: storage))
    self.decode = decode
    self.encode = encode
  }

  deinit { file.forget(writer) }

  public var id: FileStorageKeyID { FileStorageKeyID(url: url, storage: storage) }

  private var writer: SharedFile.Writer { ObjectIdentifier(self) }

  public func load(context: LoadContext<Value>, continuation: LoadContinuation<Value>) {
    continuation.resume(with: Result { try value() })
  }

  public func subscribe(
    context: LoadContext<Value>, subscriber: SharedSubscriber<Value>
  ) -> SharedSubscription {
    let watch: any AnyObject & Sendable = file.access.watch(url) { [weak self] in
      self?.check(subscriber)
    }
    // What changed since it was loaded.
    check(subscriber)
    return SharedSubscription { [file] in
      withExtendedLifetime(watch) { file.flush() }
    }
  }

  public func save(_ value: Value, context: SaveContext, continuation: SaveContinuation) {
    file.save(writer: writer, mayHold: context == .didSet, continuation: continuation) {
      [encode] in try encode(value)
    }
  }

  /// The value in the file; `nil` for the default.
  private func value() throws -> Value? {
    let content: SharedFile.Content = try file.read(writer)
    guard case .data(let data, _) = content else { return nil }
    do {
      return try decode(data)
    } catch {
      file.keep(content)
      throw error
    }
  }

  private func check(_ subscriber: SharedSubscriber<Value>, isPatient: Bool = true) {
    // Who writes in place empties the file first. That must not pass for a value that is gone.
    if isPatient, file.access.isEmpty(url) {
      let patience = DispatchTimeInterval.milliseconds(patienceMilliseconds)
      DispatchQueue.global().asyncAfter(deadline: .now() + patience) { [weak self] in
        self?.check(subscriber, isPatient: false)
      }
      return
    }
    guard file.hasChanged(for: writer) else { return }
    var count: UInt64
    repeat {
      count = file.writeCount
      subscriber.yield(with: Result { try value() })
      // What was written meanwhile is newer than what was told.
    } while count != file.writeCount
  }
}

/// How long an empty file is waited for to be filled.
private let patienceMilliseconds = 100

extension FileStorageKey: CustomStringConvertible {
  public var description: String { ".fileStorage(\(String(reflecting: url)))" }
}

/// What tells one file from another: its place and the storage.
public struct FileStorageKeyID: Hashable, Sendable {
  let url: URL
  let storage: FileStorage
}
