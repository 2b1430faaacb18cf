internal import ActionLog
internal import CommandLineKit
internal import Retrace

/// Records that say what a run is, and can't be read.
struct UnreadableDescription: Hashable, Sendable {
  var run: Int
  var sequences: ClosedRange<UInt64>

  var message: String {
    let records: String =
      sequences.count == 1
      ? "record \(sequences.lowerBound)"
      : "records \(sequences.lowerBound) to \(sequences.upperBound)"
    return "\(records) can't be read; the names and types of streams of run \(run) can be in them"
  }
}

extension LogInspector {
  /// What is lost of the records that describe the runs.
  func unreadableDescriptions() throws(LogError) -> [UnreadableDescription] {
    var found: [UnreadableDescription] = []
    for block in reader.blocks where !block.isPreamble {
      let describes: Bool =
        block.kinds.contains(.open) || block.kinds.contains(.schema)
        || block.kinds.contains(.close)
      guard describes, try !isReadable(block) else { continue }
      let last: UInt64 = block.firstSequence + UInt64(max(block.count, 1)) - 1
      found.append(
        UnreadableDescription(run: Int(block.run), sequences: block.firstSequence...last))
    }
    return found
  }

  /// Whether the records of a block can be read, in a log that was opened to salvage.
  func isReadable(_ block: BlockSummary) throws(LogError) -> Bool {
    var cursor: LogCursor = reader.cursor(from: block.firstSequence)
    return try cursor.next()?.sequence == block.firstSequence
  }
}

/// What the tool says about logs that are not whole.
enum DamageAdvice {
  /// The note that goes before the answers from a log that is not whole; nil where it is.
  static func note(_ inspector: LogInspector, program: String) throws(LogError) -> String? {
    let path: String = inspector.path
    let damage: [LogDamage] = inspector.reader.summary.damage
    let unreadable: [UnreadableDescription] = try inspector.unreadableDescriptions()
    var what: String
    if let first = damage.first(where: { $0.effect == .loss }) ?? damage.first {
      switch first.effect {
      case .loss: what = "has lost records: \(first)"
      case .tornEnd: what = "ends in the middle of a record, as a kill leaves it: \(first)"
      case .none: what = "is damaged, and nothing is lost: \(first)"
      }
    } else if let first = unreadable.first {
      what = "has lost records: \(first.message)"
    } else {
      return nil
    }
    let others: Int = damage.count + unreadable.count - 1
    if others > 0 { what += " (and \(Phrase.count(UInt64(others), "other place")))" }
    return "note: \(path) \(what). \(verify(path, program))"
  }

  /// Whether an error is about records that are lost.
  static func isAboutDamage(_ error: any Error) -> Bool {
    switch error {
    case let error as LogError: error.code == .damaged
    case let error as ReplayError: error.code == .gap
    default: false
    }
  }

  /// An error about lost records, with the advice that is of use to who runs the tool.
  static func error(_ error: any Error, path: String, program: String) -> CommandError {
    CommandError("\(fact(error)). \(verify(path, program))")
  }

  /// An error of a replay, with its advice for who runs this program.
  static func text(_ error: ReplayError, program: String) -> String {
    error.message.replacing("'retrace ", with: "'\(program) ")
  }

  /// A replay that can't go on, since it differs from the recording, with how to look at it.
  static func text(_ divergence: Divergence, _ call: Invocation) throws -> String {
    let log: String = try call.arguments.require(LogParameters.log)
    return """
      The replay can't go on. \(divergence) Look at what it did with: \(call.program) show \(log) \
      \(divergence.address)
      """
  }

  /// What happened, without what the library advises a program to do.
  static func fact(_ error: any Error) -> String {
    let text = "\(error)"
    // The advice is the last sentence.
    guard let end = text.ranges(of: ". ").last?.lowerBound else {
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
    return String(text[..<end])
  }

  static func verify(_ path: String, _ program: String) -> String {
    "Run '\(program) verify \(path)' to see all that is damaged."
  }
}

extension Command {
  /// The command with advice on damage that suits its program, and the status of wrong use for
  /// places that stand the wrong way round.
  func advisingOnDamage() -> Command {
    guard let action else { return self }
    var command: Command = self
    command.action = { (call: Invocation) in
      do {
        return try await action(call)
      } catch  where DamageAdvice.isAboutDamage(error) {
        guard let path = call.arguments[LogParameters.log] else { throw error }
        throw DamageAdvice.error(error, path: path, program: call.program)
      } catch let error as PositionError where error.isWrongUse {
        throw CommandError(error.description, status: .wrongUse)
      } catch let error as ReplayError {
        throw CommandError(DamageAdvice.text(error, program: call.program))
      } catch let error as Divergence {
        throw CommandError(try DamageAdvice.text(error, call), status: .divergence)
      }
    }
    return command
  }
}

extension Invocation {
  /// The name of the program.
  var program: String { path.first ?? "retrace" }

  /// Does what an answer can do without: what is lost in a damaged log is told, and nil.
  func unlessDamaged<Value>(_ what: String, _ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch  where DamageAdvice.isAboutDamage(error) {
      console.note("note: \(what) can't be told: \(DamageAdvice.fact(error)).")
      return nil
    }
  }

  /// Does what an answer can do without: where a log can't be replayed to a place, and where a replay
  /// differs on the way there, that is told, and nil.
  func unlessNotReplayable<Value>(_ what: String, _ body: () throws -> Value?) throws -> Value? {
    do {
      return try body()
    } catch let error as ReplayError {
      console.note("note: \(what) can't be told: \(DamageAdvice.fact(error)).")
    } catch let error as Divergence {
      console.note("note: \(what) can't be told: \(error)")
    }
    return nil
  }
}
