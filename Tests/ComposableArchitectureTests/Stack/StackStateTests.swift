import ComposableArchitecture
import Foundation
import IssueReporting
import Testing

/// A stack as a value: positions, ids, copies, bytes.
@Suite
struct StackStateTests {
  @CasePathable
  enum Path: Equatable, Codable {
    case number(Int)
    case text(String)
  }

  private func withIDs<R>(_ body: () throws -> R) rethrows -> R {
    try withDependencies {
      $0.stackElementID = .incrementing
    } operation: {
      try body()
    }
  }

  @Test func positionsAndIDs() {
    withIDs {
      var stack = StackState(["a", "b", "c"])
      #expect(stack.ids == [0, 1, 2])
      #expect(stack[1] == "b")
      stack[id: 1]?.append("!")
      #expect(stack[id: 1] == "b!")
      #expect(Array(stack) == ["a", "b!", "c"])
      stack[id: 1] = nil
      #expect(stack.ids == [0, 2])
      stack.append("d")
      #expect(stack.ids == [0, 2, 3])
      #expect(stack.popLast() == "d")
      stack.insert(contentsOf: ["x", "y"], at: 0)
      #expect(Array(stack) == ["x", "y", "a", "c"])
      #expect(stack.ids == [5, 4, 0, 2])
      #expect(stack[id: 9] == nil)
      stack[id: 9] = "new"
      #expect(stack.last == "new")
    }
  }

  @Test func popping() {
    withIDs {
      var stack = StackState([1, 2, 3, 4])
      stack.pop(to: 2)
      #expect(Array(stack) == [1, 2, 3])
      stack.pop(from: 1)
      #expect(Array(stack) == [1])
      stack.pop(from: 7)
      stack.pop(to: 7)
      #expect(Array(stack) == [1])
    }
  }

  @Test func casesOfElements() {
    withIDs {
      var stack = StackState<Path>([.number(1), .text("a")])
      #expect(stack[id: 0, case: \.number] == 1)
      #expect(stack[id: 0, case: \.text] == nil)
      stack[id: 0, case: \.number]? += 1
      #expect(stack[0] == .number(2))
      stack[id: 1, case: \.text] = "b"
      #expect(stack[1] == .text("b"))
      let issues = Issues()
      withIssueReporters([issues]) {
        stack[id: 1, case: \.number] = 3
        stack[id: 1, case: \.number]? += 1
        stack[id: 1, case: \.number] = nil
        stack[id: 7, case: \.number] = 3
      }
      let wrongCase = #"Can't modify unrelated case "text""#
      #expect(
        issues.all == [wrongCase, wrongCase, wrongCase, "Can't modify unrelated case"])
      #expect(Array(stack) == [.number(2), .text("b")])
      stack[id: 1, case: \.text] = nil
      #expect(stack.count == 1)
    }
  }

  @Test func equalityCountsIDs() {
    let (first, second) = withIDs { (StackState([1]), StackState([1])) }
    #expect(first != second)
    #expect(first == first)
    #expect(withIDs { StackState([1]) } == first)
  }

  @Test func casesOfActions() {
    typealias Action = StackAction<Path, Int>
    #expect(Action.element(id: 1, action: 5)[case: \.[id: 1]] == 5)
    #expect(Action.element(id: 1, action: 5)[case: \.[id: 2]] == nil)
    #expect(Action.element(id: 1, action: 5)[case: \.element]?.action == 5)
    #expect(Action.popFrom(id: 3)[case: \.popFrom] == 3)
    #expect(Action.push(id: 3, state: .number(1))[case: \.push]?.state == .number(1))
    typealias Rows = IdentifiedAction<String, Int>
    #expect(Rows.element(id: "a", action: 5)[case: \.[id: "a"]] == 5)
    #expect(Rows.element(id: "a", action: 5)[case: \.[id: "b"]] == nil)
    #expect(Rows.element(id: "a", action: 5)[case: \.element]?.id == "a")
  }

  @Test func aRecordKeepsTheIDs() throws {
    var stack = withIDs { StackState(["a", "b", "c"]) }
    stack[id: 1] = nil
    let bytes = try RecordWriter.bytes(of: stack)
    let read = try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      return try StackState<String>(from: &reader)
    }
    #expect(read == stack)
    #expect(read.ids == [0, 2])
    let twice = try RecordWriter.bytes(of: [(3, "a"), (3, "b")].map(Pair.init))
    #expect(throws: RecordDecodingError.self) {
      try twice.withUnsafeBytes { buffer in
        var reader = RecordReader(buffer)
        _ = try StackState<String>(from: &reader)
      }
    }
  }

  @Recordable
  struct Pair {
    var id: Int
    var text: String
  }

  @Test func codableIsAPlainArray() throws {
    try withIDs {
      let data = try JSONEncoder().encode(StackState([7, 8]))
      #expect(String(decoding: data, as: UTF8.self) == "[7,8]")
      let read = try JSONDecoder().decode(StackState<Int>.self, from: data)
      #expect(Array(read) == [7, 8])
      #expect(read.ids == [2, 3])
    }
  }

  @Test func actionsInRecords() throws {
    typealias Action = StackAction<String, Int>
    for action: Action in [.element(id: 1, action: 2), .popFrom(id: 3), .push(id: 4, state: "a")] {
      let bytes = try RecordWriter.bytes(of: action)
      let read = try bytes.withUnsafeBytes { buffer in
        var reader = RecordReader(buffer)
        return try Action(from: &reader)
      }
      #expect(read == action)
      let coded = try JSONDecoder().decode(Action.self, from: JSONEncoder().encode(action))
      #expect(coded == action)
    }
    let rows = IdentifiedAction<Int, String>.element(id: 1, action: "a")
    let bytes = try RecordWriter.bytes(of: rows)
    let read = try bytes.withUnsafeBytes { buffer in
      var reader = RecordReader(buffer)
      return try IdentifiedAction<Int, String>(from: &reader)
    }
    #expect(read == rows)
  }

  @Test func descriptions() {
    #expect(StackElementID(integerLiteral: 3).description == "#3")
    #expect(withIDs { StackState([1, 2]).description } == "[1, 2]")
  }
}

/// How stacks and bindings look in dumps.
@Suite
struct StackDumpTests {
  @Test func elementsAreDumpedByTheirIDs() {
    withDependencies {
      $0.stackElementID = .incrementing
    } operation: {
      #expect(
        String(customDumping: StackState(["a", "b"])) == """
          [
            #0: "a",
            #1: "b"
          ]
          """)
      #expect(String(customDumping: StackElementID(integerLiteral: 4)) == "#4")
    }
  }
}
