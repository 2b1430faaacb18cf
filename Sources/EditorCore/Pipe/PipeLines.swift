internal import Dispatch
internal import Foundation
internal import Synchronization

/// One line of a pipe.
package struct PipeLine: Sendable {
  /// Counted from 1.
  package var number: Int
  package var input: Result<PipeInput, PipeInputError>
}

/// Reads the lines of a pipe on a thread of its own and hands them over in batches.
///
/// The thread that reads never waits for a task, so that whoever takes the batches stays free to
/// do other things between them; it does wait while too many batches have not been taken.
package final class PipeLines: Sendable {
  /// The longest line, in bytes: room for a paste of a whole book, and a bound for memory.
  static let maximumLine = 64 * 1024 * 1024
  /// How many bytes are read at once: some thousand edits.
  static let chunkSize = 64 * 1024
  /// How many batches may wait.
  static let maximumWaiting = 8

  /// Batches of lines, in order. Blank lines are counted, and left out.
  package let batches: AsyncStream<[PipeLine]>
  private let continuation: AsyncStream<[PipeLine]>.Continuation
  private let failed = Mutex<String?>(nil)
  private let room = DispatchSemaphore(value: 0)

  package init(descriptor: Int32) {
    (batches, continuation) = AsyncStream.makeStream(of: [PipeLine].self)
    // Raised here: a semaphore that dies below the value that it was made with is a crash.
    for _ in 0..<Self.maximumWaiting { room.signal() }
    let thread = Thread { [self] in read(descriptor) }
    thread.name = "editor.input"
    thread.start()
  }

  /// Why reading ended before the end; nil as long as it goes well.
  package var failure: String? { failed.withLock { $0 } }

  /// Says that a batch has been dealt with.
  package func finishedBatch() { room.signal() }

  private func read(_ descriptor: Int32) {
    var splitter = PipeLineSplitter(maximumLine: Self.maximumLine)
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 1)
    defer { chunk.deallocate() }
    while true {
      guard let count = FileDescriptor.readSome(into: chunk, from: descriptor) else {
        let reason: String = FileDescriptor.lastError
        failed.withLock { $0 = reason }
        break
      }
      if count == 0 { break }
      deliver(splitter.split(UnsafeRawBufferPointer(rebasing: chunk[..<count])))
    }
    deliver(splitter.finish())
    continuation.finish()
  }

  private func deliver(_ lines: [PipeLine]) {
    if lines.isEmpty { return }
    room.wait()
    continuation.yield(lines)
  }
}

/// Cuts what is read into lines and reads each, however the bytes arrive.
package struct PipeLineSplitter {
  private let maximumLine: Int
  private var rest: [UInt8] = []
  private var isTooLong = false
  private var number = 0

  package init(maximumLine: Int) { self.maximumLine = maximumLine }

  /// The lines that these bytes complete.
  package mutating func split(_ bytes: UnsafeRawBufferPointer) -> [PipeLine] {
    var lines: [PipeLine] = []
    var start = 0
    while start < bytes.count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[start...])
      guard let length = part.firstIndex(of: 0x0A) else {
        keep(part)
        break
      }
      let line = UnsafeRawBufferPointer(rebasing: part[..<length])
      if rest.isEmpty, !isTooLong {
        complete(line, &lines)
      } else {
        keep(line)
        completeRest(&lines)
      }
      start += length + 1
    }
    return lines
  }

  /// The last line, where it does not end with a line feed.
  package mutating func finish() -> [PipeLine] {
    var lines: [PipeLine] = []
    if !rest.isEmpty || isTooLong { completeRest(&lines) }
    return lines
  }

  private mutating func keep(_ part: UnsafeRawBufferPointer) {
    if isTooLong { return }
    if rest.count + part.count > maximumLine {
      isTooLong = true
      rest = []
    } else {
      rest += part
    }
  }

  private mutating func completeRest(_ lines: inout [PipeLine]) {
    let line: [UInt8] = rest
    rest = []
    line.withUnsafeBytes { complete($0, &lines) }
    isTooLong = false
  }

  private mutating func complete(_ line: UnsafeRawBufferPointer, _ lines: inout [PipeLine]) {
    number += 1
    if isTooLong || line.count > maximumLine {
      let error = PipeInputError(reason: "The line is longer than \(maximumLine) bytes")
      lines.append(PipeLine(number: number, input: .failure(error)))
      return
    }
    if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return }
    do throws(PipeInputError) {
      lines.append(PipeLine(number: number, input: .success(try PipeInput(line: line))))
    } catch {
      lines.append(PipeLine(number: number, input: .failure(error)))
    }
  }
}
