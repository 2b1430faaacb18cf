internal import CommandLineKit
internal import ComposableArchitecture

/// Which senders a listing shows: `user`, `effect`, `observer`, or the number of an action for
/// whatever its effects and observers sent.
enum OriginFilter: Hashable, Sendable {
  case user
  case effect
  case observer
  case of(Int)

  func matches(_ origin: ActionOrigin) -> Bool {
    switch (self, origin) {
    case (.user, .user), (.observer, .observer): true
    case (.effect, _): origin.isEffect
    case (.of(let wanted), _): origin.cause == wanted
    default: false
    }
  }
}

extension ValueParser where Value == OriginFilter {
  static var origin: ValueParser {
    ValueParser(choices: ["user", "effect", "observer"]) {
      (text: String) throws(ValueError) -> OriginFilter in
      switch text {
      case "user": return .user
      case "effect": return .effect
      case "observer": return .observer
      default:
        guard let number = Int(text), number > 0 else {
          throw ValueError(
            "it must be user, effect, observer, or the number of the action that started it")
        }
        return .of(number)
      }
    }
  }
}
