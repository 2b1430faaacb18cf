import ComposableArchitecture
import Foundation

private let words = ["", "a", "b", "é", "cd", "efg", "a longer text", "日本"]

extension Leaf.State {
  /// Something that may be sent to the feature as it is now.
  func action(_ random: inout SplitMix) -> Leaf.Action {
    switch self {
    case .counter: .counter(.random(&random))
    case .reader: .reader(.random(&random))
    case .bag: .bag(.random(&random))
    case .form: .form(.random(&random))
    case .screen: .screen(.random(&random))
    case .phase(let phase): .phase(phase.action(&random))
    case .worker: .worker(.random(&random))
    case .popup(let popup): .popup(popup.action(&random))
    case .vault(let vault): .vault(vault.action(&random))
    }
  }
}

extension Counter.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(6) {
    case 0, 1: .increment
    case 2: .decrement
    case 3, 4: .add(random.below(1_000) - 500)
    default: .clear
    }
  }
}

extension Reader.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(12) {
    case 0: .date
    case 1: .uuid
    case 2: .random(random.below(5))
    case 3: .shuffle
    case 4: .place
    case 5: .fact(random.below(100))
    case 6: .limit
    case 7: .lookUp(random.one(of: words), random.once(in: 2))
    case 8: .check(random.below(100))
    case 9: .note
    case 10: .pace
    default: .everything
    }
  }
}

extension Bag.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(8) {
    case 0, 1: .insert(random.one(of: words))
    case 2: .remove(random.one(of: words))
    case 3: .join(Set((0..<random.below(6)).map { _ in random.one(of: words) }))
    case 4: .count([random.one(of: words): random.below(9), "x": 1])
    case 5: .group(random.below(40))
    case 6: .day
    default: .drop
    }
  }
}

extension Form.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(7) {
    case 5: .set(\.size.width, random.below(9))
    case 0: .binding(.set(\.name, random.one(of: words)))
    case 1: .set(\.isOn, random.once(in: 2))
    case 2: .set(\.size, Form.State.Size(width: random.below(9), height: 1))
    case 3: .set(\.size, Form.State.Size(width: random.below(9), height: 0.5))
    case 4: .set(\.name, "\(random.below(1_000))")
    default: .submit
    }
  }
}

extension Screen.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(4) {
    case 0: .view(.set(\.title, random.one(of: words)))
    case 1: .view(.binding(.set(\.level, random.below(9))))
    default: .view(.load)
    }
  }
}

extension Worker.Action {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(10) {
    case 0: .answer(random.below(40))
    case 1: .close
    case 2: .result(.success(random.below(9)))
    default: .start(.random(&random))
    }
  }
}

extension Phase.State {
  func action(_ random: inout SplitMix) -> Phase.Action {
    if random.once(in: 4) { return random.once(in: 2) ? .next : .restart(random.below(9)) }
    return switch self {
    case .waiting: .waiting(.random(&random))
    case .working: .working(.random(&random))
    case .over: .next
    }
  }
}

extension Popup.State {
  func action(_ random: inout SplitMix) -> Popup.Action {
    guard self.worker != nil else { return .open }
    return switch random.below(8) {
    case 0: .open
    case 1: .worker(.dismiss)
    default: .worker(.presented(.random(&random)))
    }
  }
}

extension Vault.State {
  func action(_ random: inout SplitMix) -> Vault.Action {
    switch random.below(14) {
    case 0: .add(random.below(100))
    case 1: .all(random.below(100))
    case 2: .own(random.below(100))
    case 3: .exchange
    case 4: .resize(random.below(100))
    case 5: .rename(random.one(of: words))
    case 6, 7: .look
    case 8, 9: .later(.random(&random), random.below(100))
    case 10: .exchangeLater(.random(&random), random.below(100))
    case 11: .adopt(self.$total)
    case 12: random.once(in: 3) ? .removePart : .addPart
    default:
      if let part = self.parts.randomElement(using: &random) {
        .parts(.element(id: part.id, action: .tap))
      } else {
        .addPart
      }
    }
  }
}
