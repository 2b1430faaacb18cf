extension GeneratedRun {
  /// A run of fewer steps that fails as well.
  ///
  /// Threads take part in runs, so that a run may fail once and not again: each that is tried gets
  /// several chances.
  ///
  /// - Parameters:
  ///   - folder: Where logs are made.
  ///   - limit: How many runs are tried.
  @MainActor
  package func shrunk(
    in folder: String, limit: Int = 300
  ) async throws -> (run: GeneratedRun, failure: String)? {
    var best: (run: GeneratedRun, failure: String)?
    var tries = 0
    func fails(_ run: GeneratedRun) async throws -> String? {
      for _ in 0..<3 where tries < limit {
        tries += 1
        if let failure = try await run.check(in: folder).failure { return failure }
      }
      return nil
    }
    guard let failure = try await fails(self) else { return nil }
    best = (self, failure)
    var length = max(1, self.steps.count / 2)
    while length >= 1, tries < limit, let known = best {
      var start = 0
      var isShorter = false
      while start < (best ?? known).run.steps.count, tries < limit {
        var run = (best ?? known).run
        run.steps.removeSubrange(start..<min(start + length, run.steps.count))
        if let failure = try await fails(run) {
          best = (run, failure)
          isShorter = true
        } else {
          start += length
        }
      }
      if !isShorter || length > 1 { length /= 2 }
    }
    return best
  }
}
