package import ActionCoding

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// Who knows the references of a log by their numbers.
package protocol SharedCoder: AnyObject {
  /// The number of a reference, and the value that it has where the bytes belong.
  ///
  /// - Returns: `nil` where it has none: then its value is written in its place.
  func number(of root: any AnyRootReference) -> (number: Int, value: Any)?

  /// What a box held when what is written was as it is written; `nil` where that is what it holds.
  func content(of box: any ExchangeableBox) -> AnyObject?

  /// Takes note of a box that is met, where that is all that is asked for: then nothing is written.
  func passes(_ box: any ExchangeableBox) -> Bool

  /// The number of a box, counted from 0 in what is written together.
  func number(of box: any ExchangeableBox) -> Int

  /// The reference of a number.
  ///
  /// Throws `RecordDecodingError` where there is none, or it is of another type.
  func reference<Value>(
    _ number: Int, as type: Value.Type, at reader: RecordReader
  ) throws(RecordDecodingError) -> any AnyRootReference

  /// The box of a number, the given one where it is new.
  func box(_ number: Int, new: any ExchangeableBox) -> any ExchangeableBox

  /// Has a derived reference made once all that is read together is there.
  ///
  /// - Parameter derive: Makes it of its root; returns why it can't, if so.
  func whenRead(_ number: Int, derive: @escaping (any AnyRootReference) -> String?)
}

extension SharedCoder {
  package func content(of box: any ExchangeableBox) -> AnyObject? { nil }
  package func passes(_ box: any ExchangeableBox) -> Bool { false }
}

/// The coder in use on this thread.
package final class SharedCoding {
  private let coder: any SharedCoder

  package init(_ coder: any SharedCoder) {
    self.coder = coder
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  static var current: (any SharedCoder)? {
    pthread_getspecific(key).map {
      Unmanaged<SharedCoding>.fromOpaque($0).takeUnretainedValue().coder
    }
  }

  /// Runs something that writes or reads values, whose references are known by numbers.
  package func with<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try Self.with(Unmanaged.passUnretained(self).toOpaque(), body)
  }

  /// Runs something that writes values as they are, without numbers.
  package static func without<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    try with(nil, body)
  }

  private static func with<R, E: Error>(
    _ pointer: UnsafeMutableRawPointer?, _ body: () throws(E) -> R
  ) throws(E) -> R {
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, pointer)
    defer { pthread_setspecific(key, outer) }
    return try body()
  }
}
