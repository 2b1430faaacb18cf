import ActionCoding
import Testing

@Recordable
private enum AppAction {
  case plain(Int)
  case child(Child)
  case rows([Int: Child])
  case callback(id: Int, run: @Sendable () -> Void)
  case loaded(Result<Neither, any Error>)
  case failed(any Error)
  @Redacted case secret(Neither)
  indirect case nested(AppAction?)

  enum Child {
    case started
    case image(Neither)
  }
}

struct UnreplayableTests {
  @Test func eachCaseThatCannotBeReplayedIsNamed() {
    let parts = RecordSchema(of: AppAction.self).unreplayableParts()
    #expect(
      parts.map { "\($0.path): \($0.type)" } == [
        "child.image: Neither", "rows[].image: Neither", "callback.run: @Sendable () -> ()",
        "loaded.success: Neither", "nested.callback.run: @Sendable () -> ()",
        "nested.child.image: Neither", "nested.loaded.success: Neither",
      ])
    #expect(parts.allSatisfy { $0.reason == "The type is neither Recordable nor Codable." })
  }

  @Test func aTypeWithoutSuchPartsHasNone() {
    #expect(RecordSchema(of: CounterAction.self).unreplayableParts().isEmpty)
    #expect(RecordSchema(of: Small.self).unreplayableParts().isEmpty)
  }

  @Test func aStateIsLookedIntoAsAWhole() {
    let parts = recordCoder(for: Neither.self).schema.unreplayableParts()
    #expect(parts.map(\.path) == [""])
    #expect(
      RecordSchema(of: Feature.Box<Neither>.self).unreplayableParts().map(\.path) == ["t"])
  }

  @Test func anyTypeMayBeTheRoot() throws {
    let schema = RecordSchema(of: AppAction.self)
    let child = try #require(
      schema.types.firstIndex {
        if case .enumeration("AppAction.Child", _) = $0 { true } else { false }
      })
    #expect(schema.unreplayableParts(from: child).map(\.path) == ["image"])
  }
}
