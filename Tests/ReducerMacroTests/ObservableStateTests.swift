import ComposableArchitecture
import Testing

@ObservableState
struct Child: Equatable, Sendable {
  var count = 0
  var names: [String] = []
}

@ObservableState
struct Parent: Equatable, Sendable {
  var child = Child()
  var optional: Child?
  var rows: [Child] = []
  var text = ""
  var mode = Mode.off
  @Presents var presented: Child?
  let constant = 1
  @ObservationStateIgnored var ignored = 0

  var doubled: Int { child.count * 2 }

  @ObservableState
  enum Mode: Equatable, Sendable {
    case off
    case text(String)
    case child(Child)
    case both(Int, Int)
  }
}

final class Flag: @unchecked Sendable { var count = 0 }

/// Whether an observer of what `read` reads hears of what `change` does.
func notifies(
  _ state: inout Parent, _ read: (Parent) -> Void, _ change: (inout Parent) -> Void
) -> Bool {
  let flag = Flag()
  withObservationTracking {
    read(state)
  } onChange: {
    flag.count += 1
  }
  change(&state)
  return flag.count > 0
}

@Suite struct ObservableStateTests {
  @Test func assignment() {
    var state = Parent()
    #expect(
      notifies(&state) {
        _ = $0.text
      } _: {
        $0.text = "a"
      })
    #expect(
      !notifies(&state) {
        _ = $0.text
      } _: {
        $0.text = "a"
      })
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.text = "b"
      })
    #expect(
      !notifies(&state) {
        _ = $0.ignored
      } _: {
        $0.ignored = 5
      })
  }

  @Test func inside() {
    var state = Parent()
    #expect(
      notifies(&state) {
        _ = $0.child.count
      } _: {
        $0.child.count += 1
      })
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.child.count += 1
      })
    #expect(
      !notifies(&state) {
        _ = $0.child.count
      } _: {
        $0.child.count += 0
      })
    #expect(
      !notifies(&state) {
        _ = $0.child.names
      } _: {
        $0.child.count += 1
      })
    #expect(
      notifies(&state) {
        _ = $0.child.names
      } _: {
        $0.child.names.append("x")
      })
  }

  @Test func replacement() {
    var state = Parent()
    #expect(
      notifies(&state) {
        _ = $0.child
      } _: {
        $0.child = Child()
      })
    #expect(
      notifies(&state) {
        _ = $0.child.count
      } _: {
        $0.child = Child(count: 3)
      })
    // A copy is the same state until one of the two is changed in place.
    let copy = state.child
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.child = copy
      })
    state.child.count += 1
    #expect(
      notifies(&state) {
        _ = $0.child.count
      } _: {
        $0.child = copy
      })
    var changed = state.child
    changed.count += 1
    #expect(
      !notifies(&state) {
        _ = $0.child
      } _: {
        $0.child = changed
      })
  }

  @Test func changedCopyNotifiesInside() {
    var state = Parent()
    #expect(
      notifies(&state) {
        _ = $0.child.count
      } _: {
        var copy = $0.child
        copy.count += 1
        $0.child = copy
      })
  }

  @Test func optionals() {
    var state = Parent()
    #expect(
      !notifies(&state) {
        _ = $0.optional
      } _: {
        $0.optional = nil
      })
    #expect(
      notifies(&state) {
        _ = $0.optional
      } _: {
        $0.optional = Child()
      })
    #expect(
      !notifies(&state) {
        _ = $0.optional
      } _: {
        $0.optional?.count = 4
      })
    #expect(
      notifies(&state) {
        _ = $0.optional?.count
      } _: {
        $0.optional?.count += 4
      })
    #expect(
      notifies(&state) {
        _ = $0.optional
      } _: {
        $0.optional = nil
      })
  }

  @Test func presents() {
    var state = Parent(presented: Child(count: 1))
    #expect(state.presented?.count == 1)
    #expect(
      !notifies(&state) {
        _ = $0.presented
      } _: {
        $0.presented?.count = 4
      })
    #expect(
      notifies(&state) {
        _ = $0.presented?.count
      } _: {
        $0.presented?.count = 5
      })
    #expect(
      !notifies(&state) {
        _ = $0.presented
      } _: {
        $0.$presented.wrappedValue?.count = 6
      })
    #expect(
      notifies(&state) {
        _ = $0.presented
      } _: {
        $0.$presented.wrappedValue = nil
      })
    #expect(state.presented == nil)
  }

  @Test func enums() {
    var state = Parent()
    #expect(
      !notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .off
      })
    #expect(
      notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .text("a")
      })
    #expect(
      notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .text("ab")
      })
    #expect(
      !notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .text("ab")
      })
    #expect(
      notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .both(1, 2)
      })
    #expect(
      !notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .both(1, 2)
      })
    let child = Child()
    #expect(
      notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .child(child)
      })
    #expect(
      !notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .child(child)
      })
    #expect(
      notifies(&state) {
        _ = $0.mode
      } _: {
        $0.mode = .child(Child())
      })
  }

  @Test func arrays() {
    var state = Parent(rows: [Child(), Child()])
    #expect(
      !notifies(&state) {
        _ = $0.rows
      } _: {
        $0.rows[1].count = 4
      })
    #expect(
      notifies(&state) {
        _ = $0.rows[1].count
      } _: {
        $0.rows[1].count = 5
      })
    #expect(
      notifies(&state) {
        _ = $0.rows
      } _: {
        $0.rows.swapAt(0, 1)
      })
    #expect(
      notifies(&state) {
        _ = $0.rows
      } _: {
        $0.rows.removeLast()
      })
  }

  @Test func changeInPlaceDoesNotCopy() {
    var state = Parent()
    state.child.names = Array(repeating: "x", count: 100)
    state.child.names.reserveCapacity(1_000)
    let before = state.child.names.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    state.child.names.append("y")
    let after = state.child.names.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
    #expect(before == after)
  }

  @Test func equality() {
    #expect(Parent() == Parent())
    #expect(Parent(text: "a") != Parent())
  }
}
