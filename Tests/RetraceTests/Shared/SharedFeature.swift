import ComposableArchitecture
import Foundation

struct Profile: Codable, Equatable, Sendable {
  struct Address: Codable, Equatable, Sendable {
    var city = ""
    var zip = 0
  }

  var name = "Blob"
  var address = Address()
  var nickname: String?
}

struct Note: Codable, Equatable, Identifiable, Sendable {
  var id: Int
  var text = ""
}

/// A feature that shares values in every way: by each kind of key, without one, as a whole and in
/// parts, with children in an optional, in rows and in a stack.
@Reducer
struct Sharer {
  @ObservableState
  struct State: Equatable {
    @Shared(.inMemory("total")) var total = 0
    @Shared(.appStorage("size")) var size = 10.0
    @Shared(.fileStorage(.notes)) var notes: IdentifiedArrayOf<Note> = []
    @SharedReader(.appStorage("size")) var sizeToRead = 10.0
    @Shared var profile: Profile
    @Shared var loose: [Int]
    var log: [String] = []
    @Presents var child: Child.State?
    var rows: IdentifiedArrayOf<Child.State> = []
    var path = StackState<Child.State>()

    init(profile: Shared<Profile> = Shared(value: Profile()), loose: [Int] = []) {
      self._profile = profile
      self._loose = Shared(value: loose)
    }
  }

  enum Action {
    case add(Int)
    case changeInEffect(Int)
    case child(PresentationAction<Child.Action>)
    case exchangeLoose
    case look
    case note(Int, String)
    case noteDirectly(Int, String)
    case path(StackActionOf<Child>)
    case pushed
    case rename(String)
    case rows(IdentifiedActionOf<Child>)
    case rowAdded(Int)
    case showChild
    case sizeChanged(Double)
    case startOver
    case received(Shared<Int>)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .add(let amount):
        state.$total.withLock { $0 += amount }
        state.$loose.withLock { $0.append(amount) }
        return .none
      case .changeInEffect(let amount):
        return .run { [total = state.$total] _ in
          await Task.detached { total.withLock { $0 += amount } }.value
        }
      case .exchangeLoose:
        state.$loose = Shared(value: [state.total])
        return .none
      case .look:
        state.log.append(
          "\(state.total) \(state.size) \(state.sizeToRead) \(state.notes.map(\.text)) "
            + "\(state.profile.name) \(state.profile.address.city) \(state.loose)")
        return .none
      case .note(let id, let text):
        state.$notes.withLock { notes in
          if notes[id: id] == nil { notes.append(Note(id: id)) }
          notes[id: id]?.text = text
        }
        return .none
      case .noteDirectly(let id, let text):
        guard let note = Shared(state.$notes[id: id]) else { return .none }
        note.withLock { $0.text += text }
        state.log.append(note.wrappedValue.text)
        return .none
      case .pushed:
        state.path.append(Child.State(name: state.$profile.name))
        return .none
      case .rename(let name):
        state.$profile.name.withLock { $0 = name }
        state.$profile.address.city.withLock { $0 += "." }
        return .none
      case .rowAdded(let id):
        var row = Child.State(name: state.$profile.name)
        row.id = id
        state.rows.append(row)
        return .none
      case .showChild:
        state.child = Child.State(name: state.$profile.name)
        return .none
      case .sizeChanged(let size):
        state.$size.withLock { $0 = size }
        return .none
      case .startOver:
        state.child = nil
        state.rows = []
        state.path.removeAll()
        return .none
      case .received(let number):
        state.log.append("\(number.wrappedValue)")
        state.$total.withLock { $0 += number.wrappedValue }
        return .none
      case .child, .path, .rows:
        return .none
      }
    }
    .ifLet(\.$child, action: \.child) { Child() }
    .forEach(\.rows, action: \.rows) { Child() }
    .forEach(\.path, action: \.path) { Child() }
  }
}

@Reducer
struct Child {
  @ObservableState
  struct State: Equatable, Identifiable {
    var id = 0
    /// Made by the reducer that shows the child.
    @Shared(value: 0) var taps: Int
    @Shared(.inMemory("total")) var total = 0
    /// New with the first child.
    @Shared(.inMemory("visits")) var visits = 100
    @Shared var name: String
    var seen = 0
  }

  enum Action {
    case tapped
    case renamed(String)
  }

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .tapped:
        state.$taps.withLock { $0 += 1 }
        state.$visits.withLock { $0 += 1 }
        state.seen += state.total + state.taps
        return .none
      case .renamed(let name):
        state.$name.withLock { $0 = name }
        return .none
      }
    }
  }
}

extension URL {
  static let notes = URL(fileURLWithPath: "/notes.json")
}
