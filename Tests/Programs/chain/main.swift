// Runs long synchronous chains, to be started by a test with a small stack.
import ComposableArchitecture

let chain = Store<Int, Bool>(initialState: 0) {
  Reduce { state, _ in
    state += 1
    return state < 100_000 ? .send(true) : .none
  }
}
chain.send(true)
print("chain \(chain.withState { $0 })")

let concatenation = Store<Int, Bool>(initialState: 0) {
  Reduce { state, isFirst in
    state += 1
    return isFirst ? .concatenate((1...100_000).map { _ in Effect.send(false) }) : .none
  }
}
concatenation.send(true)
print("concatenation \(concatenation.withState { $0 })")
