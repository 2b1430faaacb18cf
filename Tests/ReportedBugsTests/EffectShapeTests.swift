import ComposableArchitecture
import Testing

/// What is left of effects that are put together.
@Suite
struct EffectShapeTests {
  private func shape(_ effect: Effect<Int>) -> String {
    self.shape(effect.operation)
  }

  private func shape(_ operation: EffectOperation<Int>) -> String {
    switch operation {
    case .none: "none"
    case .send(let action): "\(action)"
    case .run: "run"
    case .merge(let parts): "merge(\(parts.map(self.shape).joined(separator: " ")))"
    case .concatenate(let parts): "concatenate(\(parts.map(self.shape).joined(separator: " ")))"
    case .cancellable(_, _, let part): "cancellable(\(self.shape(part)))"
    case .cancel: "cancel"
    }
  }

  @Test func nothingIsDropped() {
    #expect(shape(.merge()) == "none")
    #expect(shape(.concatenate()) == "none")
    #expect(shape(.merge(.none, .none)) == "none")
    #expect(shape(.concatenate(.none, .send(1), .none)) == "1")
    #expect(shape(.merge(.none, .send(1), .none, .send(2))) == "merge(1 2)")
    #expect(shape(.send(1).merge(with: .none)) == "1")
    #expect(shape(Effect<Int>.none.merge(with: .send(1))) == "1")
    #expect(shape(.send(1).concatenate(with: .none)) == "1")
    #expect(shape(Effect<Int>.none.concatenate(with: .send(1))) == "1")
    #expect(shape(Effect<Int>.none.cancellable(id: 1)) == "none")
    #expect(shape(Effect<Int>.none.map { $0 }) == "none")
  }

  @Test func neighboursAreOne() {
    #expect(
      shape(.merge(.merge(.send(1), .send(2)), .send(3), .merge(.send(4), .send(5))))
        == "merge(1 2 3 4 5)")
    #expect(
      shape(.concatenate(.send(1), .concatenate(.send(2), .send(3)))) == "concatenate(1 2 3)")
    #expect(
      shape(.send(1).merge(with: .send(2)).merge(with: .send(3))) == "merge(1 2 3)")
    #expect(
      shape(.merge(.concatenate(.send(1), .send(2)), .send(3))) == "merge(concatenate(1 2) 3)")
  }
}

/// What holds for a test store that nobody configured.
@MainActor
@Suite
struct TestStoreDefaultsTests {
  @Test func itWaitsForASecond() {
    let store = TestStore(initialState: 0) { EmptyReducer<Int, Int>() }
    #expect(store.timeout == 1_000_000_000)
    #expect(store.exhaustivity == .on)
  }
}
