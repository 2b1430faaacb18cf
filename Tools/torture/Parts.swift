internal import Foundation
internal import LogSimulation

/// Rounds between two notes of what has been done.
private let roundsBetweenNotes = 50

/// Prints at once, also into a file.
private func say(_ text: String) {
  print(text)
  fflush(nil)
}

/// Cuts the power until there were so many distinct states for each policy.
func runPowerCuts(
  _ memory: Memory, states: Int, _ limit: Deadline, _ hasFailed: inout Bool
) throws {
  var campaigns: [PowerCutCampaign] = []
  for policy in PowerCutCampaign.Policy.allCases {
    var campaign = PowerCutCampaign(policy)
    campaign.counts.states = memory.hashes("states-\(policy.rawValue)")
    campaign.counts.shapes = memory.hashes("shapes-\(policy.rawValue)")
    campaign.counts.rounds = memory.number("power \(policy.rawValue) rounds")
    campaigns.append(campaign)
  }
  // In turn, so that a short run has something of each.
  var isMore = true
  while isMore && !limit.isOver {
    isMore = false
    for index in campaigns.indices where campaigns[index].counts.states.count < states {
      isMore = true
      for _ in 0..<roundsBetweenNotes where !limit.isOver {
        try cut(&campaigns[index], memory, &hasFailed)
      }
      try note(campaigns[index], memory)
    }
  }
  for campaign in campaigns {
    let counts = campaign.counts
    say(
      """
      power, \(campaign.policy.rawValue): \(counts.rounds) rounds, \(counts.states.count) states, \
      \(counts.shapes.count) shapes, \(memory.number("power \(campaign.policy.rawValue) failures")) \
      failures
      """)
  }
}

private func cut(
  _ campaign: inout PowerCutCampaign, _ memory: Memory, _ hasFailed: inout Bool
) throws {
  let seed = UInt64(campaign.counts.rounds + 1)
  do {
    try campaign.round(seed: seed)
  } catch let failure as PowerCutCampaign.Failure {
    hasFailed = true
    let name = "power \(campaign.policy.rawValue) failures"
    let number = memory.number(name) + 1
    try memory.set(name, number)
    let place = try memory.keep(
      failure.fileSystem, "\(campaign.policy.rawValue)-\(seed)-\(number)", why: "\(failure)")
    say("power, \(failure)\n  the disk: \(place)")
  }
}

private func note(_ campaign: PowerCutCampaign, _ memory: Memory) throws {
  let policy = campaign.policy.rawValue
  try memory.set("states-\(policy)", campaign.counts.states)
  try memory.set("shapes-\(policy)", campaign.counts.shapes)
  try memory.set("power \(policy) rounds", campaign.counts.rounds)
}

/// Damages a closed log and a killed one in every place.
func runDamage(_ memory: Memory, _ limit: Deadline, _ hasFailed: inout Bool) throws {
  for make in [DamageCampaign.closed, DamageCampaign.killed] {
    var campaign = try make()
    for kind in DamageCampaign.Kind.allCases {
      let name = "damage \(campaign.name) \(kind.rawValue)"
      let count = campaign.count(kind)
      var failures = memory.number(name + " failures")
      var next = memory.number(name)
      while next < count && !limit.isOver {
        do {
          try campaign.run(kind, next)
        } catch let failure as DamageCampaign.Failure {
          hasFailed = true
          failures += 1
          if failures <= 20 { say("damage, \(failure)") }
        }
        next += 1
        if next % 5000 == 0 { try memory.set(name, next) }
      }
      try memory.set(name, next)
      try memory.set(name + " failures", failures)
      let counts = campaign.counts[kind] ?? .init()
      say(
        """
        \(name): \(min(next, count)) of \(count), \(failures) failures; in this run noticed \
        \(counts.noticed), with loss \(counts.lossy), unchanged \(counts.unchanged), recovered \
        \(counts.recovered)
        """)
    }
  }
}

/// Kills programs.
func runKills(
  _ memory: Memory, kills: Int, _ limit: Deadline, _ hasFailed: inout Bool
) throws {
  let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("ActionLogTestWriter").path
  guard FileManager.default.isExecutableFile(atPath: program) else {
    say("kills: \(program) is missing. Build it: swift build -c release")
    hasFailed = true
    return
  }
  let folder = memory.folder.appendingPathComponent("kills").path
  while memory.number("kills") < kills && !limit.isOver {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var campaign = KillCampaign(
      program: program, folder: folder, seed: UInt64(memory.number("kills") + 1))
    do {
      for _ in 0..<20 { try campaign.round() }
      try campaign.finish()
    } catch {
      hasFailed = true
      let number = memory.number("kills failures") + 1
      try memory.set("kills failures", number)
      let place = memory.folder.appendingPathComponent("failures/kill-\(number)")
      try FileManager.default.createDirectory(
        at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try FileManager.default.moveItem(atPath: folder, toPath: place.path)
      say("kills, \(error)\n  the log: \(place.path)")
    }
    try memory.set("kills", memory.number("kills") + campaign.kills)
    try memory.set(
      "kills acknowledged", memory.number("kills acknowledged") + Int(campaign.acknowledged))
  }
  try? FileManager.default.removeItem(atPath: folder)
  say(
    """
    kills: \(memory.number("kills")) kills, \(memory.number("kills acknowledged")) records \
    acknowledged, \(memory.number("kills failures")) failures
    """)
}
