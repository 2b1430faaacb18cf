public import ActionCoding
internal import CommandLineKit
public import ComposableArchitecture
internal import Retrace

/// The tool that looks at recorded logs, for a program to carry along.
///
/// With its reducers a program gets every verb; without them, those that need none.
///
/// ```swift
/// let tool = RetraceTool(name: "editor") { Editor() }
/// if tool.handles() { exit(await tool.run()) }
/// ```
///
/// Then `editor state session.retrace 1200 text` prints a part of the state after action 1200, and
/// `editor help` lists the other verbs.
public struct RetraceTool: Sendable {
  private let name: String
  private var sources: [ReducerSource] = []

  /// A tool with the verbs that need no reducers, for the logs of any program.
  ///
  /// - Parameter name: The program's name, for its help and messages.
  public init(name: String) {
    self.name = name
  }

  /// A tool for the logs of a program with this reducer.
  ///
  /// - Parameters:
  ///   - name: The program's name, for its help and messages.
  ///   - migrations: What has been renamed in its types since logs were recorded, or has to be
  ///     rewritten.
  ///   - reducer: Makes the reducer that the program's store runs.
  public init<State, Action>(
    name: String, migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> reducer: @escaping @Sendable () -> some Reducer<State, Action>
  ) {
    self.name = name
    add(migrations, reducer)
  }

  /// The tool with the reducer of another store of the program.
  ///
  /// Each stream of a log is replayed by the first reducer that has its very types; where there is
  /// none by the first whose types have the same names, and then by the first that can read it.
  public func replaying<State, Action>(
    migrations: [RecordMigration] = [],
    @ReducerBuilder<State, Action> _ reducer: @escaping @Sendable () -> some Reducer<State, Action>
  ) -> RetraceTool {
    var tool: RetraceTool = self
    tool.add(migrations, reducer)
    return tool
  }

  private mutating func add<State, Action>(
    _ migrations: [RecordMigration],
    _ reducer: @escaping @Sendable () -> some Reducer<State, Action>
  ) {
    sources.append(
      ReducerSource(
        likeness: { Timeline<State, Action>.likeness(of: $0) },
        history: { (stream: StreamInfo, inspector: LogInspector) throws in
          try Timeline<State, Action>(of: stream, in: inspector, migrations: migrations) {
            reducer()
          }
        }))
  }

  /// Whether a command line asks for one of the tool's verbs.
  ///
  /// - Parameter arguments: The arguments without the program's name; the process's own when nil.
  public func handles(_ arguments: [String]? = nil) -> Bool {
    guard let first = (arguments ?? Self.ownArguments).first else { return false }
    return program.handles([first])
  }

  /// The words that a command line can begin with.
  package var verbs: [String] { program.root.subcommands.map(\.name) + ["help"] }

  /// Does what a command line asks for, and returns the status to exit with.
  ///
  /// What it prints is on standard output, messages are on standard error. When it works on the
  /// process's own arguments it may start the program again, to replay with hashing that is the
  /// same each time.
  ///
  /// - Parameter arguments: The arguments without the program's name; the process's own when nil.
  public func run(_ arguments: [String]? = nil) async -> Int32 {
    let own: [String] = Self.ownArguments
    let arguments: [String] = arguments ?? own
    if let verb = arguments.first, arguments == own, folds(verb) {
      Self.ensureDeterministicHashing()
    }
    System.ignoreClosedPipes()
    return await run(arguments, console: .standard()).rawValue
  }

  func run(_ arguments: [String], console: Console) async -> ExitCode {
    if sources.isEmpty, let verb = arguments.first, Self.foldingVerbs.contains(verb),
      !arguments.contains("--help"), !arguments.contains("-h")
    {
      console.note(
        "\(console.errorPalette.red("error:")) \(Self.needsReducers(verb, name))")
      return .wrongUse
    }
    return await program.run(arguments, console: console)
  }

  private static var ownArguments: [String] { Array(CommandLine.arguments.dropFirst()) }
}

extension RetraceTool {
  /// The version of the tool and the libraries it comes with.
  static let version = "0.1.0"

  /// The verbs that need reducers.
  static let foldingVerbs: Set<String> = ["state", "diff", "why", "replay"]

  /// Whether a verb folds actions here; `show` does where there are reducers.
  private func folds(_ verb: String) -> Bool {
    !sources.isEmpty && (Self.foldingVerbs.contains(verb) || verb == "show")
  }

  private static func needsReducers(_ verb: String, _ name: String) -> String {
    """
    '\(verb)' folds actions through the reducers of the program that recorded them, and \(name) \
    has none. Run it with that program, as in 'PROGRAM \(verb) LOG', if it has the verbs of \
    Retrace built in.
    """
  }

  /// The order of a Set or Dictionary depends on a seed that is new in each process, and a reducer
  /// may go by that order: so each replay has the same seed.
  private static func ensureDeterministicHashing() {
    let name = "SWIFT_DETERMINISTIC_HASHING"
    guard System.environment(name) == nil else { return }
    System.restart(setting: name, to: "1")
  }

  /// The reducer whose types the stream has.
  private var source: HistorySource? {
    guard !sources.isEmpty else { return nil }
    let known: [ReducerSource] = sources
    return { (stream: StreamInfo, inspector: LogInspector) throws in
      var mismatch: ReplayError?
      // The sort leaves those that are alike in their order.
      let likeness: [TypeLikeness] = known.map { $0.likeness(stream) }
      let order: [Int] = known.indices.sorted {
        likeness[$0] == likeness[$1] ? $0 < $1 : likeness[$0] > likeness[$1]
      }
      for index in order {
        do {
          return try known[index].history(stream, inspector)
        } catch let error as ReplayError where error.code == .otherTypes {
          if mismatch == nil { mismatch = error }
        }
      }
      throw mismatch ?? ReplayError(.otherTypes, "No reducer is there to replay with.")
    }
  }

  var program: Program {
    var verbs: [Command] = [InfoVerb.command, LogVerb.command, ShowVerb.command(source)]
    if let source {
      verbs += [
        StateVerb.command(source), DiffVerb.command(source), WhyVerb.command(source),
        ReplayVerb.command(source),
      ]
    }
    verbs += [VerifyVerb.command, RecoverVerb.command, PruneVerb.command]
    verbs.append(CompletionsVerb.command { self.program })
    verbs.append(ManualVerb.command { self.program })
    let root = Command(
      name, abstract: "Look at what a program did: every action, every state, and why.",
      discussion: """
        Reads logs that were recorded with Retrace. A log is a directory, as session.retrace; it is \
        only read, also while a program writes it, except by 'prune'.
        """,
      subcommands: verbs.map { $0.advisingOnDamage() })
    return Program(root, version: Self.version)
  }
}
