#if FUZZER
  internal import FuzzTargets

  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ body: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  nonisolated(unsafe) private var chosen = FuzzTarget.segment

  /// Hands over to libFuzzer, with the words behind the target's name as its options.
  func runLibFuzzer(_ target: FuzzTarget) -> Int32 {
    chosen = target
    var arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>(CommandLine.unsafeArgv) + 1
    var count = CommandLine.argc - 1
    return runDriver(&count, &arguments) { bytes, size in
      let input = Array(UnsafeBufferPointer(start: bytes, count: size))
      do {
        try chosen.run(input)
      } catch {
        fatalError("\(chosen.rawValue): \(error)")
      }
      return 0
    }
  }
#endif
