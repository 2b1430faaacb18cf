import ActionCoding
import ActionLog
import ComposableArchitecture
import Foundation
import Retrace
import TestSupport
import Testing

/// A recording with every kind of record, written once: it has to stay readable, and to replay, for
/// ever.
///
/// With `RETRACE_WRITE_GOLDEN` in the environment it is written anew, which is for a new version of
/// the format only.
@MainActor
@Suite struct GoldenRecordingTests {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Fixtures/recordings")
  private static let log = folder.appendingPathComponent("diary.retrace").path
  private static let twin = folder.appendingPathComponent("diary.json")

  struct Torn: Error {}

  @DependencyClient
  struct Weather: Sendable {
    var degrees: @Sendable (_ city: String) -> Int = { _ in 0 }
    var storm: @Sendable () throws -> String
  }

  @Reducer
  struct Diary {
    struct State: Equatable {
      var pages: [String] = []
      var date: Date?
      var id: UUID?
      var degrees = 0
      var words: Set<String> = []
      @Redacted var secret = ""
      @Shared(.inMemory("golden-diary-pen")) var pen = "blue"
    }
    enum Action {
      case write(String)
      case stamp
      case look(city: String)
      case forecast
      case answer(Result<Int, any Error>)
      case twice
      case tear
      @Redacted case whisper(String)
      case penTaken(by: String)
    }
    var weather: Weather
    @Dependency(\.date.now) var now
    @Dependency(\.uuid) var uuid

    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .write(let text):
          state.pages.append("\(state.pen): \(text)")
          state.words.formUnion(text.split(separator: " ").map(String.init))
        case .stamp:
          state.date = self.now
          state.id = self.uuid()
        case .look(let city):
          state.degrees = self.weather.degrees(city)
          if (try? self.weather.storm()) == nil { state.pages.append("no storm") }
        case .forecast:
          return .run(name: "forecast") { send in await send(.answer(.success(7))) }
        case .answer(.success(let degrees)): state.degrees = degrees
        case .answer(.failure(let error)): state.pages.append("\(error)")
        case .twice: return .concatenate(.send(.write("one")), .send(.write("two")))
        case .tear:
          return .run { send in await send(.answer(.failure(Torn()))) }
        case .whisper(let secret): state.secret = secret
        case .penTaken: state.$pen.withLock { $0 = "red" }
        }
        return .none
      }
    }
  }

  @Test func itIsReadAndReplayed() async throws {
    if ProcessInfo.processInfo.environment["RETRACE_WRITE_GOLDEN"] != nil { try await self.write() }
    let twin = try JSONSerialization.jsonObject(with: Data(contentsOf: Self.twin))
    let expected = try #require(twin as? [String: Any])
    let told = try self.told()
    #expect(told.actions == expected["actions"] as? [String])
    #expect(told.reads == expected["reads"] as? [String])
    #expect(told.effects == expected["effects"] as? [String])
    #expect(told.states == expected["states"] as? [String])
  }

  @Test func everyKindOfRecordIsInIt() throws {
    let inspector = try LogInspector(at: Self.log)
    var kinds: Set<UInt8> = []
    var cursor = inspector.reader.cursor()
    while let record = try cursor.next() { kinds.insert(record.kind.rawValue) }
    let wanted: [RecordKind] = [
      .open, .schema, .state, .action, .read, .shared, .effect, .digest, .note, .close, .definition,
    ]
    #expect(wanted.filter { !kinds.contains($0.rawValue) }.map(\.description) == [])
  }

  private struct Told {
    var actions: [String] = []
    var reads: [String] = []
    var effects: [String] = []
    var states: [String] = []
  }

  /// What the log says, by its schemas alone and by a replay.
  private func told() throws -> Told {
    var told = Told()
    let inspector = try LogInspector(at: Self.log)
    for stream in try inspector.run().streams {
      let timeline = try Timeline(of: stream, in: inspector) { Diary(weather: Weather()) }
      #expect(try timeline.replay { _ in }.divergence == nil)
      for number in 0...timeline.count {
        try timeline.move(to: number)
        told.states.append("\(number) \(try timeline.stateValue().json())")
        guard number > 0 else { continue }
        let action = try inspector.action(number, of: stream)
        told.actions.append("\(number) \(action.origin) \(action.value?.json() ?? "-")")
        for read in action.reads {
          told.reads.append(
            "\(number) \(read.name) \(read.arguments?.json() ?? "") "
              + "\(read.value?.json() ?? read.reasonForAbsence ?? "-")")
        }
        for effect in action.effects {
          told.effects.append(
            "\(number) \(effect.start.name ?? "-") \(effect.end.map { "\($0)" } ?? "-")")
        }
      }
    }
    return told
  }

  private func write() async throws {
    try? FileManager.default.removeItem(atPath: Self.log)
    try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true)
    var contents = RecordingContents()
    contents.digestInterval = 2
    contents.redaction = RecordRedaction { path, _, value in
      value == .string("hidden") ? .redact : .keep
    }
    let recording = try Recording(at: Self.log, contents: contents)
    let store = withDependencies {
      $0.context = .live
    } operation: {
      Store(initialState: Diary.State()) {
        Diary(weather: Weather(degrees: { $0.count }, storm: { throw Torn() }))
          .recorded(by: recording)
      }
    }
    store.send(.write("a fine day"))
    store.send(.stamp)
    store.send(.look(city: "Oslo"))
    await store.send(.forecast).finish()
    store.send(.twice)
    await store.send(.tear).finish()
    store.send(.whisper("nobody"))
    store.send(.penTaken(by: "hidden"))
    @Shared(.inMemory("golden-diary-pen")) var pen = ""
    $pen.withLock { $0 = "green" }
    store.send(.write("a day more"))
    try recording.close()
    let told = try self.told()
    let twin: [String: Any] = [
      "actions": told.actions, "reads": told.reads, "effects": told.effects, "states": told.states,
    ]
    try JSONSerialization.data(withJSONObject: twin, options: [.prettyPrinted, .sortedKeys])
      .write(to: Self.twin)
  }
}
