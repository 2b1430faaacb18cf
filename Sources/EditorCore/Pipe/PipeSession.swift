package import ComposableArchitecture

/// Sends what comes from a pipe to an editor's store.
@MainActor
package final class PipeSession {
  private let store: StoreOf<Editor>
  private let acknowledges: Bool
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
    await saveTask?.finish()
    await countTask?.finish()
    if case .failed(let message) = store.withState(\.saveStatus) {
      isGood = false
      FileDescriptor.writeAll("editor: \(message)\n", to: errors)
    }
    return isGood
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
    if acknowledges { FileDescriptor.writeAll("{\"ack\": \(number)}\n", to: output) }
  }

  private func refuse(_ message: String, number: Int) {
    isGood = false
    FileDescriptor.writeAll("editor: line \(number): \(message)\n", to: errors)
    if acknowledges {
      FileDescriptor.writeAll(
        "{\"error\": \(JSONText.quoted(message)), \"line\": \(number)}\n", to: output)
    }
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
