import ComposableArchitecture
import Foundation
import IssueReporting
import Testing

private struct Failure: Error, Hashable { var code = 0 }
private struct OtherFailure: Error, Hashable {}
struct Incomparable: Error { var code = 0 }

@CasePathable
private enum Action {
  case response(TaskResult<Int>)
}

@Suite struct TaskResultTests {
  @Test func catching() async throws {
    let success = await TaskResult { 1 }
    let failure = await TaskResult<Int> { throw Failure(code: 2) }
    #expect(success == .success(1))
    #expect(failure == .failure(Failure(code: 2)))
    #expect(try success.value == 1)
    #expect(throws: Failure(code: 2)) { try failure.value }
  }

  @Test func toAndFromResult() throws {
    let result: Result<Int, any Error> = Result(TaskResult.success(1))
    #expect(try result.get() == 1)
    #expect(throws: Failure()) {
      try Result<Int, any Error>(TaskResult.failure(Failure())).get()
    }
    #expect(TaskResult(Result<Int, Failure>.success(3)) == .success(3))
    #expect(TaskResult(Result<Int, Failure>.failure(Failure())) == .failure(Failure()))
  }

  @Test func mapping() {
    #expect(TaskResult.success(1).map { "\($0)" } == .success("1"))
    #expect(TaskResult<Int>.failure(Failure()).map { "\($0)" } == .failure(Failure()))
    #expect(TaskResult.success(1).flatMap { .success($0 + 1) } == .success(2))
    #expect(
      TaskResult.success(1).flatMap { _ in TaskResult<Int>.failure(Failure()) }
        == .failure(Failure()))
    #expect(TaskResult<Int>.failure(Failure()).flatMap { .success($0) } == .failure(Failure()))
  }

  @Test func equalityAndHash() {
    #expect(TaskResult.success(1) != .success(2))
    #expect(TaskResult.success(1) != .failure(Failure()))
    #expect(TaskResult<Int>.failure(Failure()) != .failure(Failure(code: 1)))
    #expect(TaskResult<Int>.failure(Failure()) != .failure(OtherFailure()))
    let set: Set<TaskResult<Int>> = [
      .success(1), .success(1), .failure(Failure()), .failure(Failure()), .failure(OtherFailure()),
    ]
    #expect(set.count == 3)
  }

  @Test func errorsThatCannotBeCompared() {
    let issues = Issues()
    withIssueReporters([issues]) {
      #expect(TaskResult<Int>.failure(Incomparable()) != .failure(Incomparable()))
      #expect(TaskResult<Int>.failure(Incomparable()) != .failure(Failure()))
      _ = TaskResult<Int>.failure(Incomparable()).hashValue
    }
    #expect(
      issues.all == [
        """
        "Incomparable" is not equatable. …

        Results that hold an error of this type can't be told apart. Let it conform:

            extension Incomparable: Equatable {}
        """,
        """
        "Incomparable" is not hashable. …

        Results that hold an error of this type can't be told apart. Let it conform:

            extension Incomparable: Hashable {}
        """,
      ])
  }

  @Test func casePaths() {
    let action = Action.response(.success(4))
    #expect(action[case: \.response.success] == 4)
    #expect(action.is(\.response.success))
    #expect(!action.is(\.response.failure))
    #expect(TaskResult.success(4).success == 4)
    #expect(TaskResult<Int>.failure(Failure()).failure is Failure)
  }

  @Test func codableForm() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    func json(_ result: TaskResult<Int>) throws -> String {
      String(decoding: try encoder.encode(result), as: UTF8.self)
    }
    func decode(_ json: String) throws -> TaskResult<Int> {
      try JSONDecoder().decode(TaskResult<Int>.self, from: Data(json.utf8))
    }
    #expect(try json(.success(1)) == #"{"success":1}"#)
    #expect(
      try json(.failure(Incomparable(code: 3)))
        == #"{"failure":{"description":"Incomparable(code: 3)","type":"Incomparable"}}"#)
    #expect(try decode(#"{"success":1}"#) == .success(1))
    let failure = try decode(
      #"{"failure":{"description":"Incomparable(code: 3)","type":"Incomparable"}}"#)
    guard case .failure(let error) = failure else {
      Issue.record("It was read as a success.")
      return
    }
    #expect(
      error as? RecordedError
        == RecordedError(type: "Incomparable", description: "Incomparable(code: 3)"))
  }

  @Test func recordedForm() throws {
    func read(_ bytes: [UInt8]) throws -> TaskResult<Int> {
      try bytes.withUnsafeBytes { bytes in
        var reader = RecordReader(bytes)
        let value = try TaskResult<Int>(from: &reader)
        try reader.finish()
        return value
      }
    }
    #expect(
      try read(try RecordWriter.bytes(of: TaskResult.success(-5))) == .success(-5))
    let failure = try RecordWriter.bytes(of: TaskResult<Int>.failure(Incomparable(code: 3)))
    guard case .failure(let error) = try read(failure) else {
      Issue.record("It was read as a success.")
      return
    }
    #expect((error as? RecordedError)?.type == "Incomparable")
    #expect("\(error)" == "Incomparable(code: 3)")
    #expect(throws: RecordDecodingError.self) { try read([2]) }
    let schema = RecordSchema(of: TaskResult<Int>.self)
    let text = try RecordValue(failure, schema: schema).json()
    #expect(text.contains("failure"))
    #expect(text.contains("Incomparable(code: 3)"))
  }
}
