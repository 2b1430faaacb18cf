public import CasePaths

/// The state of a child feature while it is presented, `nil` otherwise.
///
/// `@Presents` puts a property into one; `$name` is this value, to be given to `ifLet`:
///
/// ```swift
/// @ObservableState
/// struct State {
///   @Presents var destination: Destination.State?
/// }
///
/// var body: some ReducerOf<Self> {
///   Reduce { state, action in … }
///     .ifLet(\.$destination, action: \.destination) { Destination() }
/// }
/// ```
///
/// The state is kept in a box, so that a feature may present itself.
@propertyWrapper
@dynamicMemberLookup
public struct PresentationState<State> {
  final class Box {
    var state: State?
    /// The place of the child whose effects may still run; `nil` when there is nothing to cancel.
    var running: NavigationPath?

    init(state: State?, running: NavigationPath?) {
      self.state = state
      self.running = running
    }
  }

  /// `nil` where nothing is presented and nothing runs, which then costs no memory.
  var box: Box?

  /// A presented state, or none.
  public init(wrappedValue: State?) {
    if let state = wrappedValue { self.box = Box(state: state, running: nil) }
  }

  /// The state of the child, `nil` when it is not presented.
  public var wrappedValue: State? {
    get { self.box?.state }
    set {
      if newValue == nil, self.running == nil {
        self.box = nil
      } else {
        self.ownBox().state = newValue
      }
    }
    _modify {
      if self.box == nil {
        var state: State?
        defer { if state != nil { self.box = Box(state: state, running: nil) } }
        yield &state
      } else {
        yield &self.ownBox().state
        if self.wrappedValue == nil, self.running == nil { self.box = nil }
      }
    }
  }

  /// This value itself, with the means to follow the child's effects.
  public var projectedValue: Self {
    get { self }
    set { self = newValue }
    _modify { yield &self }
  }

  /// The place of the child whose effects may still run.
  var running: NavigationPath? {
    get { self.box?.running }
    set {
      guard newValue != nil || self.box != nil else { return }
      if newValue == nil, self.box?.state == nil {
        self.box = nil
      } else {
        self.ownBox().running = newValue
      }
    }
  }

  /// The box, made this value's own first where others share it.
  private mutating func ownBox() -> Box {
    // Asked before anything here refers to the box as well.
    let isOwn = isKnownUniquelyReferenced(&self.box)
    if isOwn, let box = self.box { return box }
    let box = Box(state: self.box?.state, running: self.box?.running)
    self.box = box
    return box
  }
}

extension PresentationState {
  /// One case of the presented state, as a presentation of its own.
  public subscript<Member>(
    dynamicMember keyPath: KeyPath<State.AllCasePaths, AnyCasePath<State, Member>>
  ) -> PresentationState<Member> where State: CasePathable {
    PresentationState<Member>(
      wrappedValue: self.wrappedValue.flatMap {
        State.allCasePaths[keyPath: keyPath].extract(from: $0)
      })
  }

  /// A value of the presented state, `nil` when nothing is presented.
  @_disfavoredOverload
  public subscript<Member>(dynamicMember keyPath: KeyPath<State, Member>) -> Member? {
    self.wrappedValue?[keyPath: keyPath]
  }

  /// The value of one case of the presented state, `nil` when that is not presented.
  ///
  /// Writing `nil` ends the presentation. It is an issue to write while another case, or none, is
  /// presented, and nothing changes then.
  public subscript<Value>(case keyPath: CaseKeyPath<State, Value>) -> Value?
  where State: CasePathable {
    get { self.wrappedValue.flatMap { $0[case: keyPath] } }
    set { setCase(&self.wrappedValue, keyPath, to: newValue) }
  }
}
