import ConcurrencyExtras
import Foundation
import Testing

@testable import Dependencies

/// As many keys as numbers of parameters.
private struct Nested<T> {}

/// Identities of as many types: each nests the one before.
private func ids<T>(_ type: T.Type, _ count: Int) -> [ObjectIdentifier] {
  count == 0 ? [] : [ObjectIdentifier(type)] + ids(Nested<T>.self, count - 1)
}

private final class Box: Sendable {
  let number: Int
  init(_ number: Int) { self.number = number }
}

@Suite struct TypeTableTests {
  @Test func entriesAreFoundWhileOthersAreAdded() async {
    let table = TypeTable()
    let ids: [ObjectIdentifier] = ids(Int.self, 200)
    #expect(table.number(ids[0]) == nil)
    await withTaskGroup(of: Void.self) { group in
      for start in 0..<4 {
        group.addTask {
          for index in stride(from: start, to: ids.count, by: 4) {
            #expect(table.insert(Box(index), for: ids[index]))
            #expect(table.number(ids[index]) == index)
          }
        }
        group.addTask {
          for _ in 0..<20 {
            for (index, id) in ids.enumerated() {
              let number = table.number(id)
              #expect(number == nil || number == index)
            }
          }
        }
      }
    }
    for (index, id) in ids.enumerated() { #expect(table.number(id) == index) }
    #expect(!table.insert(Box(-1), for: ids[7]))
    #expect(table.number(ids[7]) == 7)
  }

  @Test func aLiveValueIsMadeOnceByManyTasks() async {
    final class Made: Sendable {}
    enum Key: DependencyKey {
      static let count = LockIsolated(0)
      static var liveValue: Made {
        count.withValue { $0 += 1 }
        return Made()
      }
    }
    var values = DependencyValues()
    values.context = .live
    let all = values
    let identities = await withTaskGroup(of: ObjectIdentifier.self) { group in
      for _ in 0..<16 { group.addTask { ObjectIdentifier(all[Key.self]) } }
      var identities: Set<ObjectIdentifier> = []
      for await identity in group { identities.insert(identity) }
      return identities
    }
    #expect(identities.count == 1)
    #expect(Key.count.value == 1)
  }
}

extension TypeTable {
  fileprivate func number(_ id: ObjectIdentifier) -> Int? {
    self[id].map { ($0.takeUnretainedValue() as? Box)?.number ?? -1 }
  }
}
