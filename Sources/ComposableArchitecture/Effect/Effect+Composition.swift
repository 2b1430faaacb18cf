extension Effect {
  /// Runs effects at the same time.
  @inlinable
  public static func merge(_ effects: Self...) -> Self {
    Self.merge(effects)
  }

  /// Runs effects at the same time.
  public static func merge(_ effects: some Sequence<Self>) -> Self {
    var parts: [EffectOperation<Action>] = []
    for effect in effects { effect.operation.appendMerged(to: &parts) }
    return Self(operation: parts.count > 1 ? .merge(parts) : parts.first ?? .none)
  }

  /// Runs this effect and another one at the same time.
  @inlinable
  public func merge(with other: Self) -> Self {
    if case .none = other.operation { return self }
    if case .none = self.operation { return other }
    return Self.merge([self, other])
  }

  /// Runs effects one after the other.
  @inlinable
  public static func concatenate(_ effects: Self...) -> Self {
    Self.concatenate(effects)
  }

  /// Runs effects one after the other.
  public static func concatenate(_ effects: some Collection<Self>) -> Self {
    var parts: [EffectOperation<Action>] = []
    for effect in effects { effect.operation.appendConcatenated(to: &parts) }
    return Self(operation: parts.count > 1 ? .concatenate(parts) : parts.first ?? .none)
  }

  /// Runs another effect once this one is done.
  @inlinable
  public func concatenate(with other: Self) -> Self {
    if case .none = other.operation { return self }
    if case .none = self.operation { return other }
    return Self.concatenate([self, other])
  }
}

extension EffectOperation {
  /// Adds what runs at the same time as the other parts: of a merge its own parts, of nothing none.
  fileprivate func appendMerged(to parts: inout [EffectOperation]) {
    switch self {
    case .none: break
    case .merge(let own): parts += own
    default: parts.append(self)
    }
  }

  /// Adds what runs after the other parts: of a concatenation its own parts, of nothing none.
  fileprivate func appendConcatenated(to parts: inout [EffectOperation]) {
    switch self {
    case .none: break
    case .concatenate(let own): parts += own
    default: parts.append(self)
    }
  }
}
