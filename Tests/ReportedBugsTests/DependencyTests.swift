import ComposableArchitecture
import DependenciesTestSupport
import Foundation
import TestSupport
import Testing

private enum ObjectKey: TestDependencyKey {
  static var testValue: OnDeinit { OnDeinit {} }
}

extension DependencyValues {
  fileprivate var object: OnDeinit { self[ObjectKey.self] }
}

/// What a test left behind: a task that reads a dependency once it is told to.
private let leftBehind = LockIsolated<(go: AsyncStream<Void>.Continuation, Task<OnDeinit, Never>)?>(
  nil)

/// A test that ends before its task does, and the one after it.
@Suite(.serialized)
struct LateReadTests {
  @Test func aTestThatLeavesATaskBehind() async {
    let (stream, go) = AsyncStream<Void>.makeStream()
    let task = Task {
      for await _ in stream {}
      @Dependency(\.object) var object
      return object
    }
    leftBehind.setValue((go, task))
  }

  @Test func theTestAfterItKeepsItsOwnValue() async {
    @Dependency(\.object) var object
    let mine = object
    if let (go, task) = leftBehind.value {
      go.finish()
      let late = await task.value
      #expect(late !== mine)
    }
    #expect(object === mine)
    leftBehind.setValue(nil)
  }
}

@Reducer
private struct Names {
  struct State: Equatable {
    var name: String
    var log: [String] = []
    init() {
      @Dependency(\.locale) var locale
      self.name = locale.identifier
    }
  }
  enum Action: Equatable {
    case read
    case response(String)
  }
  @Dependency(\.locale) var locale
  let atCreation: String

  init() {
    @Dependency(\.locale) var locale
    self.atCreation = locale.identifier
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .read:
        state.log.append("reducer \(locale.identifier), made in \(atCreation)")
        return .run { send in
          await send(.response("effect \(locale.identifier)"))
        }
      case .response(let text):
        state.log.append(text)
        return .none
      }
    }
  }
}

/// Which dependencies hold where.
@MainActor
@Suite(.mainSerialExecutor)
struct StoreDependencyTests {
  @Test func aStoresDependenciesHoldForItsStateItsReducerAndItsEffects() async {
    let store = Store(initialState: Names.State()) {
      Names()
    } withDependencies: {
      $0.locale = Locale(identifier: "de_DE")
    }
    await store.send(.read).finish()
    #expect(store.now.name == "de_DE")
    #expect(store.now.log == ["reducer de_DE, made in de_DE", "effect de_DE"])
  }

  @Test func theDependenciesAroundTheMakingOfAStoreHold() async {
    let store = withDependencies {
      $0.locale = Locale(identifier: "fr_FR")
    } operation: {
      Store(initialState: Names.State()) {
        Names()
      } withDependencies: { _ in
      }
    }
    await store.send(.read).finish()
    #expect(store.now.name == "fr_FR")
    #expect(store.now.log == ["reducer fr_FR, made in fr_FR", "effect fr_FR"])
  }

  @Test func theInnerOfTwoOperatorsWins() async {
    let store = Store(initialState: Names.State()) {
      CombineReducers {
        Names()
          .dependency(\.locale, Locale(identifier: "de_DE"))
      }
      .dependency(\.locale, Locale(identifier: "fr_FR"))
    } withDependencies: {
      $0.locale = Locale(identifier: "en_US")
    }
    await store.send(.read).finish()
    #expect(store.now.log == ["reducer de_DE, made in en_US", "effect de_DE"])
    let chained = Store(initialState: Names.State()) {
      Names()
        .dependency(\.locale, Locale(identifier: "de_DE"))
        .dependency(\.locale, Locale(identifier: "fr_FR"))
    } withDependencies: {
      $0.locale = Locale(identifier: "en_US")
    }
    await chained.send(.read).finish()
    #expect(chained.now.log == ["reducer de_DE, made in en_US", "effect de_DE"])
  }

  @Test func aMappedEffectKeepsTheDependenciesOfItsMaking() async {
    let store = Store<[String], String>(initialState: []) {
      Reduce { state, action in
        state.append(action)
        guard action == "go" else { return .none }
        return withDependencies {
          $0.locale = Locale(identifier: "de_DE")
        } operation: {
          Effect<Int>.run { send in await send(1) }
            .map { number in
              @Dependency(\.locale) var locale
              return "\(number) \(locale.identifier)"
            }
        }
      }
    } withDependencies: {
      $0.locale = Locale(identifier: "en_US")
    }
    await store.send("go").finish()
    #expect(store.now == ["go", "1 de_DE"])
  }
}
