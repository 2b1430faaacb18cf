import ComposableArchitecture
import ConcurrencyExtras
import Foundation
import Retrace

/// Does to a store what a generated run says.
@MainActor
final class RunDriver {
  let store: StoreOf<Node>
  let world: RunWorld
  /// Another store, which shares values with the first.
  private let other: StoreOf<Vault>
  private var tasks: [StoreTask] = []
  private var token: ObserveToken?

  init(store: StoreOf<Node>, world: RunWorld, recording: Recording) {
    self.store = store
    self.world = world
    self.other = withDependencies(world.install) {
      Store(initialState: Vault.State()) { Vault().recorded(by: recording, as: "other") }
    }
    reached(.storeInit)
  }

  func take(_ step: RunStep) async {
    var random = SplitMix(seed: step.word)
    switch step.kind {
    case .send:
      let state = self.store.withState { $0 }
      reached(.storeWithState)
      reached(.storeSend)
      self.keep(self.store.send(state.action(&random)))
    case .sendToPart:
      self.sendToPart(of: self.store, &random)
    case .release:
      self.world.board.release(step.word)
      for _ in 0..<random.below(4) { await Task.yield() }
    case .yield(let count):
      for _ in 0..<count { await Task.yield() }
    case .advance:
      await self.world.clock.advance(by: .seconds(random.below(3)))
    case .cancel:
      guard !self.tasks.isEmpty else { return }
      reached(.storeTaskCancel)
      self.tasks.remove(at: random.below(self.tasks.count)).cancel()
    case .share:
      await self.share(&random)
    }
  }

  /// Answers some changes of the state with an action, as an observer of it.
  func observe() {
    self.token = ComposableArchitecture.observe { [weak self] in
      guard let store = self?.store, store.choices.count % 2 == 1 || store.dismissals % 3 == 2
      else { return }
      if store.pages.count < 3 { store.send(.edit(.pushPage(store.pages.count))) }
    }
  }

  /// Lets what is held go in any order, or leaves it to be cancelled with the store.
  func finish(_ random: inout SplitMix) async {
    while self.world.board.release(random.next()), !random.once(in: 12) {
      for _ in 0..<random.below(4) { await Task.yield() }
    }
    guard random.once(in: 4), let task = self.tasks.first else { return }
    self.world.board.open()
    await self.world.clock.advance(by: .seconds(10))
    task.cancel()
    await task.finish()
    reached(.storeTaskFinish)
  }

  /// Somebody else changes what all share: another store, or another thread, which may still be at it
  /// when the next action runs.
  private func share(_ random: inout SplitMix) async {
    let vault: Vault.State = self.other.withState { $0 }
    let number = random.below(1_000)
    let board = self.world.board
    board.wrote(number)
    switch random.below(4) {
    case 0:
      self.other.send(vault.action(&random))
    case 1:
      Task.detached {
        vault.$total.withLock {
          $0 &+= number
          board.wrote($0)
        }
        await Task.yield()
        vault.$settings.withLock { $0.width = number }
        vault.$total.withLock {
          $0 &+= 1
          board.wrote($0)
        }
      }
    default:
      await Task.detached {
        vault.$level.withLock { $0 = number }
        vault.$total.withLock {
          $0 &+= number
          board.wrote($0)
        }
      }.value
    }
  }

  func keep(_ task: StoreTask) {
    self.tasks.append(task)
    if self.tasks.count > 8 { self.tasks.removeFirst() }
  }
}
