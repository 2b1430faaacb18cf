internal import Dependencies

/// What plays the log back to reducers, from one place on.
final class ReplayPlayback {
  let tape: ReplayTape
  let player: ReadPlayer
  let reads: ReducerReads
  let effects: EffectCheck

  init(tape: ReplayTape, player: ReadPlayer, reads: ReducerReads, effects: EffectCheck) {
    self.tape = tape
    self.player = player
    self.reads = reads
    self.effects = effects
  }
}
