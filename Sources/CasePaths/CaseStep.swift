/// The way from a root to a case, when neither type is known.
@usableFromInline
class AnyCaseStep: @unchecked Sendable {}

/// The way from some root to a value: it knows its root's type, but does not show it.
@usableFromInline
class CaseStep<Value>: AnyCaseStep, @unchecked Sendable {
  func embedAny(_ value: Value) -> Any? { nil }
  func extractAny(from root: Any) -> Value? { nil }
  func appending<Member>(_ next: AnyCasePath<Value, Member>) -> CaseStep<Member> {
    CaseStep<Member>()
  }
}

/// The way that a case key path takes.
@usableFromInline
final class RootedStep<Root, Value>: CaseStep<Value>, @unchecked Sendable {
  @usableFromInline let casePath: AnyCasePath<Root, Value>

  init(_ casePath: AnyCasePath<Root, Value>) {
    self.casePath = casePath
  }

  override func embedAny(_ value: Value) -> Any? {
    casePath.embed(value)
  }

  override func extractAny(from root: Any) -> Value? {
    (root as? Root).flatMap(casePath.extract)
  }

  override func appending<Member>(_ next: AnyCasePath<Value, Member>) -> CaseStep<Member> {
    RootedStep<Root, Member>(casePath.appending(next))
  }
}

/// A way made of functions that do not know their root's type.
final class UntypedStep<Value>: CaseStep<Value>, @unchecked Sendable {
  let embed: @Sendable (Value) -> Any
  let extract: @Sendable (Any) -> Value?

  init(embed: @escaping @Sendable (Value) -> Any, extract: @escaping @Sendable (Any) -> Value?) {
    self.embed = embed
    self.extract = extract
  }

  override func embedAny(_ value: Value) -> Any? { embed(value) }
  override func extractAny(from root: Any) -> Value? { extract(root) }

  override func appending<Member>(_ next: AnyCasePath<Value, Member>) -> CaseStep<Member> {
    UntypedStep<Member>(
      embed: { [embed] in embed(next.embed($0)) },
      extract: { [extract] in extract($0).flatMap(next.extract) }
    )
  }
}
