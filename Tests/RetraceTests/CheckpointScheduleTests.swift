import ActionLog
import Testing

@testable import Retrace

/// When a state may be written among the actions.
@Suite
struct CheckpointScheduleTests {
  private func statistics(
    actions: UInt64, otherBytes: UInt64, stateBytes: UInt64, sealed: Double = 1,
    storedOther: UInt64, storedState: UInt64
  ) -> LogStatistics {
    var statistics = LogStatistics()
    statistics.records = actions + 2
    statistics.sealedRecords = UInt64(Double(actions + 2) * sealed)
    statistics.otherBytes = otherBytes
    statistics.stateBytes = stateBytes
    statistics.storedOtherBytes = storedOther
    statistics.storedStateBytes = storedState
    statistics.recordsByKind = [UInt64](repeating: 0, count: 32)
    statistics.recordsByKind[Int(RecordKind.state.rawValue)] = 1
    statistics.recordsByKind[Int(RecordKind.action.rawValue)] = actions
    return statistics
  }

  @Test func aStateThatWouldOutweighTheActionsWaits() {
    let few = self.statistics(
      actions: 1_000, otherBytes: 20_000, stateBytes: 10_000, storedOther: 6_000,
      storedState: 5_000)
    #expect(!few.allowsState(of: 10_000))
    let many = self.statistics(
      actions: 10_000, otherBytes: 200_000, stateBytes: 10_000, storedOther: 60_000,
      storedState: 5_000)
    #expect(many.allowsState(of: 10_000))
  }

  @Test func whatIsNotCompressedYetCountsForAQuarter() {
    let unsealed = self.statistics(
      actions: 10_000, otherBytes: 200_000, stateBytes: 100, sealed: 0, storedOther: 0,
      storedState: 0)
    #expect(unsealed.allowsState(of: 30_000))
    #expect(!unsealed.allowsState(of: 45_000))
  }

  @Test func itIsAskedAgainWhereAStateMayBeDue() {
    let bySize = CheckpointSchedule()
    #expect(
      [0, 1_023, 1_024, 1_279, 1_280].map(bySize.nextLook) == [1_024, 1_024, 1_280, 1_280, 1_536])
    let every = CheckpointSchedule(.every(10, atOnce: true))
    #expect([0, 9, 10, 11].map(every.nextLook) == [10, 10, 11, 12])
    // One that never comes is no trap.
    let never = CheckpointSchedule(.every(.max, atOnce: true))
    #expect(never.nextLook(after: 5) > 1 << 30)
  }

  @Test func nothingIsDueInAnEmptyLog() {
    #expect(!LogStatistics().allowsState(of: 0))
  }
}
