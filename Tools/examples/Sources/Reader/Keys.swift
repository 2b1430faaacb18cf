import ComposableArchitecture
import Foundation

struct Bookmark: Codable, Equatable, Identifiable, Sendable {
  var page: Int
  var note = ""
  var id: Int { self.page }
}

enum Theme: String, CaseIterable, Codable, Sendable {
  case day, night
}

// The type of each value and its default stand with its key, once.

extension SharedKey where Self == AppStorageKey<Double>.Default {
  static var fontSize: Self { Self[.appStorage("fontSize"), default: 14] }
}

extension SharedKey where Self == AppStorageKey<Theme>.Default {
  static var theme: Self { Self[.appStorage("theme"), default: .day] }
}

extension SharedKey where Self == FileStorageKey<IdentifiedArrayOf<Bookmark>>.Default {
  static var bookmarks: Self {
    Self[
      .fileStorage(.documentsDirectory.appending(component: "bookmarks.json")), default: []]
  }
}

extension SharedKey where Self == InMemoryKey<Int>.Default {
  static var pagesRead: Self { Self[.inMemory("pagesRead"), default: 0] }
}
