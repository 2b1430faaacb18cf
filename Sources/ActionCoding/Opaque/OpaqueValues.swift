internal import Foundation
internal import Synchronization

/// A value that was met where a record has nothing, since its type has no form in bytes.
package struct OpaqueField {
  /// Where it stands, from the value that was recorded.
  package var path: [RecordPath.Component]
  /// Its type as the schema spells it.
  package var type: String
  package var value: Any
}

extension ValueCoder {
  /// What a value holds that has no form in bytes, for who wants to tell of it in another way.
  ///
  /// The value is written once more for it. What stands in a set or a dictionary is left out, since
  /// its place there is not that in which it is written; so is all, where not every value can be
  /// given its place with certainty.
  ///
  /// - Parameters:
  ///   - bytes: What the coder writes of the value.
  ///   - schema: The coder's.
  package func opaqueFields(
    of value: Value, bytes: [UInt8], schema: RecordSchema
  ) -> [OpaqueField] {
    guard schema.hasOpaque, let tree = try? RecordValue(bytes, schema: schema) else { return [] }
    var places: [OpaquePlace] = []
    findOpaque(in: tree, [], isOrdered: true, &places)
    guard !places.isEmpty else { return [] }
    // Memory of the right size from the start, so that nothing is written twice.
    let collector = OpaqueCollector()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
    defer { memory.deallocate() }
    let isWritten = collector.collecting {
      var writer = RecordWriter(memory)
      do throws(RecordOverflow) {
        try encode(value, to: &writer)
        return writer.count == bytes.count
      } catch {
        return false
      }
    }
    let met = collector.values
    guard isWritten, met.count == places.count,
      zip(met, places).allSatisfy({ $0.type == $1.type })
    else { return [] }
    return zip(met, places).compactMap { met, place in
      place.isOrdered ? OpaqueField(path: place.path, type: place.type, value: met.value) : nil
    }
  }
}

/// Where in a value something has no form in bytes.
private struct OpaquePlace {
  var path: [RecordPath.Component]
  var type: String
  /// Whether it stands where it was written.
  var isOrdered: Bool
}

/// Finds what has no form in bytes, in the order in which it was written.
private func findOpaque(
  in value: RecordValue, _ path: [RecordPath.Component], isOrdered: Bool,
  _ found: inout [OpaquePlace]
) {
  if case .opaque(let name, let reason) = value {
    // Nothing is even asked to be written of what is redacted.
    guard reason != RecordSchema.redactedReason else { return }
    found.append(OpaquePlace(path: path, type: name, isOrdered: isOrdered))
    return
  }
  var isOrdered = isOrdered
  switch value {
  case .set: isOrdered = false
  case .dictionary(let entries):
    isOrdered = false
    // A key comes before its value, and `children` has the values alone.
    for entry in entries {
      findOpaque(in: entry.key, path, isOrdered: false, &found)
      findOpaque(
        in: entry.value, path + [RecordValue.component(of: entry.key)], isOrdered: false, &found)
    }
    return
  default: break
  }
  for child in value.children {
    findOpaque(in: child.value, path + [child.component], isOrdered: isOrdered, &found)
  }
}

extension RecordSchema {
  /// The error of a reader that knew the type, with the path to what has no form in bytes where the
  /// bytes are good.
  package func located(
    _ error: RecordDecodingError, in bytes: UnsafeRawBufferPointer
  ) -> RecordDecodingError {
    let error = self.locate(error, in: bytes)
    guard error.path.isEmpty, let value = try? RecordValue(bytes, schema: self) else {
      return error
    }
    var places: [OpaquePlace] = []
    findOpaque(in: value, [], isOrdered: true, &places)
    return places.first.map { error.at(path: "\(RecordPath($0.path))") } ?? error
  }

  /// Whether values may hold something that has no form in bytes, and is not left out on purpose.
  fileprivate var hasOpaque: Bool {
    self.types.contains {
      if case .opaque = $0 { !$0.isRedacted } else { false }
    }
  }
}

/// Takes the values that are asked to be written on this thread and have no form in bytes.
private final class OpaqueCollector {
  private(set) var values: [(type: String, value: Any)] = []

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()
  /// How many threads collect, so that as a rule nobody has to look.
  static let active = Atomic<Int>(0)

  static var current: OpaqueCollector? {
    pthread_getspecific(self.key).map {
      Unmanaged<OpaqueCollector>.fromOpaque($0).takeUnretainedValue()
    }
  }

  func note<T>(_ value: T) {
    self.values.append((recordedName(of: T.self), value))
  }

  func collecting<R>(_ body: () -> R) -> R {
    let outer = pthread_getspecific(Self.key)
    pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    Self.active.wrappingAdd(1, ordering: .relaxed)
    defer {
      Self.active.wrappingSubtract(1, ordering: .relaxed)
      pthread_setspecific(Self.key, outer)
    }
    return withExtendedLifetime(self) { body() }
  }
}

/// Takes note of a value that is not written, where somebody collects them.
@usableFromInline
func noteOpaque<T>(_ value: T) {
  guard OpaqueCollector.active.load(ordering: .relaxed) != 0 else { return }
  OpaqueCollector.current?.note(value)
}
