import ComposableArchitecture
import Foundation

/// Keeps things in sets and dictionaries, whose order is another one in each process.
@Reducer
struct Bag {
  @ObservableState
  struct State: Equatable {
    var tags: Set<String> = []
    var counts: [String: Int] = [:]
    var groups: [Int: Set<Int>] = [:]
    var days: [Date: String] = [:]
    var sum = 0
  }

  enum Action: Equatable {
    case insert(String)
    case remove(String)
    case join(Set<String>)
    case count([String: Int])
    case group(Int)
    case day
    case drop
  }

  @Dependency(\.date) var date
  @Dependency(\.calendar) var calendar
  @Dependency(\.locale) var locale

  var body: some ReducerOf<Self> {
    Reduce { state, action in
      switch action {
      case .insert(let tag):
        state.tags.insert(tag)
      case .remove(let tag):
        state.tags.remove(tag)
        state.counts[tag] = nil
      case .join(let tags):
        state.tags.formUnion(tags)
      case .count(let counts):
        state.counts.merge(counts) { $0 &+ $1 }
        state.sum = state.counts.values.reduce(0, &+)
      case .group(let number):
        state.groups[number % 5, default: []].formSymmetricDifference([number])
      case .day:
        let day = self.calendar.startOfDay(for: self.date.now)
        let weekday = self.calendar.component(.weekday, from: day)
        state.days[day] = "\(weekday) \(self.locale.identifier)"
      case .drop:
        state.tags = state.tags.filter { $0.utf8.count % 2 == 0 }
        state.groups = state.groups.filter { !$0.value.isEmpty }
      }
      return .none
    }
  }
}
