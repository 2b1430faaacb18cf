import ConcurrencyExtras
import Observation
import Sharing
import Testing

@Observable
private final class Model {
  @ObservationIgnored @Shared(.inMemory("modelCount")) var count = 0
  @ObservationIgnored @SharedReader(.inMemory("modelCount")) var reader = 0
  @ObservationIgnored @Shared var names: [String]

  init(names: Shared<[String]> = Shared(value: [])) {
    self._names = names
  }

  func increment() {
    $count.withLock { $0 += 1 }
  }
}

/// The forms in which features, models and tests of the field name shared values.
@Suite struct UsageTests {
  @Test @MainActor func observableModels() {
    let model = Model()
    let changes = LockIsolated(0)
    withObservationTracking {
      _ = model.reader
    } onChange: {
      changes.withValue { $0 += 1 }
    }
    model.increment()
    #expect(model.reader == 1)
    #expect(changes.value == 1)
    model.$names.withLock { $0.append("a") }
    #expect(Model(names: model.$names).names == ["a"])
  }

  @Test func wrappersOfParameters() {
    func increment(@Shared count: Int) {
      $count.withLock { $0 += 1 }
    }
    func double(@SharedReader of count: Int) -> Int { count * 2 }
    @Shared(value: 3) var count
    increment($count: $count)
    #expect(double($of: SharedReader($count)) == 8)
    [$count, $count].forEach { $count in $count.withLock { $0 *= 2 } }
    #expect(count == 16)
  }

  @Test func initializersAsFunctions() {
    let shared: [Shared<Int>] = [Shared(value: 1), Shared(value: 2)].map(
      Shared.init(projectedValue:))
    #expect(shared.map(\.wrappedValue) == [1, 2])
    #expect(shared.map(SharedReader.init).map(\.wrappedValue) == [1, 2])
  }

  @Test func inEffects() async {
    let count = Shared(value: 0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { [count] in count.withLock { $0 += 1 } } }
    }
    #expect(count.wrappedValue == 10)
  }

  @Test func nestedInValuesAndCollections() {
    struct Row: Equatable, Identifiable {
      let id: Int
      @Shared var isOn: Bool
    }
    @Shared(value: [false, true]) var flags
    var rows = [Row(id: 1, isOn: $flags[0])]
    rows.append(Row(id: 2, isOn: $flags[1]))
    rows[0].$isOn.withLock { $0.toggle() }
    #expect(flags == [true, true])
    #expect(rows[0].isOn)
    rows[0].$isOn = rows[1].$isOn
    rows[0].$isOn.withLock { $0 = false }
    #expect(flags == [true, false])
  }

  @Test func genericKeys() {
    func share<Key: SharedKey<Int>>(_ key: Key) -> Shared<Int> { Shared(wrappedValue: 5, key) }
    func read(_ key: any SharedReaderKey<Int>) -> Int { open(key) }
    func open<Key: SharedReaderKey<Int>>(_ key: Key) -> Int {
      SharedReader(wrappedValue: 6, key).wrappedValue
    }
    let shared = share(InMemoryKey<Int>.inMemory("generic"))
    #expect(read(InMemoryKey<Int>.inMemory("generic")) == 5)
    #expect(share(InMemoryKey<Int>.Default[.inMemory("generic"), default: 9]) == shared)
    shared.withLock { $0 = 7 }
    #expect(read(InMemoryKey<Int>.inMemory("generic")) == 7)
  }
}
