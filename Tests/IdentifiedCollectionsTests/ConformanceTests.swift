import Foundation
import IdentifiedCollections
import Testing

@Suite struct ConformanceTests {
  @Test func equalityAndHashing() {
    let array = items([1, 2])
    #expect(array == items([1, 2]))
    #expect(array != items([2, 1]))
    #expect(Set([array, items([1, 2]), items([2, 1])]).count == 2)
  }

  @Test func codingAsAnArray() throws {
    let array: IdentifiedArrayOf<Item> = [Item(id: 1, text: "a"), Item(id: 2)]
    let data: Data = try JSONEncoder().encode(array)
    #expect(try JSONDecoder().decode([Item].self, from: data) == array.elements)
    #expect(try JSONDecoder().decode(IdentifiedArrayOf<Item>.self, from: data) == array)
  }

  @Test func aRepeatedIDIsDamagedData() {
    let json = #"[{"id":1,"text":"a"},{"id":2,"text":""},{"id":1,"text":"b"}]"#
    #expect {
      try JSONDecoder().decode(IdentifiedArrayOf<Item>.self, from: Data(json.utf8))
    } throws: { error in
      guard case DecodingError.dataCorrupted(let context) = error else { return false }
      return context.debugDescription == "Duplicate element at offset 2"
    }
  }

  @Test func descriptions() {
    let array = IdentifiedArray(uniqueElements: ["a", "b"], id: \.self)
    #expect(array.description == #"["a", "b"]"#)
    #expect(array.debugDescription == #"IdentifiedArray<String, String>(["a", "b"])"#)
    #expect(Mirror(reflecting: array).children.map { "\($0.value)" } == ["a", "b"])
    #expect(Mirror(reflecting: array).displayStyle == .collection)
  }

  @Test func identifiedCollections() {
    func text(_ collection: some _IdentifiedCollection<Int, Item>) -> String? {
      collection[id: 2]?.text
    }
    func clear(_ collection: inout some _MutableIdentifiedCollection<Int, Item>) {
      for id in collection.ids { collection[id: id]?.text = "" }
    }
    var array: IdentifiedArrayOf<Item> = [Item(id: 2, text: "a")]
    #expect(text(array) == "a")
    clear(&array)
    #expect(text(array) == "")
  }

  @Test func identified() throws {
    var value = Identified("Blob", id: 1)
    #expect(value.count == 4)
    value.value.append("!")
    #expect(value == Identified("Blob!", id: { _ in 1 }))
    #expect(Identified("Blob", id: \.count).id == 4)
    var item = Identified(Item(id: 7), id: "x")
    item.text = "a"
    #expect(item.value == Item(id: 7, text: "a"))
    #expect(item.id == "x")
    let data: Data = try JSONEncoder().encode(item)
    #expect(try JSONDecoder().decode(Identified<String, Item>.self, from: data) == item)
  }

  @Test func ids() {
    let ids: OrderedIDs<Int> = [3, 1, 3, 2]
    #expect(Array(ids) == [3, 1, 2])
    #expect(ids.firstIndex(of: 2) == 2)
    #expect(!ids.contains(4))
    #expect(ids.union([4, 1]) == [3, 1, 2, 4])
    #expect(ids.intersection([2, 3]) == [3, 2])
    #expect(ids.subtracting([1]) == [3, 2])
    #expect(ids.symmetricDifference([1, 5]) == [3, 2, 5])
    #expect(ids.isSubset(of: 1...3))
    #expect(ids.isSuperset(of: [1]))
    #expect(ids.isDisjoint(with: [4]))
    #expect(ids.description == "[3, 1, 2]")
    let many = OrderedIDs((0..<1_000).map { $0 * 1_024 })
    #expect(many.firstIndex(of: 999 * 1_024) == 999)
  }

  /// The table does not rely on the hash values of ids being any good.
  @Test func hashesOfLittleUse() {
    struct Key: Hashable {
      var number: Int
      func hash(into hasher: inout Hasher) {}
    }
    struct Value: Identifiable { var id: Key }
    var array = IdentifiedArrayOf<Value>(
      uniqueElements: (0..<50).map { Value(id: Key(number: $0)) })
    for number in stride(from: 0, to: 50, by: 3) { array.remove(id: Key(number: number)) }
    expectSound(array)
    #expect(array.count == 33)
  }
}
