import LogSimulation
import Testing

/// What a loss of power leaves keeps the promise of the sync policy.
///
/// A short run; `Tools/torture power` goes on for as long as one likes.
@Suite struct PowerCutTests {
  @Test(arguments: PowerCutCampaign.Policy.allCases)
  func nothingDurableIsLost(_ policy: PowerCutCampaign.Policy) throws {
    var campaign = PowerCutCampaign(policy)
    for seed in 1...3 { try campaign.round(seed: UInt64(seed)) }
    let counts = campaign.counts
    print(
      "power cuts, \(policy.rawValue): \(counts.states.count) states, \(counts.shapes.count) shapes"
    )
    #expect(counts.states.count > 40)
    #expect(counts.changes > 0)
  }
}
