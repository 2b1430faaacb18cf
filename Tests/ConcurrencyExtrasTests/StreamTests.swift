import ConcurrencyExtras
import Testing

private struct Failure: Error, Equatable {}

@Suite struct StreamTests {
  @Test func aStreamForwardsASequence() async {
    let numbers = AsyncStream { continuation in
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
    }
    var seen: [Int] = []
    for await number in numbers.map({ $0 * 2 }).eraseToStream() { seen.append(number) }
    #expect(seen == [2, 4, 6])
  }

  @Test func anErrorEndsAStreamAndLeavesAThrowingOne() async {
    func numbers() -> AsyncThrowingStream<Int, any Error> {
      AsyncThrowingStream { continuation in
        continuation.yield(1)
        continuation.finish(throwing: Failure())
      }
    }
    var seen: [Int] = []
    for await number in AsyncStream(numbers()) { seen.append(number) }
    #expect(seen == [1])
    await #expect(throws: Failure()) {
      for try await number in numbers().eraseToThrowingStream() { seen.append(number) }
    }
    #expect(seen == [1, 1])
  }

  @Test func aFinishedStreamHasNoElements() async throws {
    for await _ in AsyncStream<Int>.finished { Issue.record("An element") }
    for try await _ in AsyncThrowingStream<Int, any Error>.finished() {
      Issue.record("An element")
    }
    await #expect(throws: Failure()) {
      for try await _ in AsyncThrowingStream<Int, any Error>.finished(throwing: Failure()) {}
    }
  }

  @Test func whatNeverEndsEndsWithItsTask() async {
    let stream = Task { for await _ in AsyncStream<Int>.never {} }
    let throwing = Task { for try await _ in AsyncThrowingStream<Int, any Error>.never {} }
    let never = Task<Void, any Error> { try await Task.never() }
    await Task.yield()
    stream.cancel()
    throwing.cancel()
    never.cancel()
    await stream.value
    _ = await throwing.result
    let failure: Result<Void, any Error> = await never.result
    #expect(throws: CancellationError.self) { try failure.get() }
  }

  @Test func cancellingAWaiterCancelsWhatItWaitsFor() async {
    let inner = Task<Void, any Error> { try await Task.never() }
    let outer = Task { try await inner.cancellableValue }
    await Task.yield()
    outer.cancel()
    await #expect(throws: CancellationError.self) { try await outer.value }
    #expect(inner.isCancelled)

    let plain = Task {
      while !Task.isCancelled { await Task.yield() }
      return 1
    }
    let waiter = Task { await plain.cancellableValue }
    waiter.cancel()
    #expect(await waiter.value == 1)
  }

  @Test func aResultCatchesWhatAnOperationDoes() async {
    let value = await Result {
      await Task.yield()
      return 1
    }
    let failure = await Result<Int, any Error> {
      await Task.yield()
      throw Failure()
    }
    #expect(throws: Never.self) { try value.get() }
    #expect(throws: Failure()) { try failure.get() }
  }
}
