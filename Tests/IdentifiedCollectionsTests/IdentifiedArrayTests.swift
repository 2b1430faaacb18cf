import Foundation
import IdentifiedCollections
import Testing

struct Item: Identifiable, Hashable, Codable, Comparable {
  var id: Int
  var text = ""

  static func < (first: Item, second: Item) -> Bool { first.id < second.id }
}

/// An array is sound when each id is found where its element stands.
func expectSound<ID, Element>(
  _ array: IdentifiedArray<ID, Element>, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(array.count == array.ids.count, sourceLocation: sourceLocation)
  for (position, element) in array.enumerated() {
    let id: ID = element[keyPath: array.id]
    #expect(array.ids[position] == id, sourceLocation: sourceLocation)
    #expect(array.index(id: id) == position, sourceLocation: sourceLocation)
  }
}

func items(_ ids: some Sequence<Int>) -> IdentifiedArrayOf<Item> {
  IdentifiedArray(uniqueElements: ids.map { Item(id: $0) })
}

@Suite struct IdentifiedArrayTests {
  @Test func creation() {
    #expect(IdentifiedArrayOf<Item>().isEmpty)
    let literal: IdentifiedArrayOf<Item> = [Item(id: 3), Item(id: 1)]
    #expect(Array(literal.ids) == [3, 1])
    #expect(literal.ids == [3, 1])
    let texts = IdentifiedArray(uniqueElements: ["a", "b"], id: \.self)
    #expect(texts[id: "b"] == "b")
    #expect(texts.id == \String.self)
    #expect(IdentifiedArray<Int, String>(id: \.count).isEmpty)
    #expect(IdentifiedArray(uncheckedUniqueElements: ["x", "yy"], id: \.count)[id: 2] == "yy")
    #expect(IdentifiedArrayOf<Item>(uncheckedUniqueElements: [Item(id: 1)]).ids == [1])
    #expect(IdentifiedArray(literal) == literal)
    let part = IdentifiedArray(literal[1...])
    #expect(part.ids == [1])
    expectSound(part)
  }

