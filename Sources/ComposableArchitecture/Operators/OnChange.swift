extension Reducer {
  /// Runs a reducer after an action by which a value has changed.
  ///
  /// - Parameters:
  ///   - toValue: Reads the value.
  ///   - reducer: Makes the reducer from the old and the new value.
  @inlinable
  @warn_unqualified_access
  public func onChange<V: Equatable, R: Reducer>(
    of toValue: @escaping (State) -> V,
    @ReducerBuilder<State, Action> _ reducer: @escaping (_ oldValue: V, _ newValue: V) -> R
  ) -> _OnChangeReducer<Self, V, R> where R.State == State, R.Action == Action {
    self.onChange(of: toValue, removeDuplicates: ==, reducer)
  }

  /// Runs a reducer after an action by which a value has changed.
  ///
  /// - Parameters:
  ///   - toValue: Reads the value.
  ///   - isDuplicate: Whether two values count as the same.
  ///   - reducer: Makes the reducer from the old and the new value.
  @inlinable
  @warn_unqualified_access
  public func onChange<V, R: Reducer>(
    of toValue: @escaping (State) -> V,
    removeDuplicates isDuplicate: @escaping (V, V) -> Bool,
    @ReducerBuilder<State, Action> _ reducer: @escaping (_ oldValue: V, _ newValue: V) -> R
  ) -> _OnChangeReducer<Self, V, R> where R.State == State, R.Action == Action {
    _OnChangeReducer(base: self, toValue: toValue, isDuplicate: isDuplicate, reaction: reducer)
  }

  /// Changes the state, and starts an effect, after an action by which a value has changed.
  ///
  /// - Parameters:
  ///   - toValue: Reads the value.
  ///   - perform: What to do, with the old value and the state.
  @inlinable
  @warn_unqualified_access
  public func onChange<V: Equatable>(
    of toValue: @escaping (State) -> V,
    _ perform: @escaping (_ oldValue: V, _ state: inout State) -> Effect<Action>
  ) -> _OnChangeReducer<Self, V, Reduce<State, Action>> {
    _OnChangeReducer(base: self, toValue: toValue, isDuplicate: ==) { oldValue, _ in
      Reduce { state, _ in perform(oldValue, &state) }
    }
  }
}

/// A reducer that reacts to the changes of a value.
public struct _OnChangeReducer<Base: Reducer, Value, Reaction: Reducer>: Reducer
where Base.State == Reaction.State, Base.Action == Reaction.Action {
  @usableFromInline let base: Base
  @usableFromInline let toValue: (Base.State) -> Value
  @usableFromInline let isDuplicate: (Value, Value) -> Bool
  @usableFromInline let reaction: (Value, Value) -> Reaction

  @usableFromInline
  init(
    base: Base, toValue: @escaping (Base.State) -> Value,
    isDuplicate: @escaping (Value, Value) -> Bool, reaction: @escaping (Value, Value) -> Reaction
  ) {
    self.base = base
    self.toValue = toValue
    self.isDuplicate = isDuplicate
    self.reaction = reaction
  }

  @inlinable
  public func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    let oldValue = self.toValue(state)
    let effect = self.base._reduce(into: &state, action: action)
    let newValue = self.toValue(state)
    guard !self.isDuplicate(oldValue, newValue) else { return effect }
    return effect.merge(
      with: self.reaction(oldValue, newValue)._reduce(into: &state, action: action))
  }
}
