import Foundation

/// A library that is loaded while the benchmark runs, so that it builds without it.
struct Peer {
  private let handle: UnsafeMutableRawPointer

  /// Nil, with a line that says so, when the library is not there.
  init?(_ name: String, package: String) {
    guard let handle = dlopen("\(name).so", RTLD_NOW) else {
      print("  (\(name) is missing: Tools/benchmarks/install-peers installs \(package))")
      return nil
    }
    self.handle = handle
  }

  func function<F>(_ name: String, _ type: F.Type = F.self) -> F {
    guard let symbol = dlsym(handle, name) else { fatalError("\(name) is missing") }
    return unsafeBitCast(symbol, to: F.self)
  }
}

typealias Handle = OpaquePointer?
private typealias ErrorText = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// LevelDB, or RocksDB, whose C interface has the same form.
final class KeyValueStore {
  private typealias Put =
    @convention(c) (
      Handle, Handle, UnsafePointer<UInt8>, Int, UnsafePointer<UInt8>, Int, ErrorText
    ) -> Void
  private typealias Make = @convention(c) () -> Handle
  private typealias Take = @convention(c) (Handle) -> Void
  private typealias Test = @convention(c) (Handle) -> UInt8
  private typealias Part =
    @convention(c) (
      Handle, UnsafeMutablePointer<Int>
    ) -> UnsafePointer<UInt8>?

  private let peer: Peer
  private let prefix: String
  private let database: Handle
  private let writing: Handle
  private let put: Put

  init(_ peer: Peer, prefix: String, path: String, syncs: Bool = false) {
    self.peer = peer
    self.prefix = prefix
    let options = peer.function("\(prefix)_options_create", Make.self)()
    let set: @convention(c) (Handle, UInt8) -> Void =
      peer.function("\(prefix)_options_set_create_if_missing")
    set(options, 1)
    let open: @convention(c) (Handle, UnsafePointer<CChar>, ErrorText) -> Handle =
      peer.function("\(prefix)_open")
    var error: UnsafeMutablePointer<CChar>?
    database = open(options, path, &error)
    if let error { fatalError(String(cString: error)) }
    writing = peer.function("\(prefix)_writeoptions_create", Make.self)()
    let setSync: @convention(c) (Handle, UInt8) -> Void =
      peer.function("\(prefix)_writeoptions_set_sync")
    setSync(writing, syncs ? 1 : 0)
    put = peer.function("\(prefix)_put")
  }

  deinit {
    peer.function("\(prefix)_close", Take.self)(database)
  }

  func append(_ number: UInt64, _ payload: UnsafeRawBufferPointer) {
    var error: UnsafeMutablePointer<CChar>?
    var key = number.bigEndian
    withUnsafeBytes(of: &key) { key in
      // Neither is empty.
      put(
        database, writing, key.bindMemory(to: UInt8.self).baseAddress!, 8,
        payload.bindMemory(to: UInt8.self).baseAddress!, payload.count, &error)
    }
    if let error { fatalError(String(cString: error)) }
  }

  /// Goes over everything; returns the bytes of all values.
  func readAll() -> Int {
    let reading = peer.function("\(prefix)_readoptions_create", Make.self)()
    let make: @convention(c) (Handle, Handle) -> Handle =
      peer.function("\(prefix)_create_iterator")
    let iterator = make(database, reading)
    let isValid = peer.function("\(prefix)_iter_valid", Test.self)
    let next = peer.function("\(prefix)_iter_next", Take.self)
    let value = peer.function("\(prefix)_iter_value", Part.self)
    peer.function("\(prefix)_iter_seek_to_first", Take.self)(iterator)
    var sum = 0
    while isValid(iterator) != 0 {
      var count = 0
      let bytes = value(iterator, &count)
      sum += count + Int(bytes?[0] ?? 0)
      next(iterator)
    }
    peer.function("\(prefix)_iter_destroy", Take.self)(iterator)
    return sum
  }
}

/// SQLite with a table of numbered blobs, in write-ahead mode.
final class SQLite {
  private typealias Text = UnsafePointer<CChar>
  private typealias Step = @convention(c) (Handle) -> Int32

  private let peer: Peer
  private var database: Handle = nil
  private var insert: Handle = nil
  private let step: Step
  private let reset: Step
  private let bindNumber: @convention(c) (Handle, Int32, Int64) -> Int32
  private let bindBlob:
    @convention(c) (Handle, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?) -> Int32

  init(_ peer: Peer, path: String, synchronous: String) {
    self.peer = peer
    step = peer.function("sqlite3_step")
    reset = peer.function("sqlite3_reset")
    bindNumber = peer.function("sqlite3_bind_int64")
    bindBlob = peer.function("sqlite3_bind_blob")
    let open: @convention(c) (Text, UnsafeMutablePointer<Handle>) -> Int32 =
      peer.function("sqlite3_open")
    if open(path, &database) != 0 { fatalError("SQLite does not open \(path)") }
    execute("PRAGMA journal_mode=WAL")
    execute("PRAGMA synchronous=\(synchronous)")
    execute("CREATE TABLE records(number INTEGER PRIMARY KEY, payload BLOB)")
    insert = prepare("INSERT INTO records VALUES(?, ?)")
  }

  deinit {
    _ = peer.function("sqlite3_finalize", Step.self)(insert)
    _ = peer.function("sqlite3_close", Step.self)(database)
  }

  func execute(_ text: String) {
    let execute:
      @convention(c) (
        Handle, Text, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?
      ) -> Int32 = peer.function("sqlite3_exec")
    if execute(database, text, nil, nil, nil) != 0 { fatalError("SQLite refuses: \(text)") }
  }

  private func prepare(_ text: String) -> Handle {
    let prepare:
      @convention(c) (
        Handle, Text, Int32, UnsafeMutablePointer<Handle>, UnsafeRawPointer?
      ) -> Int32 = peer.function("sqlite3_prepare_v2")
    var statement: Handle = nil
    if prepare(database, text, -1, &statement, nil) != 0 { fatalError("SQLite refuses: \(text)") }
    return statement
  }

  func append(_ number: UInt64, _ payload: UnsafeRawBufferPointer) {
    _ = bindNumber(insert, 1, Int64(number))
    _ = bindBlob(insert, 2, payload.baseAddress, Int32(payload.count), nil)
    if step(insert) != 101 { fatalError("SQLite does not insert") }
    _ = reset(insert)
  }

  /// Goes over everything; returns the bytes of all payloads.
  func readAll() -> Int {
    let select = prepare("SELECT number, payload FROM records ORDER BY number")
    let size: @convention(c) (Handle, Int32) -> Int32 = peer.function("sqlite3_column_bytes")
    let blob: @convention(c) (Handle, Int32) -> UnsafePointer<UInt8>? =
      peer.function("sqlite3_column_blob")
    var sum = 0
    while step(select) == 100 {
      sum += Int(size(select, 1)) + Int(blob(select, 1)?[0] ?? 0)
    }
    _ = peer.function("sqlite3_finalize", Step.self)(select)
    return sum
  }
}