  /// As when a server sends an element twice.
  @Test func elementsWithOneIDAreMerged() {
    let elements = [Item(id: 1, text: "a"), Item(id: 2), Item(id: 1, text: "b")]
    let first = IdentifiedArray(elements, uniquingIDsWith: { old, _ in old })
    #expect(first.elements == [Item(id: 1, text: "a"), Item(id: 2)])
    let last = IdentifiedArray(elements, id: \.id, uniquingIDsWith: { $1 })
    #expect(last.elements == [Item(id: 1, text: "b"), Item(id: 2)])
    struct Failure: Error {}
    #expect(throws: Failure.self) {
      try IdentifiedArray(elements, uniquingIDsWith: { _, _ in throw Failure() })
    }
  }

  @Test func lookUp() {
    for count in [0, 1, 8, 9, 10, 100, 1_000] {
      let array = items(0..<count)
      expectSound(array)
      #expect(array[id: count] == nil)
      #expect(array.index(id: -1) == nil)
      #expect(!array.contains(Item(id: count)))
      if count > 0 { #expect(array.contains(Item(id: count - 1, text: "other"))) }
    }
  }

  @Test func changeByID() {
    for count in [3, 30] {
      var array = items(0..<count)
      array[id: 1]?.text = "a"
      #expect(array[1].text == "a")
      array[id: 1] = nil
      #expect(Array(array.ids) == [0] + Array(2..<count))
      expectSound(array)
      array[id: count - 1] = nil
      array[id: 77] = nil
      array[id: 1] = Item(id: 1, text: "b")
      #expect(Array(array.ids) == [0] + Array(2..<(count - 1)) + [1])
      array[id: 0] = Item(id: 0, text: "c")
      #expect(array[0].text == "c")
      expectSound(array)
    }
  }

  @Test func anElementIsChangedInPlace() {
    struct Row: Identifiable {
      var id: Int
      var numbers: [Int]
    }
    var array = IdentifiedArray(
      uniqueElements: (0..<20).map { Row(id: $0, numbers: Array(0..<100)) })
    func address(_ numbers: [Int]) -> UnsafeRawPointer? {
      numbers.withUnsafeBytes { $0.baseAddress }
    }
    let before: UnsafeRawPointer? = array[id: 3].flatMap { address($0.numbers) }
    let elements: UnsafeRawPointer? = array.elements.withUnsafeBytes { $0.baseAddress }
    array[id: 3]?.numbers[0] = 7
    array[3].numbers[1] = 8
    #expect(array[id: 3].flatMap { address($0.numbers) } == before)
    #expect(array.elements.withUnsafeBytes { $0.baseAddress } == elements)
    #expect(array[3].numbers.prefix(3) == [7, 8, 2])
  }

  /// A change that fails leaves the element where it was.
  @Test func anErrorDuringAChange() {
    struct Failure: Error {}
    func fail(_ item: inout Item?) throws {
      item?.text = "half"
      throw Failure()
    }
    var array = items(0..<12)
    #expect(throws: Failure.self) { try fail(&array[id: 4]) }
    #expect(array[4] == Item(id: 4, text: "half"))
    expectSound(array)
  }

  @Test func copiesAreIndependent() {
    let original = items(0..<12)
    var copy: IdentifiedArrayOf<Item> = original
    copy[id: 3]?.text = "a"
    copy.remove(id: 5)
    #expect(original[3].text == "")
    #expect(original.index(id: 5) == 5)
    expectSound(original)
  }

  @Test func positions() {
    var array = items([1, 2, 3])
    array[1].text = "a"
    array[2] = Item(id: 9)
    #expect(array.elements == [Item(id: 1), Item(id: 2, text: "a"), Item(id: 9)])
    expectSound(array)
  }

  @Test func insertion() {
    var array = items([1, 2])
    #expect(array.append(Item(id: 3)) == (true, 2))
    #expect(array.append(Item(id: 1, text: "new")) == (false, 0))
    #expect(array[0].text == "")
    #expect(array.insert(Item(id: 0), at: 0) == (true, 0))
    #expect(array.insert(Item(id: 3), at: 0) == (false, 3))
    array.append(contentsOf: [Item(id: 2), Item(id: 4)])
    #expect(array.ids == [0, 1, 2, 3, 4])
    #expect(array.update(Item(id: 1, text: "a"), at: 1) == Item(id: 1))
    #expect(array.updateOrAppend(Item(id: 1, text: "b"))?.text == "a")
    #expect(array.updateOrAppend(Item(id: 5)) == nil)
    #expect(array.updateOrInsert(Item(id: 5, text: "c"), at: 0) == (Item(id: 5), 5))
    #expect(array.updateOrInsert(Item(id: 6), at: 0) == (nil, 0))
    #expect(array.ids == [6, 0, 1, 2, 3, 4, 5])
    expectSound(array)
  }

  @Test func removal() {
    var array = items(0..<20)
    #expect(array.remove(id: 3) == Item(id: 3))
    #expect(array.remove(id: 3) == nil)
    #expect(array.remove(Item(id: 4)) == Item(id: 4))
    #expect(array.remove(at: 0) == Item(id: 0))
    #expect(array.removeFirst() == Item(id: 1))
    #expect(array.removeLast() == Item(id: 19))
    array.removeFirst(2)
    array.removeLast(2)
    #expect(Array(array.ids) == Array(6..<17))
    array.removeSubrange(1...2)
    array.removeSubrange(0..<1)
    #expect(Array(array.ids) == Array(9..<17))
    array.removeAll { $0.id.isMultiple(of: 2) }
    #expect(array.ids == [9, 11, 13, 15])
    expectSound(array)
    #expect(array.filter { $0.id > 10 }.ids == [11, 13, 15])
    array.removeAll()
    #expect(array.isEmpty)
    expectSound(array)
  }

  /// Each kind of change against the same change of a plain array.
  @Test func aLongSeriesOfChanges() {
    var seed: UInt64 = 42
    func random(_ bound: Int) -> Int {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(seed >> 33) % bound
    }
    var array = IdentifiedArrayOf<Item>()
    var model: [Item] = []
    for step in 0..<3_000 {
      let item = Item(id: random(60), text: "\(step)")
      switch random(7) {
      case 0, 1:
        if array.append(item).inserted { model.append(item) }
      case 2:
        let position: Int = random(model.count + 1)
        if array.insert(item, at: position).inserted { model.insert(item, at: position) }
      case 3:
        array.remove(id: item.id)
        model.removeAll { $0.id == item.id }
      case 4 where !model.isEmpty:
        let position: Int = random(model.count)
        array.remove(at: position)
        model.remove(at: position)
      case 5 where !model.isEmpty:
        let (i, j): (Int, Int) = (random(model.count), random(model.count))
        array.swapAt(i, j)
        model.swapAt(i, j)
      default:
        array[id: item.id]?.text = item.text
        if let position = model.firstIndex(where: { $0.id == item.id }) {
          model[position].text = item.text
        }
      }
      guard array.elements == model else {
        Issue.record("step \(step): \(array) instead of \(model)")
        return
      }
    }
    expectSound(array)
  }

  @Test func reservingRoomChangesNothing() {
    var numbers = IdentifiedArray(uniqueElements: [1, 2, 3], id: \.self)
    numbers.reserveCapacity(1_000)
    numbers.reserveCapacity(0)
    #expect(numbers.elements == [1, 2, 3])
    #expect(numbers.index(id: 3) == 2)
    numbers.append(4)
    #expect(numbers[id: 4] == 4)
  }
}
