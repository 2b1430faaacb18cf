import ComposableArchitecture

/// A sheet with a stack of its own, of articles that lead to further articles.
@Reducer
struct Handbook {
  @ObservableState
  struct State: Equatable {
    var path = StackState<Article.State>()
  }

  enum Action {
    case articleTapped(String)
    case path(StackActionOf<Article>)
    case startOverButtonTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .articleTapped(let title):
        state.path.append(Article.State(title: title))
        return .none

      case .path(.element(let id, .linkTapped(let title))):
        guard title != state.path[id: id]?.title else { return .none }
        state.path.append(Article.State(title: title))
        return .none

      case .path:
        return .none

      case .startOverButtonTapped:
        state.path.removeAll()
        return .none
      }
    }
    .forEach(\.path, action: \.path) {
      Article()
    }
  }
}

@Reducer
struct Article {
  @ObservableState
  struct State: Equatable {
    var title: String
    var isLiked = false
  }

  enum Action {
    case likeButtonTapped
    case linkTapped(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .likeButtonTapped:
        state.isLiked.toggle()
        return .none

      case .linkTapped:
        return .none
      }
    }
  }
}
