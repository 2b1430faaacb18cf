public import ComposableArchitecture
import Testing

@Reducer
public struct Page {
  @ObservableState
  public struct State: Equatable {
    public var count = 0
    public var text = ""
    public init() {}
  }
  public enum Action: ViewAction {
    case view(View)
    case other

    @CasePathable
    public enum View: BindableAction {
      case binding(BindingAction<State>)
      case tap
    }
  }
  public var body: some ReducerOf<Self> {
    BindingReducer(action: \.view)
    Reduce { state, action in
      switch action {
      case .view(.tap): state.count += 1
      case .view(.binding), .other: break
      }
      return .none
    }
  }
}

/// What stands for a view here.
@ViewAction(for: Page.self)
public struct PageView {
  public let store: StoreOf<Page>

  @MainActor
  func tapTwice() {
    send(.tap)
    self.send(.tap)
  }
}

@ViewAction(for: Page.self)
@MainActor
private final class PageController {
  let store = Store(initialState: Page.State()) { Page() }
  func tap() { send(.tap) }
}

@MainActor
@Suite struct ViewActionTests {
  @Test func aViewSends() {
    let store = Store(initialState: Page.State()) { Page() }
    PageView(store: store).tapTwice()
    #expect(store.count == 2)
    store.text = "a"
    #expect(store.text == "a")
  }

  @Test func aControllerSends() {
    let controller = PageController()
    controller.tap()
    #expect(controller.store.count == 1)
  }
}
