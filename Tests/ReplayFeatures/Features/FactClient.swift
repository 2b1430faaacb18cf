import ComposableArchitecture
import Foundation
import Synchronization

/// Answers that nobody can foresee: a replay has to take them from the log.
@DependencyClient
struct FactClient: Sendable {
  var fact: @Sendable (_ number: Int) -> String = { _ in "" }
  var limit: @Sendable () -> Int = { 0 }
  var lookUp: @Sendable (_ name: String, _ isExact: Bool) -> [String: Int]? = { _, _ in nil }
  var check: @Sendable (_ number: Int) throws -> Double
  var note: @Sendable (_ text: String) -> Void
}

extension FactClient: DependencyKey {
  private static let calls = Atomic<Int>(0)

  private static func next() -> Int {
    self.calls.wrappingAdd(1, ordering: .relaxed).newValue
  }

  static let liveValue = FactClient(
    fact: { number in "\(number) is \(Self.next())" },
    limit: { Self.next() % 10 },
    lookUp: { name, isExact in
      let call = Self.next()
      return call % 3 == 0 ? nil : [name: call, "exact": isExact ? 1 : 0]
    },
    check: { number in
      let call = Self.next()
      if call % 3 == 0 { throw FactFailure(number: number, call: call) }
      return Double(call) / 7
    },
    note: { _ in _ = Self.next() }
  )
}

struct FactFailure: Error, Equatable {
  var number: Int
  var call: Int
}

/// A setting that is its own key.
struct Pace: Equatable, Codable, Sendable, TestDependencyKey, DependencyKey {
  var factor = 1
  static let testValue = Pace()
  static let liveValue = Pace()
}
