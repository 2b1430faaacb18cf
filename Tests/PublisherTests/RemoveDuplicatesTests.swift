import ComposableArchitecture
import Testing

@Suite struct RemoveDuplicatesTests {
  private func stream<T: Sendable>(_ values: [T]) -> AsyncStream<T> {
    AsyncStream { continuation in
      for value in values { continuation.yield(value) }
      continuation.finish()
    }
  }

  private func all<S: AsyncSequence>(_ sequence: S) async throws -> [S.Element] {
    var elements: [S.Element] = []
    for try await element in sequence { elements.append(element) }
    return elements
  }

  @Test func equalNeighbours() async throws {
    #expect(try await all(stream([1, 1, 2, 1, 1]).removeDuplicates()) == [1, 2, 1])
    #expect(try await all(stream([Int]()).removeDuplicates()) == [])
    #expect(
      try await all(stream([nil, nil, 1, nil] as [Int?]).removeDuplicates()) == [nil, 1, nil])
  }

  @Test func byAPredicate() async throws {
    #expect(
      try await all(stream(["a", "b", "cc"]).removeDuplicates { $0.count == $1.count })
        == ["a", "cc"])
  }
}
