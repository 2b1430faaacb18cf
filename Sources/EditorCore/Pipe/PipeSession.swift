package import ComposableArchitecture

/// Sends what comes from a pipe to an editor's store.
@MainActor
package final class PipeSession {
  private let store: StoreOf<Editor>
  private var acknowledges: Bool
  private let output: Int32
  private let errors: Int32
  private var countTask: StoreTask?
  private var saveTask: StoreTask?
  private var isGood = true

  /// - Parameters:
  ///   - acknowledges: Whether to print `{"ack": N}` once the action of line N has been reduced.
  ///   - output: Where acknowledgements go.
  ///   - errors: Where messages for people go.
  package init(
    store: StoreOf<Editor>, acknowledges: Bool, output: Int32 = 1, errors: Int32 = 2
  ) {
    self.store = store
    self.acknowledges = acknowledges
    self.output = output
    self.errors = errors
  }

  /// Deals with all lines up to the end or to `quit`, and waits for what they started.
  ///
  /// - Returns: Whether every line was understood and every edit and save was done.
  package func run(_ lines: PipeLines) async -> Bool {
    reading: for await batch in lines.batches {
      for line in batch {
        if !take(line) { break reading }
      }
      lines.finishedBatch()
      // Lets the effects' answers in.
      await Task.yield()
    }
    if let failure = lines.failure {
      complain("The input can't be read (\(failure)); what came before was done.")
    }
    await saveTask?.finish()
    await countTask?.finish()
    if case .failed(let message) = store.withState(\.saveStatus) {
      complain(message)
    }
    return isGood
  }

  private func complain(_ message: String) {
    isGood = false
    FileDescriptor.writeAll("editor: \(message)\n", to: errors)
  }

  /// Deals with a line, and gives whether to go on.
  private func take(_ line: PipeLine) -> Bool {
    switch line.input {
    case .success(.command(.quit)):
      acknowledge(line.number)
      return false
    case .success(let input):
      send(input, number: line.number)
    case .failure(let error):
      refuse(error.description, number: line.number)
    }
    return true
  }

  private func send(_ input: PipeInput, number: Int) {
    switch input {
    case .edit(let patches): keep(store.send(.edit(patches)), in: &countTask)
    case .command(.undo): keep(store.send(.undo), in: &countTask)
    case .command(.redo): keep(store.send(.redo), in: &countTask)
    case .command(.save): keep(store.send(.save), in: &saveTask)
    case .command(.quit): break
    }
    if case .refusal(let message) = store.withState(\.message) {
      refuse(message, number: number)
    } else {
      acknowledge(number)
    }
  }

  /// Keeps the task of an action that started an effect, in place of one that has ended by then:
  /// the feature counts once at a time, and saves once at a time.
  private func keep(_ task: StoreTask, in kept: inout StoreTask?) {
    if !task.isCancelled { kept = task }
  }

  private func acknowledge(_ number: Int) {
    answer("{\"ack\": \(number)}\n", number: number)
  }

  private func refuse(_ message: String, number: Int) {
    complain("line \(number): \(message)")
    answer("{\"error\": \(JSONText.quoted(message)), \"line\": \(number)}\n", number: number)
  }

  /// Answers a line, where answers are wanted; after the first that can't be written no more are.
  private func answer(_ text: String, number: Int) {
    guard acknowledges, !FileDescriptor.writeAll(text, to: output) else { return }
    let reason: String = FileDescriptor.lastError
    acknowledges = false
    complain(
      "The answers can't be written (\(reason)): there is none from that to line \(number) on, "
        + "though the lines are dealt with.")
  }
}

/// Writes text as JSON.
enum JSONText {
  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\n": quoted += "\\n"
      case "\r": quoted += "\\r"
      case "\t": quoted += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
