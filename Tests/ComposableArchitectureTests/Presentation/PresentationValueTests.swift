import Foundation
import IssueReporting
import Testing

@testable import ComposableArchitecture

/// `PresentationState` and `PresentationAction` as values: copies, cases, bytes.
@Suite
struct PresentationValueTests {
  @CasePathable
  @dynamicMemberLookup
  enum Destination: Equatable {
    case count(Int)
    case text(String)
  }

  struct Recursive: Equatable {
    @PresentationState var next: Recursive?
    var value = 0
  }

  @Test func copiesAreIndependent() {
    var first = PresentationState(wrappedValue: [1])
    let second = first
    first.wrappedValue?.append(2)
    first.running = .root()
    #expect(first.wrappedValue == [1, 2])
    #expect(second.wrappedValue == [1])
    #expect(second.running == nil)
    first.wrappedValue = nil
    #expect(first.running != nil)
    first.running = nil
    #expect(first.box == nil)
  }

  @Test func aFeatureMayPresentItself() {
    var state = Recursive(next: Recursive(next: nil, value: 2), value: 1)
    state.next?.next = Recursive(next: nil, value: 3)
    #expect(state.next?.next?.value == 3)
    #expect(MemoryLayout<Recursive>.size == 16)
  }

  @Test func casesOfThePresentedState() {
    var state = PresentationState<Destination>(wrappedValue: .count(1))
    #expect(state[case: \.count] == 1)
    #expect(state[case: \.text] == nil)
    #expect(state.count.wrappedValue == 1)
    #expect(state.text.wrappedValue == nil)
    state[case: \.count] = 2
    #expect(state.wrappedValue == .count(2))
    state[case: \.count]? += 1
    #expect(state.wrappedValue == .count(3))
    state[case: \.count] = nil
    #expect(state.wrappedValue == nil)
  }

  @Test func onlyThePresentedCaseCanBeChanged() {
    var state = PresentationState<Destination>(wrappedValue: .count(1))
    let issues = Issues()
    withIssueReporters([issues]) {
      state[case: \.text]?.append("a")
      state[case: \.text] = "a"
      state[case: \.text] = nil
    }
    #expect(state.wrappedValue == .count(1))
    #expect(issues.all == Array(repeating: #"Can't modify unrelated case "count""#, count: 3))
    state.wrappedValue = nil
    withIssueReporters([issues]) { state[case: \.text] = "a" }
    #expect(state.wrappedValue == nil)
    #expect(issues.all.last == "Can't modify unrelated case")
  }

  @CasePathable
  enum Action: Equatable, Codable {
    case tap
    case type(String)
  }

  @CasePathable
  enum Root: Equatable {
    case child(PresentationAction<Action>)
  }

  @Test func casesOfAPresentationsActions() {
    let dismiss: CaseKeyPath<Root, Void> = \.child.dismiss
    #expect(dismiss() == Root.child(.dismiss))
    let type: CaseKeyPath<Root, String> = \.child.type
    #expect(type("a") == Root.child(.presented(.type("a"))))
    #expect(Root.child(.presented(.type("b")))[case: type] == "b")
    #expect(Root.child(.presented(.tap))[case: type] == nil)
    let narrowed: CaseKeyPath<Root, PresentationAction<String>> = \.child.type
    #expect(narrowed(.dismiss) == Root.child(.dismiss))
    #expect(narrowed(.presented("c")) == Root.child(.presented(.type("c"))))
    #expect(Root.child(.presented(.tap))[case: narrowed] == nil)
    #expect(Root.child(.dismiss).is(\.child.dismiss))
    #expect(PresentationAction<Action>.dismiss.case == \.dismiss)
  }

  @Test func bytes() throws {
    for value in [nil, 7] {
      let state = PresentationState<Int>(wrappedValue: value)
      let bytes = try RecordWriter.bytes(of: state)
      let read = try bytes.withUnsafeBytes { buffer in
        var reader = RecordReader(buffer)
        return try PresentationState<Int>(from: &reader)
      }
      #expect(read == state)
      let coded = try JSONDecoder().decode(
        PresentationState<Int>.self, from: JSONEncoder().encode(state))
      #expect(coded == state)
    }
    for action in [PresentationAction<Int>.dismiss, .presented(3)] {
      let bytes = try RecordWriter.bytes(of: action)
      let read = try bytes.withUnsafeBytes { buffer in
        var reader = RecordReader(buffer)
        return try PresentationAction<Int>(from: &reader)
      }
      #expect(read == action)
      let coded = try JSONDecoder().decode(
        PresentationAction<Int>.self, from: JSONEncoder().encode(action))
      #expect(coded == action)
    }
  }

  @Test func identities() {
    struct Plain { var value = 0 }
    struct Row: Identifiable { var id: Int }
    enum Screen {
      case row(Row)
      case plain(Plain)
      case empty
    }
    #expect(StateIdentity(Plain(value: 1), at: nil) == StateIdentity(Plain(value: 2), at: nil))
    #expect(StateIdentity(Row(id: 1), at: nil) != StateIdentity(Row(id: 2), at: nil))
    let screens: [Screen] = [.row(Row(id: 1)), .row(Row(id: 2)), .plain(Plain()), .empty]
    let identities = screens.map { StateIdentity($0, at: nil) }
    #expect(Set(identities).count == 4)
    #expect(StateIdentity(Screen.plain(Plain(value: 9)), at: nil) == identities[2])
    #expect(
      StateIdentity(Plain(), at: \[Int].count) != StateIdentity(Plain(), at: \[Int].first))
  }

  @Test func dismissalsOfAChainOfEffectsDoNotPileUp() {
    let root = NavigationPath.root()
    let outer = ElementPlace(1, of: \[Int].count, in: root, isPresented: true)
    let inner = ElementPlace(2, of: \[Int].count, in: outer, isPresented: true)
    let other = ElementPlace(3, of: \[Int].count, in: root, isPresented: true)
    func nest(_ paths: [NavigationPath], _ body: () -> Void) {
      guard let path = paths.first else { return body() }
      Dismissals.$current.withValue(Dismissals.adding(Dismissals(path: path) {})) {
        nest(Array(paths.dropFirst()), body)
      }
    }
    nest([outer, inner, outer, inner]) {
      #expect(Dismissals.current.map(\.path) == [outer, inner])
    }
    nest([outer, inner, other]) { #expect(Dismissals.current.map(\.path) == [other]) }
  }
}
