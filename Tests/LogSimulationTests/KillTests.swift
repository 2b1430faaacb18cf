import Foundation
import LogSimulation
import Testing

/// Real processes, really killed, from three threads of which each appends.
///
/// `ACTIONLOG_KILLS` asks for more or fewer, `ACTIONLOG_SEED` repeats a series; `Tools/torture
/// kills` goes on for as long as one likes.
@Suite(.serialized) struct KillTests {
  /// Beside the tests, wherever they were built.
  private static var program: String {
    let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let folder = ((program ?? "") as NSString).deletingLastPathComponent
    return folder + "/ActionLogTestWriter"
  }

  @Test(
    .enabled(if: FileManager.default.isExecutableFile(atPath: program), "no helper was built"))
  func noAcknowledgedRecordIsLost() throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["ACTIONLOG_KILLS"].flatMap(Int.init) ?? 100
    let seed = environment["ACTIONLOG_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 0...999_999)
    print("ACTIONLOG_SEED=\(seed)")
    let folder = NSTemporaryDirectory() + "kills-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var campaign = KillCampaign(program: Self.program, folder: folder, seed: seed)
    for _ in 0..<kills { try campaign.round() }
    try campaign.finish()
    print("kills: \(campaign.kills), records acknowledged \(campaign.acknowledged)")
  }
}
