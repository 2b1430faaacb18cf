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
    case (.user, .user), (.effect, .effect), (.observer, .observer): true
    case (.of(let wanted), .effect(let number)), (.of(let wanted), .observer(let number)):
      wanted == number
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
