import Foundation

/// How often `Task.megaYield()` yields.
public let _defaultMegaYieldCount: Int = {
  let setting = ProcessInfo.processInfo.environment["TASK_MEGA_YIELD_COUNT"]
  return max(0, min(setting.flatMap(Int.init) ?? 20, 10_000))
}()
