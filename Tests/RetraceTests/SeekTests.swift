import ActionLog
import ComposableArchitecture
import Foundation
import TestSupport
import Testing

@testable import Retrace

/// Jumps in a replay, with and without states beside the log.
@MainActor
@Suite
struct SeekTests {
  let folder: TemporaryFolder
  private let count = 4_500

  init() throws {
    self.folder = try TemporaryFolder()
  }

  /// A plan that leaves a state after each 50 actions, whatever that costs.
  private var densePlan: SideIndexPlan {
    var plan = SideIndexPlan()
    plan.leastActions = 100
    plan.spacing = 50...50
    plan.share = 1_000
    plan.maximumBytes = 1 << 20
    return plan
  }

  private func action(_ number: Int, seed: Int) -> Counter.Action {
    switch number % 5 {
    case 0: .choose(.named("number \(number)", weight: Double(seed)))
    case 1 where number % 100 == 1: .response(text: "response \(number)")
    default: .add(number &* 7_919 % 1_009 + seed)
    }
  }

  /// Records, and returns the state after each action.
  private func record(at path: String, seed: Int = 0) throws -> [Counter.State] {
    let recording = try Recording(
      at: path, options: LogOptions(), checkpoints: .every(500, atOnce: true))
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    var states = [store.state]
    for number in 1...self.count {
      store.send(self.action(number, seed: seed))
      states.append(store.state)
    }
    try recording.close()
    return states
  }

  private func timeline(
    of path: String, plan: SideIndexPlan?
  ) throws -> Timeline<Counter.State, Counter.Action> {
    let timeline = try Timeline(of: path) { Counter() }
    timeline.sidePlan = plan
    return timeline
  }

  private func replay(_ path: String) throws {
    let report = try self.timeline(of: path, plan: self.densePlan).replay { _ in }
    #expect(report.divergence == nil)
  }

  private func stateFile(of path: String) -> String { path + ".states/1-1.states" }

