internal import Dispatch
internal import Foundation

/// What happens while an editor is on a terminal.
package enum TerminalEvent: Sendable {
  case bytes([UInt8])
  case resized
  /// The state changed, for instance by the answer of an effect.
  case changed
  /// The terminal is gone, or the program is asked to end.
  case ended
}

/// Reads a terminal on a thread of its own, and turns signals into events.
package final class TerminalEvents {
  package let events: AsyncStream<TerminalEvent>
  package let continuation: AsyncStream<TerminalEvent>.Continuation
  private var sources: [any DispatchSourceSignal] = []

  package init(input: Int32 = 0) {
    (events, continuation) = AsyncStream.makeStream(of: TerminalEvent.self)
    let continuation: AsyncStream<TerminalEvent>.Continuation = self.continuation
    for (number, event) in [
      (SIGWINCH, TerminalEvent.resized), (SIGTERM, .ended), (SIGHUP, .ended), (SIGINT, .ended),
    ] {
      // The default action would end the program before the source is asked.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler { continuation.yield(event) }
      source.activate()
      sources.append(source)
    }
    let thread = Thread {
      let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
      defer { chunk.deallocate() }
      while let count = FileDescriptor.readSome(into: chunk, from: input), count > 0 {
        continuation.yield(.bytes(Array(chunk[..<count])))
      }
      continuation.yield(.ended)
    }
    thread.name = "editor.keys"
    thread.start()
  }

  deinit { for source in sources { source.cancel() } }
}
