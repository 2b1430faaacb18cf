import ComposableArchitecture
import Foundation
import Observation
import Testing

/// What `@ObservableState` gives a state, and what of it is named by hand.
@MainActor
struct ObservationTests {
  @ObservableState
  struct Leaf: Equatable, Identifiable {
    let id: Int
    var count = 0
    @ObservationStateIgnored var ignored = 0
  }

  @ObservableState
  struct Tree: Equatable {
    var leaf = Leaf(id: 0)
    @Presents var presented: Leaf?
    var rows: IdentifiedArrayOf<Leaf> = []
    var stack = StackState<Leaf>()
    var names: [String] = []
  }

  @ObservableState
  enum Choice: Equatable {
    case leaf(Leaf)
    case text(String)
    case none
  }

  private func isTold<Value>(of read: () -> Value, by change: () -> Void) -> Bool {
    let isTold = LockIsolated(false)
    withObservationTracking {
      _ = read()
    } onChange: {
      isTold.setValue(true)
    }
    change()
    return isTold.value
  }

  @Test func whoReadIsTold() {
    var tree = Tree(presented: Leaf(id: 1), rows: [Leaf(id: 2)], stack: StackState([Leaf(id: 3)]))
    #expect(
      self.isTold {
        tree.leaf.count
      } by: {
        tree.leaf.count += 1
      })
    #expect(
      !self.isTold {
        tree.leaf.count
      } by: {
        tree.leaf.ignored += 1
      })
    #expect(
      !self.isTold {
        tree.leaf.count
      } by: {
        tree.names.append("a")
      })
    #expect(
      !self.isTold {
        tree.leaf
      } by: {
        tree.leaf.count += 1
      })
    #expect(
      self.isTold {
        tree.leaf
      } by: {
        tree.leaf = Leaf(id: 9)
      })
    #expect(
      !self.isTold {
        tree.presented
      } by: {
        tree.presented?.count += 1
      })
    #expect(
      self.isTold {
        tree.presented
      } by: {
        tree.presented = nil
      })
    #expect(
      !self.isTold {
        tree.rows
      } by: {
        tree.rows[id: 2]?.count += 1
      })
    #expect(
      self.isTold {
        tree.rows
      } by: {
        tree.rows.append(Leaf(id: 4))
      })
    #expect(
      self.isTold {
        tree.stack
      } by: {
        tree.stack.removeAll()
      })
    #expect(
      self.isTold {
        tree.names
      } by: {
        tree.names.append("b")
      })
  }

  @Test func identities() {
    let leaf = Leaf(id: 0)
    var copy = leaf
    #expect(_$isIdentityEqual(leaf, copy))
    copy._$willModify()
    #expect(leaf._$id != copy._$id)
    #expect(!_$isIdentityEqual(leaf, copy))
    #expect(!_$isIdentityEqual(leaf, Leaf(id: 0)))
    #expect(_$isIdentityEqual([leaf] as IdentifiedArrayOf<Leaf>, [copy]))
    #expect(!_$isIdentityEqual("a", "a"))
    #expect(!_$isIdentityEqual(1 as Any, 1 as Any))
    #expect(Set([leaf._$id, copy._$id]).count == 2)
    #expect(ObservableStateID() != ObservableStateID())
    #expect(ObservableStateID._$id(for: leaf) == leaf._$id)
    #expect(leaf._$id._$tag(1) != leaf._$id._$tag(2))
    var id = leaf._$id
    id._$willModify()
    #expect(id != leaf._$id)
    ComposableArchitecture._$willModify(&copy)
    var number = 3
    ComposableArchitecture._$willModify(&number)
    #expect(number == 3)
  }

  @Test func identitiesOfEnums() {
    let leaf = Leaf(id: 0)
    #expect(Choice.leaf(leaf)._$id == Choice.leaf(leaf)._$id)
    #expect(Choice.leaf(leaf)._$id != Choice.leaf(Leaf(id: 0))._$id)
    #expect(Choice.none._$id == Choice.none._$id)
    #expect(Choice.leaf(leaf)._$id != Choice.none._$id)
    #expect(Choice.text("a")._$id != Choice.text("a")._$id)
  }

  @Test func registrarsAreNoPartOfAValue() throws {
    let first = ObservationStateRegistrar()
    let second = ObservationStateRegistrar()
    #expect(first == second)
    #expect(first.hashValue == second.hashValue)
    #expect(first.id != second.id)
    struct Box: Codable, Equatable { var registrar = ObservationStateRegistrar() }
    let data = try JSONEncoder().encode(Box())
    #expect(try JSONDecoder().decode(Box.self, from: data) == Box())
  }

  /// A state that observes by hand what the macro would write.
  struct ByHand: ObservableState {
    private var registrar = ObservationStateRegistrar()
    private var _count = 0
    private var _leaf = Leaf(id: 0)

    var _$id: ObservableStateID { self.registrar.id }
    mutating func _$willModify() { self.registrar._$willModify() }

    var count: Int {
      get {
        self.registrar.access(self, keyPath: \.count)
        return self._count
      }
      set {
        self.registrar.mutate(self, keyPath: \.count, &self._count, newValue, _$isIdentityEqual)
      }
      _modify {
        let old = self.registrar.willModify(self, keyPath: \.count, &self._count)
        defer {
          self.registrar.didModify(self, keyPath: \.count, &self._count, old, _$isIdentityEqual)
        }
        yield &self._count
      }
    }
  }

  @Test func aStateByHand() {
    var state = ByHand()
    #expect(
      self.isTold {
        state.count
      } by: {
        state.count = 1
      })
    #expect(
      self.isTold {
        state.count
      } by: {
        state.count += 1
      })
    #expect(state.count == 2)
  }

  @Test func storesAreObserved() async {
    let store = Store(initialState: Counter.State()) { Counter() }
    #expect(
      self.isTold {
        store.count
      } by: {
        store.send(.increment)
      })
    var counts: [Int] = []
    let token = observe { counts.append(store.count) }
    store.send(.increment)
    for _ in 0..<100 where counts.count < 2 { await Task.yield() }
    #expect(counts == [1, 2])
    token.cancel()
    #expect(
      self.isTold {
        store.state
      } by: {
        store.send(.increment)
      } == false)
    let observable: any Perceptible = store
    #expect(observable is Store<Counter.State, Counter.Action>)
  }
}
