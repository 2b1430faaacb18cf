import Testing

/// What the macros of a feature say about mistakes.
struct ReducerDiagnosticTests {
  @Test func onlyStructsAndEnums() {
    let expansion = Expansion(
      #"""
      @Reducer
      class Feature {}
      @Reducer
      actor Other {}
      @Reducer
      protocol Third {}
      """#, only: ["Reducer"])
    #expect(
      expansion.messages == [
        #"2:1 error: '@Reducer' can only be applied to struct or enum types"#,
        #"4:1 error: '@Reducer' can only be applied to struct or enum types"#,
        #"6:1 error: '@Reducer' can only be applied to struct or enum types"#,
      ])
  }

  @Test func aBodyBesideAMethod() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        struct State {}
        enum Action {}
        func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
        var body: some ReducerOf<Self> { EmptyReducer() }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.messages == [
        #"5:8 warning: A 'reduce' method should not be defined in a reducer with a 'body'; it takes precedence and 'body' will never be invoked"#
      ])
  }

  @Test func statesInPlaceOfFeatures() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        case add(AddFeature.State)
        case edit(EditFeature)
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.messages == [
        #"3:12 error: A case of a '@Reducer' enum holds a feature: 'AddFeature.State' should be 'AddFeature', or the case be marked with '@ReducerCaseIgnored'"#
      ])
    #expect(
      expansion.fixed
        == #"""
        @Reducer
        enum Destination {
          case add(AddFeature)
          case edit(EditFeature)
        }
        """#)
  }

  @Test func conformancesOfAStruct() {
    let expansion = Expansion(
      #"""
      @Reducer(state: .equatable)
      struct Feature {
        struct State {}
        enum Action {}
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.messages == [
        #"1:1 warning: '@Reducer(state:action:)' conforms the types that it writes for an enum of features; write conformances on the feature's own 'State' and 'Action'"#
      ])
  }

  @Test func aViewWithoutAStore() {
    let expansion = Expansion(
      #"""
      @ViewAction(for: Feature.self)
      public struct FeatureView: View {
        var body: some View { EmptyView() }
      }
      """#, only: ["ViewAction"])
    #expect(
      expansion.messages == [
        #"2:8 error: '@ViewAction' requires 'FeatureView' to have a 'store' property of type 'Store'."#
      ])
    #expect(
      expansion.fixed
        == #"""
        @ViewAction(for: Feature.self)
        public struct FeatureView: View {
          public let store: StoreOf<Feature>
          var body: some View { EmptyView() }
        }
        """#)
  }

  @Test func aViewThatSendsToTheStore() {
    let expansion = Expansion(
      #"""
      @ViewAction(for: Feature.self)
      struct FeatureView: View {
        @Bindable var store: StoreOf<Feature>
        var body: some View {
          Button("Save") { store.send(.view(.save)) }
          Button("Load") { self.store.send(.load) }
          Button("Tap") { send(.tap) }
        }
      }
      """#, only: ["ViewAction"])
    #expect(
      expansion.messages == [
        #"5:22 warning: Do not use 'store.send' directly when using '@ViewAction'"#,
        #"6:22 warning: Do not use 'store.send' directly when using '@ViewAction'"#,
      ])
    #expect(
      expansion.fixed
        == #"""
        @ViewAction(for: Feature.self)
        struct FeatureView: View {
          @Bindable var store: StoreOf<Feature>
          var body: some View {
            Button("Save") { send(.save) }
            Button("Load") { self.store.send(.load) }
            Button("Tap") { send(.tap) }
          }
        }
        """#)
  }

  @Test func aViewThatDoesNot() {
    let expansion = Expansion(
      #"""
      @available(macOS 99, *)
      @ViewAction(for: Feature.self)
      struct FeatureView: View {
        let store: StoreOf<Feature>
      }
      """#, only: ["ViewAction"])
    #expect(
      expansion.source
        == #"""
        @available(macOS 99, *)
        struct FeatureView: View {
          let store: StoreOf<Feature>
        }
        @available(macOS 99, *)
        extension FeatureView: ComposableArchitecture.ViewActionSending {
        }
        """#)
    #expect(expansion.messages == [])
  }
}
