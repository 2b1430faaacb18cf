import ComposableArchitecture

/// A book that is read page by page, and the screen of its settings.
@Reducer
struct Reader {
  @ObservableState
  struct State: Equatable {
    @Shared(.bookmarks) var bookmarks
    @SharedReader(.fontSize) var fontSize
    var page = 1
    @Shared(.pagesRead) var pagesRead
    @Presents var preferences: Preferences.State?
    @SharedReader(.theme) var theme
  }

  enum Action {
    case bookmarkButtonTapped
    case nextPageButtonTapped
    case noteChanged(String)
    case preferences(PresentationAction<Preferences.Action>)
    case preferencesButtonTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .bookmarkButtonTapped:
        state.$bookmarks.withLock { [page = state.page] in
          if $0.remove(id: page) == nil { $0.append(Bookmark(page: page)) }
        }
        return .none

      case .nextPageButtonTapped:
        state.page += 1
        state.$pagesRead.withLock { $0 += 1 }
        return .none

      case .noteChanged(let note):
        guard let bookmark = Shared(state.$bookmarks[id: state.page]) else { return .none }
        bookmark.withLock { $0.note = note }
        return .none

      case .preferences:
        return .none

      case .preferencesButtonTapped:
        state.preferences = Preferences.State()
        return .none
      }
    }
    .ifLet(\.$preferences, action: \.preferences) {
      Preferences()
    }
  }
}

@Reducer
struct Preferences {
  @ObservableState
  struct State: Equatable {
    @Shared(.fontSize) var fontSize
    @Shared(.pagesRead) var pagesRead
    @Shared(.theme) var theme
  }

  enum Action {
    case largerButtonTapped
    case resetButtonTapped
    case smallerButtonTapped
    case themeButtonTapped
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .largerButtonTapped:
        state.$fontSize.withLock { $0 = min($0 + 1, 40) }
        return .none

      case .resetButtonTapped:
        // An effect may change shared values as well.
        return .run { [pagesRead = state.$pagesRead] _ in
          pagesRead.withLock { $0 = 0 }
        }

      case .smallerButtonTapped:
        state.$fontSize.withLock { $0 = max($0 - 1, 8) }
        return .none

      case .themeButtonTapped:
        state.$theme.withLock { $0 = $0 == .day ? .night : .day }
        return .none
      }
    }
  }
}
