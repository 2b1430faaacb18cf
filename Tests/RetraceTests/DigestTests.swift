import ActionCoding
import ComposableArchitecture
import Dependencies
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// A difference that only a digest tells, since the log has no later state.
@MainActor
@Suite struct DigestTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    self.folder = try TemporaryFolder()
    self.path = self.folder.path("log.retrace")
  }

  @Reducer
  struct Till {
    struct State: Equatable {
      var customer = "nobody"
      var items: [String: Int] = [:]
      var total = 0
      @Shared(.inMemory("digest-tests-cash")) var cash = 0
    }
    enum Action {
      case add(String, Int)
      case load(count: Int)
      case pay(Int)
      case leave
    }
    var isWrong = false
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .add(let name, let price):
          state.items[name, default: 0] += 1
          state.total += self.isWrong ? price + 1 : price
        case .load(let count):
          state.items = [:]
          for index in 0..<count { state.items["item \(index)"] = index }
          state.total = self.isWrong ? 1 : 0
        case .pay(let amount):
          state.$cash.withLock { $0 += self.isWrong ? amount + 1 : amount }
        case .leave:
          state.customer = "nobody"
          state.total = 0
        }
        return .none
      }
    }
  }

  /// Records without an end, as a program that is killed, and replays with the other reducer.
  private func divergence(
    interval: Int = 1, _ actions: [Till.Action]
  ) throws -> Divergence? {
    var contents = RecordingContents()
    contents.digestInterval = interval
    let recording = try Recording(at: self.path, contents: contents)
    return try withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Till.State()) { Till().recorded(by: recording) }
      for action in actions { store.send(action) }
      let right = try Timeline(of: self.path) { Till() }
      #expect(try right.replay { _ in }.divergence == nil)
      let timeline = try Timeline(of: self.path) { Till(isWrong: true) }
      let report = try timeline.replay { _ in }
      #expect(timeline.position == actions.count)
      #expect(timeline.divergence == report.divergence)
      #expect(timeline.state.total == self.wrongTotal(actions))
      #expect(report.actionCount == actions.count)
      withExtendedLifetime(store) {}
      return report.divergence
    }
  }

  /// What the other reducer leaves.
  private func wrongTotal(_ actions: [Till.Action]) -> Int {
    withDependencies {
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      var state = Till.State()
      for action in actions { _ = Till(isWrong: true)._reduce(into: &state, action: action) }
      return state.total
    }
  }

  @Test func theValueIsTold() throws {
    let found = try self.divergence([.leave, .load(count: 3), .leave, .add("tea", 4)])
    #expect(
      found?.description
        == "The replay differs from the recording after action 2: 'total' was 0, and is 1 now. The "
        + "states after action 1 agreed.")
  }

  @Test func inTheFirstActionToo() throws {
    let found = try self.divergence([.add("tea", 4)])
    #expect(found?.path == "total")
    #expect(found?.expected == "4")
    #expect(found?.actual == "5")
    #expect(found?.action == 1)
  }

  @Test func aDifferenceThatIsGoneByTheNextStateIsTold() throws {
    let found = try self.divergence([.add("tea", 4), .leave])
    #expect(found?.action == 1)
    #expect(found?.path == "total")
    #expect(found?.expected == "4")
  }

  @Test func betweenDigestsItIsTheFirstOneThatDiffers() throws {
    let found = try self.divergence(
      interval: 3, [.leave, .leave, .leave, .leave, .add("tea", 4), .leave, .add("tea", 2), .leave])
    #expect(found == nil)
    try FileManager.default.removeItem(atPath: self.path)
    let other = try self.divergence(
      interval: 3, [.leave, .leave, .leave, .leave, .add("tea", 4), .add("tea", 2)])
    #expect(other?.action == 6)
    #expect(other?.lastAgreement == 3)
    #expect(other?.path == "total")
    #expect(other?.expected == "6")
    #expect(other?.actual == "8")
  }

  @Test func whereMuchHasChangedTheFieldIsTold() throws {
    let found = try self.divergence([.leave, .load(count: 1_000)])
    #expect(found?.action == 2)
    #expect(found?.path == "total")
    #expect(found?.expected.hasPrefix("another value (digest ") == true)
    #expect(found?.actual == "1")
  }

  @Test func aSharedValueIsTold() throws {
    let found = try self.divergence([.leave, .pay(5)])
    #expect(found?.action == 2)
    #expect(found?.path == "cash")
    #expect(found?.expected == "5")
    #expect(found?.actual == "6")
  }

  /// What others change between two actions is no part of the state that a digest is of.
  @Test(arguments: [1, 2]) func whatOthersChangeMeanwhileIsNoDifference(interval: Int) throws {
    var contents = RecordingContents()
    contents.digestInterval = interval
    let recording = try Recording(at: self.path, contents: contents)
    try withDependencies {
      $0.context = .live
      $0.defaultInMemoryStorage = InMemoryStorage()
    } operation: {
      let store = Store(initialState: Till.State()) { Till().recorded(by: recording) }
      @Shared(.inMemory("digest-tests-cash")) var cash = 0
      for number in 1...6 {
        store.send(.pay(0))
        $cash.withLock { $0 = 100 * number }
      }
      store.send(.leave)
      $cash.withLock { $0 = 900 }
      store.send(.add("tea", 4))
      $cash.withLock { $0 = 1_000 }
      store.send(.leave)
      let timeline = try Timeline(of: self.path) { Till(isWrong: true) }
      let found = try timeline.replay { _ in }.divergence
      // `pay` is wrong as well.
      #expect(found?.action == interval)
      #expect(found?.path == "cash")
      let right = try Timeline(of: self.path) { Till() }
      #expect(try right.replay { _ in }.divergence == nil)
      let other = try Timeline<Till.State, Till.Action>(of: self.path) {
        Till()
        Reduce { state, action in
          if case .add = action { state.total += 1 }
          return .none
        }
      }
      let last = try other.replay { _ in }.divergence
      #expect(last?.action == 8)
      #expect(last?.path == "total")
      #expect(last?.expected == "4")
      #expect(last?.actual == "5")
      withExtendedLifetime(store) {}
    }
  }

  // MARK: - Bytes

  private func coded(_ payload: DigestPayload) throws -> DigestPayload {
    let bytes = try RecordWriter.bytes { (writer) throws(RecordOverflow) in
      try payload.put(to: &writer)
    }
    return try bytes.withUnsafeBytes {
      var reader = RecordReader($0)
      return try DigestPayload(from: &reader)
    }
  }

  @Test func aDigestAloneIsRead() throws {
    let payload = DigestPayload(
      number: 300, digest: StateDigest(digest: RecordDigest(value: 7), detail: nil))
    #expect(try self.coded(payload) == payload)
  }

  @Test func whatAnotherVersionAddsIsPassedOver() throws {
    let bytes: [UInt8] = [3, 1, 0, 0, 0, 0, 0, 0, 0, 99, 1, 2, 3]
    let payload = try bytes.withUnsafeBytes {
      var reader = RecordReader($0)
      return try DigestPayload(from: &reader)
    }
    #expect(payload.number == 3)
    #expect(payload.digest == RecordDigest(value: 1))
    #expect(payload.detail == nil)
  }

  @Test(
    arguments: [
      ([], []), ([1], []), ([], [1]), ([1, 2, 3], [1, 2, 3]), ([1, 2, 3], [1, 9, 3]),
      ([1, 1, 1], [1, 1]), ([1, 1], [1, 1, 1]), ([UInt8](0..<40), [UInt8](0..<41)),
      ([UInt8](0..<40), [UInt8](1..<40)),
      ([UInt8](0..<40), [UInt8](0..<17) + [99] + [UInt8](18..<40)),
    ] as [([UInt8], [UInt8])])
  func aChangeLeadsFromOneStateToTheOther(old: [UInt8], new: [UInt8]) throws {
    let change = try #require(StateChange(from: old, after: 4, to: new))
    #expect(change.applied(to: old) == new)
    let payload = DigestPayload(
      number: 9, digest: StateDigest(digest: RecordDigest(value: 7), detail: .change(change)))
    #expect(try self.coded(payload) == payload)
  }

  @Test(arguments: [1_023, 1_024, 1_025]) func aChangeHasALimit(count: Int) {
    let change = StateChange(from: [1, 2], after: 0, to: [1] + [UInt8](repeating: 7, count: count))
    #expect((change != nil) == (count <= StateChange.byteLimit))
  }

  @Test func aChangeOfAnotherStateIsRefused() {
    #expect(StateChange(base: 0, start: 3, end: 0, bytes: []).applied(to: [1, 2]) == nil)
    #expect(StateChange(base: 0, start: 1, end: 2, bytes: []).applied(to: [1, 2]) == nil)
    #expect(StateChange(base: 0, start: .max, end: .max, bytes: []).applied(to: [1]) == nil)
  }
}
