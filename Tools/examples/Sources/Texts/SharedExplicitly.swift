import ComposableArchitecture

// "Shared state": values that a parent hands to its children.

enum ExplicitlyShared {
  @Reducer
  struct ParentFeature {
    @ObservableState
    struct State: Equatable {
      @Shared var count: Int
      var child: ChildFeature.State?
    }
    enum Action {
      case presentButtonTapped
      case child(ChildFeature.Action)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .presentButtonTapped:
          state.child = ChildFeature.State(count: state.$count)
          return .none
        case .child:
          return .none
        }
      }
      .ifLet(\.child, action: \.child) {
        ChildFeature()
      }
    }
  }

  @Reducer
  struct ChildFeature {
    @ObservableState
    struct State: Equatable {
      @Shared var count: Int
    }
    enum Action {
      case incrementButtonTapped
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .incrementButtonTapped:
          state.$count.withLock { $0 += 1 }
          return .none
        }
      }
    }
  }
}

enum DerivedShared {
  struct SignUpData: Equatable {
    var phoneNumber = ""
    var name = ""
  }

  @Reducer
  struct SignUpFeature {
    @ObservableState
    struct State: Equatable {
      var path = StackState<PhoneNumberFeature.State>()
      @Shared var signUpData: SignUpData
    }
    enum Action {
      case nextButtonTapped
      case path(StackActionOf<PhoneNumberFeature>)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .nextButtonTapped:
          state.path.append(
            PhoneNumberFeature.State(phoneNumber: state.$signUpData.phoneNumber)
          )
          return .none
        case .path:
          return .none
        }
      }
      .forEach(\.path, action: \.path) {
        PhoneNumberFeature()
      }
    }
  }

  @Reducer
  struct PhoneNumberFeature {
    struct State: Equatable {
      @Shared var phoneNumber: String
    }
    enum Action {
      case numberChanged(String)
    }
    var body: some ReducerOf<Self> {
      Reduce { state, action in
        switch action {
        case .numberChanged(let number):
          state.$phoneNumber.withLock { $0 = number }
          return .none
        }
      }
    }
  }
}

// The rules for initializers.

public enum Initializers {
  /// The parent owns the value.
  public struct Handed: Equatable {
    @Shared public var count: Int
    public var other: String

    public init(count: Shared<Int>, other: String) {
      self._count = count
      self.other = other
    }
  }

  /// The value is owned here.
  public struct Owned: Equatable {
    @Shared public var count: Int
    public var other: String

    public init(count: Int, other: String) {
      self._count = Shared(value: count)
      self.other = other
    }
  }

  /// An outside system owns the value, and the one given counts when there is none.
  public struct Stored: Equatable {
    @Shared public var count: Int
    public var other: String

    public init(count: @autoclosure () -> Int, other: String) {
      self._count = Shared(wrappedValue: count(), .appStorage("count"))
      self.other = other
    }
  }
}
