extension Worker.Plan {
  /// Any effect, of limited depth.
  static func random(_ random: inout SplitMix, depth: Int = 3) -> Self {
    if depth > 0, random.once(in: 2) { return self.composed(&random, depth: depth - 1) }
    switch random.below(12) {
    case 0: return .nothing
    case 1, 2: return .send(random.below(50))
    case 3, 4:
      return .run(.random(&random), (0...random.below(3)).map { _ in random.below(50) })
    case 5: return .named(.random(&random), random.below(50))
    case 6: return .failing(.random(&random), random.below(50))
    case 7: return random.once(in: 3) ? .throwing(.random(&random)) : .cancel(random.below(3))
    case 8: return .result(.random(&random), random.below(50))
    case 9: return .sequence((0...random.below(3)).map { _ in random.below(50) })
    case 10:
      return random.once(in: 2)
        ? .cancelLater(random.below(3), .random(&random))
        : .scoped(random.below(3), .random(&random), random.below(50))
    default:
      return random.once(in: 2)
        ? .timer(random.below(3), count: 1 + random.below(3)) : .cancel(random.below(3))
    }
  }

  private static func composed(_ random: inout SplitMix, depth: Int) -> Self {
    func part(_ random: inout SplitMix) -> Self { self.random(&random, depth: depth) }
    func parts(_ random: inout SplitMix) -> [Self] {
      (0..<random.below(4)).map { _ in part(&random) }
    }
    switch random.below(10) {
    case 0: return .inner(part(&random))
    case 1: return .mapped(part(&random))
    case 2: return .merge(parts(&random))
    case 3: return .pair(part(&random), part(&random))
    case 4: return .list(parts(&random))
    case 5: return .chain(part(&random), part(&random))
    case 6, 7:
      return .cancellable(
        random.below(3), cancelInFlight: random.once(in: 2), part(&random))
    case 8: return .debounced(random.below(2), part(&random))
    default: return .throttled(random.below(2), latest: random.once(in: 2), part(&random))
    }
  }
}

extension Worker.Wait {
  static func random(_ random: inout SplitMix) -> Self {
    switch random.below(8) {
    case 0, 1: .none
    case 2, 3: .yields(1 + random.below(4))
    case 4: .elsewhere(1 + random.below(3))
    default: .held
    }
  }
}
