import Foundation
import Perception
import Testing

@Perceptible
private final class Model: @unchecked Sendable {
  var count = 0
  var name: String = "a" {
    didSet { self.renames += 1 }
  }
  let fixed = 1
  @PerceptionIgnored var renames = 0
  @PerceptionIgnored weak var parent: Model?
  weak var child: Model?
  var `default` = 1
  var anything: Any?
  var list: [Int] = []
  var double: Int { self.count * 2 }
  lazy var late = 3
  static let shared = 0

  init(count: Int = 0) {
    self.count = count
  }
}

@Perceptible
private class Base<Value> {
  var value: Value
  init(value: Value) { self.value = value }
}

@Perceptible
private final class Derived: Base<Int> {
  var extra = 0
}

@MainActor
@Perceptible
final class ScreenModel {
  var title = ""
  public private(set) var isReady = false
  func prepare() { self.isReady = true }
}

private func changes<T>(of read: () -> T, after change: () -> Void) -> Bool {
  let box = Box()
  _ = withPerceptionTracking(read) { box.isChanged = true }
  change()
  return box.isChanged
}

private final class Box: @unchecked Sendable {
  var isChanged = false
}

@Suite struct PerceptibleTests {
  @Test func readPropertiesAreObserved() {
    let model = Model()
    #expect(changes(of: { model.count }, after: { model.count = 1 }))
    #expect(changes(of: { model.double }, after: { model.count += 1 }))
    #expect(!changes(of: { model.count }, after: { model.name = "b" }))
    #expect(changes(of: { model.default }, after: { model.default = 2 }))
    #expect(changes(of: { model.list }, after: { model.list.append(1) }))
    #expect(changes(of: { model.child }, after: { model.child = model }))
    #expect(changes(of: { model.anything }, after: { model.anything = nil }))
    #expect(model.count == 2)
    #expect(model.list == [1])
  }

  @Test func equalAssignmentsAreNotTold() {
    let model = Model(count: 4)
    #expect(!changes(of: { model.count }, after: { model.count = 4 }))
    #expect(!changes(of: { model.list }, after: { model.list = [] }))
  }

  @Test func ignoredPropertiesAreNot() {
    let model = Model()
    #expect(!changes(of: { model.renames }, after: { model.renames = 5 }))
    #expect(!changes(of: { model.late }, after: { model.late = 5 }))
    model.name = "c"
    #expect(model.renames == 6)
  }

  @Test func genericAndDerivedClasses() {
    let base = Base(value: "x")
    #expect(changes(of: { base.value }, after: { base.value = "y" }))
    let derived = Derived(value: 1)
    #expect(changes(of: { derived.value }, after: { derived.value = 2 }))
    #expect(changes(of: { derived.extra }, after: { derived.extra = 2 }))
  }

  @MainActor @Test func classOfAnActor() {
    let model = ScreenModel()
    #expect(changes(of: { model.isReady }, after: { model.prepare() }))
    #expect(changes(of: { model.title }, after: { model.title = "x" }))
  }

  @Test func perceptibleIsObservable() {
    let model = Model()
    let box = Box()
    withObservationTracking {
      _ = model.count
    } onChange: {
      box.isChanged = true
    }
    model.count = 1
    #expect(box.isChanged)
    func name(_ model: some Perceptible) -> String { "\(type(of: model))" }
    #expect(name(model) == "Model")
    #expect((model as Any) is any Observable)
  }

  @Test func onChangeRunsOnceAndBeforeTheChange() {
    let model = Model()
    let seen = Seen()
    withPerceptionTracking {
      _ = model.count
    } onChange: { [weak model] in
      seen.values.append(model?.count ?? -1)
    }
    model.count = 1
    model.count = 2
    #expect(seen.values == [0])
  }

  @Test func registrarIsNoPartOfTheValue() throws {
    let registrar = PerceptionRegistrar(isPerceptionCheckingEnabled: false)
    #expect(registrar == PerceptionRegistrar())
    #expect(Set([registrar, PerceptionRegistrar()]).count == 1)
    let data = try JSONEncoder().encode([registrar])
    #expect(String(decoding: data, as: UTF8.self) == "[{}]")
    #expect(try JSONDecoder().decode([PerceptionRegistrar].self, from: data).count == 1)
  }

  @Test func registrarOfAHandWrittenClass() {
    final class Manual: Perceptible {
      private let registrar = PerceptionRegistrar()
      private var storage = 0
      var value: Int {
        get {
          self.registrar.access(self, keyPath: \.value)
          return self.storage
        }
        set {
          self.registrar.withMutation(of: self, keyPath: \.value) { self.storage = newValue }
        }
      }
      func replace(_ value: Int) {
        self.registrar.willSet(self, keyPath: \.value)
        self.storage = value
        self.registrar.didSet(self, keyPath: \.value)
      }
    }
    let manual = Manual()
    #expect(changes(of: { manual.value }, after: { manual.value = 1 }))
    #expect(changes(of: { manual.value }, after: { manual.replace(2) }))
  }

  @Test func checkingCanBeSwitched() {
    #expect(isPerceptionCheckingEnabled)
    isPerceptionCheckingEnabled = false
    #expect(!isPerceptionCheckingEnabled)
    isPerceptionCheckingEnabled = true
  }
}

private final class Seen: @unchecked Sendable {
  var values: [Int] = []
}
