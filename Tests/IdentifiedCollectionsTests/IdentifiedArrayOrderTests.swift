import Foundation
import IdentifiedCollections
import Testing

@Suite(.serialized) struct IdentifiedArrayOrderTests {
  /// The ids keep up with the elements.
  @Test(arguments: [3, 40]) func swapping(count: Int) {
    var array = items(0..<count)
    array.swapAt(0, 2)
    array.swapAt(1, 1)
    #expect(array == items([2, 1, 0] + Array(3..<count)))
    #expect(array.ids == items([2, 1, 0] + Array(3..<count)).ids)
    expectSound(array)
  }

  @Test(arguments: [5, 40]) func ordering(count: Int) {
    var array = items((0..<count).reversed())
    array.sort()
    #expect(array == items(0..<count))
    array.sort { $0.id > $1.id }
    #expect(array == items((0..<count).reversed()))
    array.reverse()
    #expect(array == items(0..<count))
    array.shuffle()
    expectSound(array)
    #expect(array.sorted() == items(0..<count).elements)
    let pivot: Int = array.partition { $0.id >= 2 }
    #expect(pivot == 2)
    #expect(array[..<pivot].allSatisfy { $0.id < 2 })
    expectSound(array)
  }

  @Test func sortingAsACollection() {
    func sort<C: MutableCollection & RandomAccessCollection>(_ collection: inout C)
    where C.Element: Comparable {
      collection.sort()
    }
    var array = items((0..<30).reversed())
    sort(&array)
    #expect(array == items(0..<30))
    expectSound(array)
  }

  @Test(arguments: [
    ([0], 3, [1, 2, 0, 3, 4]), ([3], 0, [3, 0, 1, 2, 4]), ([0, 4], 2, [1, 0, 4, 2, 3]),
    ([1, 2], 5, [0, 3, 4, 1, 2]), ([2], 2, [0, 1, 2, 3, 4]), ([], 1, [0, 1, 2, 3, 4]),
  ])
  func moving(offsets: [Int], destination: Int, result: [Int]) {
    var array = items(0..<5)
    array.move(fromOffsets: IndexSet(offsets), toOffset: destination)
    #expect(Array(array.ids) == result)
    expectSound(array)
  }

  @Test func removingAtOffsets() {
    var array = items(0..<20)
    array.remove(atOffsets: [0, 3, 4, 19])
    #expect(Array(array.ids) == [1, 2] + Array(5..<19))
    expectSound(array)
  }

  @Test func replacingARange() {
    var array = items(0..<5)
    array.replaceSubrange(1..<3, with: [Item(id: 4), Item(id: 7), Item(id: 7), Item(id: 1)])
    #expect(array.ids == [0, 7, 1, 3, 4])
    array += [Item(id: 0), Item(id: 9)]
    #expect(array.ids == [0, 7, 1, 3, 4, 9])
    array.insert(contentsOf: [Item(id: 8)], at: 1)
    #expect(array.ids == [0, 8, 7, 1, 3, 4, 9])
    expectSound(array)
  }
}
