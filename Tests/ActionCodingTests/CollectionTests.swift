import ActionCoding
import Foundation
import Testing

struct CollectionTests {
  @Test func arraysComeBack() throws {
    #expect(try roundTrip([Int]()) == [])
    #expect(try roundTrip([1, -2, 3]) == [1, -2, 3])
    #expect(try roundTrip([[1], [], [2, 3]]) == [[1], [], [2, 3]])
    #expect(try roundTrip(ContiguousArray([1, 2])) == [1, 2])
    #expect(try roundTrip([9, 1, 2, 9][1...2]) == [1, 2])
    let large = Array(0..<100_000)
    #expect(try roundTrip(large) == large)
  }

  @Test func nestedOptionalsAreToldApart() throws {
    let values: [Int???] = [nil, .some(nil), .some(.some(nil)), 1]
    for value in values {
      #expect(try roundTrip(value) == value)
    }
    let bytes = try values.map { try RecordWriter.bytes(of: $0) }
    #expect(bytes == [[0], [1, 0], [1, 1, 0], [1, 1, 1, 2]])
  }

  @Test func equalSetsGiveEqualBytesWhateverTheirOrder() throws {
    var bytes: Set<[UInt8]> = []
    for seed in 0..<20 {
      var generator = Seeded(UInt64(seed))
      var set = Set<String>(minimumCapacity: seed * 100)
      for element in (0..<100).map({ "element \($0)" }).shuffled(using: &generator) {
        set.insert(element)
      }
      let coder = recordCoder(for: Set<String>.self)
      bytes.insert(try roundTrip(set, by: coder).bytes)
    }
    #expect(bytes.count == 1)
  }

  @Test func equalDictionariesGiveEqualBytesWhateverTheirOrder() throws {
    var bytes: Set<[UInt8]> = []
    for seed in 0..<20 {
      var generator = Seeded(UInt64(seed))
      var dictionary: [Int: [String: Bool]] = [:]
      dictionary.reserveCapacity(seed * 50)
      for key in (0..<60).shuffled(using: &generator) {
        dictionary[key] = ["b": true, "a": false, "\(key)": true]
      }
      let coder = recordCoder(for: [Int: [String: Bool]].self)
      bytes.insert(try roundTrip(dictionary, by: coder).bytes)
    }
    #expect(bytes.count == 1)
  }

  @Test func dictionariesWithKeysOfAnyTypeComeBack() throws {
    let id = UUID()
    #expect(try roundTrip([id: 1]) == [id: 1])
    #expect(try roundTrip([[1, 2]: "a", []: "b"]) == [[1, 2]: "a", []: "b"])
    #expect(try roundTrip([Int?.none: 1, 2: 3]) == [nil: 1, 2: 3])
    #expect(try roundTrip([String: Int]()) == [:])
  }

  @Test func keysThatAreEqualButForTheirBytesAreRefused() {
    // The same string composed and decomposed: one key for Swift.
    let composed: [UInt8] = [2, 0xc3, 0xa9]
    let decomposed: [UInt8] = [3, 0x65, 0xcc, 0x81]
    #expect(
      failure(Set<String>.self, [2] + composed + decomposed)
        == """
        The elements of a set, or the keys of a dictionary, are out of order or repeated. (byte 8)
        """)
  }

  @Test func setsOutOfOrderAreRefused() throws {
    let sorted = try RecordWriter.bytes(of: Set([1, 2]))
    #expect(sorted == [2, 2, 4])
    let text =
      "The elements of a set, or the keys of a dictionary, are out of order or repeated. (byte 3)"
    #expect(failure(Set<Int>.self, [2, 4, 2]) == text)
    #expect(failure(Set<Int>.self, [2, 2, 2]) == text)
    #expect(failure([Int: Bool].self, [2, 4, 0, 2, 0])?.hasSuffix("repeated. (byte 5)") == true)
  }

  @Test func resultsAndRangesComeBack() throws {
    enum Failure: Error, Equatable { case a }
    #expect(try roundTrip(Result<Int, Never>.success(3)) == .success(3))
    #expect(try roundTrip(1..<5) == 1..<5)
    #expect(try roundTrip(3..<3) == 3..<3)
    #expect(try roundTrip(-1.5...2.5) == -1.5...2.5)
    #expect(
      failure(Range<Int>.self, [4, 2])
        == "The upper bound of a range is below its lower bound. (byte 2)")
  }

  @Test func elementsThatTakeNoBytesAreCounted() throws {
    let array = [Nothing](repeating: Nothing(), count: 1_000)
    let coder = recordCoder(for: [Nothing].self)
    let (back, bytes) = try roundTrip(array, by: coder)
    #expect(back.count == 1_000)
    // No count is larger than the bytes behind it.
    #expect(bytes.count == 1_002)
    #expect(
      failure([Nothing].self, [100])
        == "A count of 100 is more than the 0 bytes that follow. (byte 1)")
  }
}

@Recordable
struct Nothing {}
