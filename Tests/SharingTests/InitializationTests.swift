import Dependencies
import IdentifiedCollections
import Sharing
import Testing

private struct Todo: Equatable, Identifiable, Sendable {
  var id: Int
  var title = ""
}

extension SharedReaderKey where Self == InMemoryKey<Int> {
  fileprivate static var typed: Self { inMemory("typed") }
}

extension SharedReaderKey where Self == InMemoryKey<IdentifiedArrayOf<Todo>>.Default {
  fileprivate static var todos: Self { Self[.inMemory("todos"), default: [Todo(id: 1)]] }
}

extension SharedKey where Self == InMemoryKey<String> {
  fileprivate static var name: Self { inMemory("name") }
}

extension SharedKey where Self == InMemoryKey<[Int]>.Default {
  fileprivate static func numbers(_ id: Int) -> Self { Self[.inMemory("\(id)"), default: [id]] }
}

@Suite struct InitializationTests {
  @Test func theSourceOfTruthIsAParent() {
    struct State {
      @Shared var count: Int
      var other = 0
      init(count: Shared<Int>) {
        self._count = count
      }
    }
    let count = Shared(value: 3)
    let state = State(count: count)
    count.withLock { $0 += 1 }
    #expect(state.count == 4)
  }

  @Test func theSourceOfTruthIsWithin() {
    struct State {
      @Shared var count: Int
      init(count: Int) {
        self._count = Shared(value: count)
      }
    }
    #expect(State(count: 9).count == 9)
  }

  @Test func theDefaultIsEvaluatedOnlyWhereItIsNeeded() {
    struct State {
      @Shared var count: Int
      init(count: @autoclosure () -> Int) {
        self._count = Shared(wrappedValue: count(), .inMemory("count"))
      }
    }
    var evaluations = 0
    func value(_ value: Int) -> Int {
      evaluations += 1
      return value
    }
    let first = State(count: value(1))
    let second = State(count: value(2))
    #expect(evaluations == 1)
    #expect(first.count == 1)
    #expect(second.count == 1)
    second.$count.withLock { $0 = 5 }
    #expect(first.count == 5)
  }

  @Test func memberwise() {
    struct Feature: Equatable {
      @Shared(.inMemory("count")) var count = 0
      @Shared(.typed) var typed = 7
      @Shared(.todos) var todos
      @Shared(.todos) var otherTodos = [Todo(id: 5)]
      @Shared(.inMemory("optional")) var optional: String?
      @Shared(.name) var name = "Blob"
      @Shared(.numbers(3)) var numbers
      @Shared(value: false) var flag
      @SharedReader(.typed) var reader = 0
      @SharedReader(.todos) var todosReader
      @SharedReader(.inMemory("optional")) var optionalReader: String?
      var text = ""
    }
    let feature = Feature(text: "hello")
    #expect(feature.typed == 7)
    #expect(feature.reader == 7)
    #expect(feature.todos == [Todo(id: 1)])
    #expect(feature.otherTodos == [Todo(id: 1)])
    #expect(feature.optional == nil)
    #expect(feature.numbers == [3])
    feature.$optional.withLock { $0 = "x" }
    #expect(feature.optionalReader == "x")
    feature.$todos.withLock { $0[0].title = "Milk" }
    #expect(feature.todosReader[0].title == "Milk")
    #expect(Feature(text: "hello") == feature)
  }

  @Test func aKeyWithItsDefaultIsTheSameAsTheKeyAlone() {
    @Shared(.todos) var todos
    @Shared(.inMemory("todos")) var same: IdentifiedArrayOf<Todo> = []
    #expect(same == [Todo(id: 1)])
    $same.withLock { $0 = [] }
    #expect(todos == [])
    #expect(InMemoryKey<Int>.Default[.inMemory("a"), default: 5].initialValue == 5)
    #expect(
      InMemoryKey<Int>.Default[.inMemory("a"), default: 5].description == #".inMemory("a")"#)
  }

  @Test func inInitializersByHand() {
    struct State {
      @Shared var a: Int
      @Shared var b: [Int]
      @Shared var c: String?
      @SharedReader var d: Int
      init() {
        _a = Shared(wrappedValue: 4, .typed)
        _b = Shared(.numbers(1))
        _c = Shared(.inMemory("c"))
        _d = SharedReader(wrappedValue: 9, .typed)
      }
    }
    let state = State()
    #expect(state.a == 4)
    #expect(state.b == [1])
    #expect(state.c == nil)
    #expect(state.d == 4)
    let readers: (SharedReader<[Int]>, SharedReader<String?>) = (
      SharedReader(.numbers(1)), SharedReader(.inMemory("c"))
    )
    #expect(readers.0.wrappedValue == [1])
    #expect(readers.1.wrappedValue == nil)
  }

  @Test func decoding() throws {
    struct State: Equatable {
      @Shared(.inMemory("launchCount")) var launchCount = 0
      var todos: [String] = []
    }
    let state = State(todos: ["a"])
    #expect(state.launchCount == 0)
  }
}
