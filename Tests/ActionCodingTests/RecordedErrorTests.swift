import ActionCoding
import Foundation
import Testing

private struct Offline: Error, CustomStringConvertible {
  var description: String { "no network" }
}

private struct Told: LocalizedError {
  var code = 7
  var errorDescription: String? { "You are offline." }
}

@Recordable
private enum Loading {
  case loaded(Result<Int, any Error>)
  case failed(any Error)
  case typed(Result<String, Known>)
  case maybe((any Error)?)

  enum Known: Error, Equatable { case notFound(Int) }
}

@Recordable
private struct Generic<T: Codable> {
  var value: T
  var error: any Error
}

struct RecordedErrorTests {
  private let coder = recordCoder(for: Loading.self)

  private func error(of action: Loading) -> RecordedError? {
    switch action {
    case .loaded(.failure(let error)), .failed(let error): error as? RecordedError
    default: nil
    }
  }

  @Test func aSuccessIsWrittenByItsOwnCode() throws {
    let (back, bytes) = try roundTrip(Loading.loaded(.success(3)), by: self.coder)
    #expect(bytes == [0, 0, 6])
    guard case .loaded(.success(3)) = back else {
      Issue.record("\(back)")
      return
    }
  }

  @Test func aFailureComesBackWithItsTypeAndTexts() throws {
    let (back, bytes) = try roundTrip(Loading.loaded(.failure(Offline())), by: self.coder)
    let error = try #require(self.error(of: back))
    #expect(error.type == "Offline")
    #expect("\(error)" == "no network")
    #expect(
      (error as any Error).localizedDescription == (Offline() as any Error).localizedDescription)
    let texts =
      #""description":"no network","localizedDescription":"\#(error.localizedDescription)""#
    #expect(
      try RecordValue(bytes, schema: self.coder.schema).json()
        == #"{"loaded":{"_0":{"failure":{"_0":{\#(texts),"type":"Offline"}}}}}"#)
  }

  @Test func whatAnErrorSaysToPeopleIsTheSame() throws {
    let back = try roundTrip(Loading.failed(Told()), by: self.coder).value
    guard case .failed(let error) = back else {
      Issue.record("\(back)")
      return
    }
    #expect(error.localizedDescription == "You are offline.")
    #expect("\(error)" == "Told(code: 7)")
    #expect(!(error is Told))
  }

  @Test func anErrorWithATypeOfItsOwnIsItself() throws {
    let back = try roundTrip(Loading.typed(.failure(.notFound(404))), by: self.coder).value
    guard case .typed(.failure(let error)) = back else {
      Issue.record("\(back)")
      return
    }
    #expect(error == .notFound(404))
  }

  @Test func genericTypesHoldErrorsToo() throws {
    let back = try roundTrip(Generic(value: 1, error: Offline()))
    #expect((back.error as? RecordedError)?.type == "Offline")
  }

  @Test func aRecordedErrorIsRecordedAsItWas() throws {
    let error = RecordedError(type: "A", description: "b", localizedDescription: "c")
    let back = try roundTrip(Loading.failed(error), by: self.coder).value
    #expect(self.error(of: back) == error)
    #expect(RecordedError(type: "A", description: "b").localizedDescription == "b")
  }

  @Test func textsWithoutAnEndAreCut() throws {
    struct Long: LocalizedError, CustomStringConvertible {
      var description: String { String(repeating: "x", count: 100_000) }
      var errorDescription: String? { String(repeating: "y", count: 100_000) }
    }
    let (back, bytes) = try roundTrip(Loading.failed(Long()), by: self.coder)
    #expect(bytes.count < 2_100)
    #expect(self.error(of: back)?.description == String(repeating: "x", count: 1_000))
    #expect(self.error(of: back)?.localizedDescription == String(repeating: "y", count: 1_000))
  }

  // Before there was a second text, an error was written as an absent value.
  @Test func theOlderFormIsRead() throws {
    let bytes: [UInt8] = [1, 5, 17, 1, 0x41, 1, 0x62]
    #expect(
      self.error(of: try self.coder.value(of: bytes)) == RecordedError(type: "A", description: "b"))
  }

  @Test func anErrorThatIsSomethingElseIsRefused() {
    #expect {
      try self.coder.value(of: [1, 1, 0])
    } throws: {
      "\($0)" == "An error is recorded as something else. (byte 3)"
    }
  }
}