  private func bytes(of folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
    }
    return files
  }

  /// Jumps about, and compares every state and action on the way.
  private func jump(
    _ timeline: Timeline<Counter.State, Counter.Action>, _ states: [Counter.State]
  ) throws {
    for step in 1...200 {
      let number = step &* 7_919 % (self.count + 1)
      try timeline.move(to: number)
      #expect(timeline.state == states[number])
      #expect(timeline.action == (number == 0 ? nil : self.action(number, seed: 0)))
    }
    for number in [0, 1, 49, 50, 51, 99, 100, self.count - 1, self.count] {
      try timeline.move(to: number)
      #expect(timeline.state == states[number])
      if try timeline.stepForward() { #expect(timeline.state == states[number + 1]) }
      try timeline.move(to: number)
      for earlier in (max(0, number - 60)..<number).reversed() {
        #expect(try timeline.stepBackward())
        #expect(timeline.state == states[earlier])
        #expect(timeline.action == (earlier == 0 ? nil : self.action(earlier, seed: 0)))
      }
    }
  }

  @Test func theLogIsTheSameAfterManyJumps() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    let before = try self.bytes(of: path)
    try self.jump(self.timeline(of: path, plan: self.densePlan), states)
    try self.replay(path)
    try self.jump(self.timeline(of: path, plan: self.densePlan), states)
    #expect(try self.bytes(of: path) == before)
  }

  @Test func aReplayLeavesStatesThatTheNextTimelineBeginsAt() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    #expect(try self.timeline(of: path, plan: self.densePlan).sideIndex == nil)
    try self.replay(path)
    let timeline = try self.timeline(of: path, plan: self.densePlan)
    let index = try #require(timeline.sideIndex)
    #expect(index.numbers == Array(stride(from: 50, through: self.count, by: 50)))
    let (start, isNearest) = try #require(timeline.stateBeside(upTo: 4_020, after: 0))
    #expect(start.number == 4_000)
    #expect(start.moment.state == states[4_000])
    #expect(isNearest)
    try self.jump(timeline, states)
    // Only its owner may read it, as the log itself.
    let attributes = try FileManager.default.attributesOfItem(atPath: self.stateFile(of: path))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + ".states").count == 1)
  }

  @Test func withoutAPlanNothingIsLeftAndNothingTaken() throws {
    let path = self.folder.path("log.retrace")
    _ = try self.record(at: path)
    _ = try self.timeline(of: path, plan: nil).replay { _ in }
    #expect(!FileManager.default.fileExists(atPath: path + ".states"))
    try self.replay(path)
    #expect(try self.timeline(of: path, plan: nil).sideIndex == nil)
  }

  @Test func aShortStreamHasNone() throws {
    let path = self.folder.path("log.retrace")
    _ = try self.record(at: path)
    _ = try self.timeline(of: path, plan: SideIndexPlan()).replay { _ in }
    #expect(!FileManager.default.fileExists(atPath: path + ".states"))
  }

  @Test func theFileTakesNoMoreThanItMay() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    var plan = self.densePlan
    plan.maximumBytes = 4_000
    _ = try self.timeline(of: path, plan: plan).replay { _ in }
    let size = try Data(contentsOf: URL(fileURLWithPath: self.stateFile(of: path))).count
    #expect((1_000...4_000).contains(size))
    let timeline = try self.timeline(of: path, plan: plan)
    let numbers = try #require(timeline.sideIndex).numbers
    // They are spread over the whole way.
    #expect(numbers.count > 4)
    #expect((numbers.first ?? 0) < self.count / 4)
    #expect((numbers.last ?? 0) > self.count / 2)
    try self.jump(timeline, states)
  }

  @Test func everyBitOfTheFileMayBeWrong() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    try self.replay(path)
    let file = URL(fileURLWithPath: self.stateFile(of: path))
    let whole = try Data(contentsOf: file)
    for round in 0..<60 {
      var damaged = whole
      let place = round < 20 ? whole.count - 1 - round * 3 : round &* 7_919 % whole.count
      damaged[place] ^= 1 << UInt8(round % 8)
      try damaged.write(to: file)
      let timeline = try self.timeline(of: path, plan: self.densePlan)
      for number in [60, 1_234, 4_020, self.count] {
        try timeline.move(to: number)
        #expect(timeline.state == states[number])
      }
    }
    for length in [0, 7, 16, whole.count / 2, whole.count - 1] {
      try whole.prefix(length).write(to: file)
      let timeline = try self.timeline(of: path, plan: self.densePlan)
      #expect(timeline.sideIndex == nil)
      try timeline.move(to: 4_020)
      #expect(timeline.state == states[4_020])
    }
  }

  @Test func theStatesOfAnotherLogAreIgnored() throws {
    let path = self.folder.path("log.retrace")
    _ = try self.record(at: path)
    try self.replay(path)
    try FileManager.default.removeItem(atPath: path)
    // Long enough for another time to be in it.
    usleep(2_000)
    let recording = try Recording(
      at: path, options: LogOptions(), checkpoints: .every(500, atOnce: true))
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    for number in 1...self.count { store.send(self.action(number, seed: 5)) }
    try recording.close()
    let timeline = try self.timeline(of: path, plan: self.densePlan)
    #expect(timeline.sideIndex == nil)
    try timeline.move(to: self.count)
    #expect(timeline.state == store.state)
  }

  @Test func aReplayThatDivergesLeavesNone() throws {
    let path = self.folder.path("log.retrace")
    _ = try self.record(at: path)
    let timeline = try Timeline(of: path) {
      Reduce<Counter.State, Counter.Action> { state, action in
        if case .add(let amount) = action { state.count += amount % 1_000 }
        return .none
      }
    }
    timeline.sidePlan = self.densePlan
    #expect(try timeline.replay { _ in }.divergence?.kind == .state)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: path + ".states").isEmpty)
  }

  @Test func goingBackStepByStepFoldsOnce() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    let runs = LockIsolated(0)
    let timeline = try Timeline(of: path) {
      CombineReducers {
        Reduce<Counter.State, Counter.Action> { _, _ in
          runs.withValue { $0 += 1 }
          return .none
        }
        Counter()
      }
    }
    try timeline.move(to: 4_000)
    #expect(try timeline.stepBackward())
    runs.setValue(0)
    for number in (3_800..<3_999).reversed() {
      #expect(try timeline.stepBackward())
      #expect(timeline.state == states[number])
    }
    #expect(runs.value == 0)
  }

  @Test(arguments: [true, false])
  func anyWayThroughTheLogMeetsTheSameStates(isIndexed: Bool) throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    if isIndexed { try self.replay(path) }
    let timeline = try self.timeline(of: path, plan: isIndexed ? self.densePlan : nil)
    // Steps and short ways, which lead through what is kept in memory, and far ones between them.
    var random: UInt64 = 88_172_645_463_325_252
    func below(_ limit: Int) -> Int {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Int(random % UInt64(limit))
    }
    for _ in 0..<600 {
      let number: Int =
        switch below(8) {
        case 0: below(self.count + 1)
        case 1, 2: timeline.position - 257 + below(4)
        case 3: timeline.position + below(300)
        case 4: timeline.position - below(600)
        case 5: timeline.position + 1
        default: timeline.position - 1
        }
      guard (0...self.count).contains(number) else { continue }
      try timeline.move(to: number)
      #expect(timeline.position == number)
      #expect(timeline.state == states[number])
      #expect(timeline.action == (number == 0 ? nil : self.action(number, seed: 0)))
    }
    #expect(timeline.divergence == nil)
  }

  @Test func aFolderThatCannotBeMadeIsNoError() throws {
    let path = self.folder.path("log.retrace")
    let states = try self.record(at: path)
    #expect(FileManager.default.createFile(atPath: path + ".states", contents: nil))
    try self.replay(path)
    try self.jump(self.timeline(of: path, plan: self.densePlan), states)
  }

  @Test func aLogThatHasGrownIsIndexedAgain() throws {
    let path = self.folder.path("log.retrace")
    let recording = try Recording(
      at: path, options: LogOptions(), checkpoints: .every(500, atOnce: true))
    let store = Store(initialState: Counter.State()) { Counter().recorded(by: recording) }
    for number in 1...1_000 { store.send(self.action(number, seed: 0)) }
    try recording.flush()
    let early = try Timeline(of: path) { Counter() }
    early.sidePlan = self.densePlan
    _ = try early.replay { _ in }
    for number in 1_001...2_000 { store.send(self.action(number, seed: 0)) }
    try recording.close()
    try self.replay(path)
    let timeline = try self.timeline(of: path, plan: self.densePlan)
    #expect(try #require(timeline.sideIndex).numbers.last == 2_000)
    try timeline.move(to: 1_999)
    try timeline.move(to: 2_000)
    #expect(timeline.state == store.state)
  }
}

extension SideIndex {
  /// The numbers of all states.
  var numbers: [Int] { (0..<self.count).compactMap { self.entry(at: $0)?.number } }
}
