import Observation
import SwiftNavigation
import Testing
import TestSupport

@Observable @MainActor private final class Model {
  var count = 0
  var other = 0
}

/// Lets tasks go on until a condition holds; gives up after many turns.
@MainActor
private func turn(until condition: @MainActor () -> Bool) async {
  for _ in 0..<2_000 where !condition() { await Task.yield() }
}

private enum QuickKey: UITransactionKey {
  static let defaultValue = false
}

private enum NameKey: UITransactionKey {
  static let defaultValue = ""
}

extension UITransaction {
  fileprivate var isQuick: Bool {
    get { self[QuickKey.self] }
    set { self[QuickKey.self] = newValue }
  }

  fileprivate var name: String {
    get { self[NameKey.self] }
    set { self[NameKey.self] = newValue }
  }
}

@MainActor
@Suite(.mainSerialExecutor) struct ObserveTests {
  @Test func runsAtOnceAndAfterChanges() async {
    let model = Model()
    var seen: [Int] = []
    let token = observe { seen.append(model.count) }
    #expect(seen == [0])
    model.count = 1
    #expect(seen == [0])
    await turn { seen.count == 2 }
    #expect(seen == [0, 1])
    // Changes in a row are seen as one.
    model.count = 2
    model.count = 3
    await turn { seen.count == 3 }
    #expect(seen == [0, 1, 3])
    // What was not read does not count.
    model.other = 1
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == [0, 1, 3])
    _ = token
  }

  @Test func endsWhenCancelled() async {
    let model = Model()
    var seen: [Int] = []
    let token = observe { seen.append(model.count) }
    #expect(!token.isCancelled)
    token.cancel()
    #expect(token.isCancelled)
    model.count = 1
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == [0])
  }

  @Test func endsWhenTheTokenIsReleased() async {
    let model = Model()
    var seen: [Int] = []
    var token: ObserveToken? = observe { seen.append(model.count) }
    _ = token
    token = nil
    model.count = 1
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == [0])
  }

  @Test func changeThatIsCancelledBeforeItIsSeen() async {
    let model = Model()
    var seen: [Int] = []
    let token = observe { seen.append(model.count) }
    model.count = 1
    token.cancel()
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == [0])
  }

  @Test func handsTheTransactionOver() async {
    let model = Model()
    var seen: [String] = []
    let token = observe { transaction in
      seen.append("\(model.count) \(transaction.isQuick) \(transaction.name)")
    }
    withUITransaction(\.isQuick, true) {
      withUITransaction(\.name, "inner") { model.count = 1 }
    }
    await turn { seen.count == 2 }
    model.count = 2
    await turn { seen.count == 3 }
    #expect(seen == ["0 false ", "1 true inner", "2 false "])
    _ = token
  }

  @Test func innerTransactionWins() {
    var outer = UITransaction()
    outer.name = "outer"
    outer.isQuick = true
    var inner = UITransaction()
    inner.name = "inner"
    var seen: [String] = []
    withUITransaction(outer) {
      withUITransaction(inner) {
        _ = observe { transaction in
          seen.append("\(transaction.name) \(transaction.isQuick)")
        }
      }
    }
    #expect(seen == ["inner true"])
    #expect(withUITransaction(\.name, "x") { 5 } == 5)
  }

  @Test func onlyWhatTheFirstClosureReadsIsObserved() async {
    let model = Model()
    var seen: [String] = []
    let token = observe { _ in
      _ = model.count
    } onChange: { _ in
      seen.append("\(model.count) \(model.other)")
    }
    model.other = 1
    for _ in 0..<50 { await Task.yield() }
    #expect(seen == ["0 0"])
    model.count = 1
    await turn { seen.count == 2 }
    #expect(seen == ["0 0", "1 1"])
    _ = token
  }

  @Test func runsOnItsOwnActor() async {
    let worker = Worker()
    await worker.start()
    await worker.add(2)
    for _ in 0..<2_000 {
      if await worker.seen.count == 2 { break }
      await Task.yield()
    }
    #expect(await worker.seen == [0, 2])
  }

  @Test func tokensAreKept() {
    var list: [ObserveToken] = []
    var set: Set<ObserveToken> = []
    var ended = 0
    do {
      let first = ObserveToken { MainActor.assumeIsolated { ended += 1 } }
      first.store(in: &list)
      first.store(in: &set)
      let second = ObserveToken { MainActor.assumeIsolated { ended += 1 } }
      second.store(in: &set)
      #expect(first == first)
      #expect(first != second)
    }
    #expect(list.count == 1)
    #expect(set.count == 2)
    #expect(ended == 0)
    set = []
    #expect(ended == 1)
    list[0].cancel()
    list[0].cancel()
    list = []
    #expect(ended == 2)
  }
}

@Observable private final class Amount: @unchecked Sendable {
  var value = 0
}

private actor Worker {
  let amount = Amount()
  var seen: [Int] = []
  private var token: ObserveToken?

  func start() {
    self.token = observe { self.seen.append(self.amount.value) }
  }

  func add(_ value: Int) {
    self.amount.value += value
  }
}
