import LogSimulation
import Testing

/// Damage in a log of 64 KiB, place by place: a sample of the places.
///
/// `Tools/torture damage` goes to all of them.
@Suite struct DamageTests {
  private static let steps: [DamageCampaign.Kind: Int] = [
    .flips: 2999, .truncations: 397, .sectors: 3, .pages: 1,
  ]

  @Test(arguments: DamageCampaign.Kind.allCases)
  func damageToAClosedLogIsNoticedAndCostsABlock(_ kind: DamageCampaign.Kind) throws {
    try run(kind, DamageCampaign.closed())
  }

  @Test(arguments: DamageCampaign.Kind.allCases)
  func damageToATailIsNoticedAndEndsThePrefix(_ kind: DamageCampaign.Kind) throws {
    try run(kind, DamageCampaign.killed())
  }

  private func run(_ kind: DamageCampaign.Kind, _ campaign: DamageCampaign) throws {
    var campaign = campaign
    #expect(campaign.size > 62 << 10 && campaign.size < 70 << 10)
    let step = Self.steps[kind] ?? 1
    for number in stride(from: 0, to: campaign.count(kind), by: step) {
      try campaign.run(kind, number)
    }
    let counts = campaign.counts[kind] ?? .init()
    print(
      "damage, \(campaign.name), \(kind.rawValue): \(counts.states) of \(campaign.count(kind)),",
      "noticed \(counts.noticed), with loss \(counts.lossy), unchanged \(counts.unchanged)")
    #expect(counts.noticed > 0)
  }
}
