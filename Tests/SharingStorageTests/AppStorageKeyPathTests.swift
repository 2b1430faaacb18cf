import Dependencies
import Foundation
import Sharing
import Testing

extension UserDefaults {
  fileprivate var launches: Int {
    get { integer(forKey: "launches") }
    set { set(newValue, forKey: "launches") }
  }

  /// Never below zero.
  fileprivate var level: Int {
    get { max(0, integer(forKey: "level")) }
    set { set(newValue, forKey: "level") }
  }

  fileprivate var size: Size {
    get { Size(width: double(forKey: "width"), height: double(forKey: "height")) }
    set {
      set(newValue.width, forKey: "width")
      set(newValue.height, forKey: "height")
    }
  }
}

/// Not equatable.
private struct Size: Sendable {
  var width = 0.0
  var height = 0.0
}

@Suite struct AppStorageKeyPathTests {
  @Dependency(\.defaultAppStorage) var store

  @Test func readsAndWritesThroughTheProperty() {
    store.launches = 2
    @Shared(.appStorage(\.launches)) var launches = 7
    #expect(launches == 2)
    $launches.withLock { $0 += 1 }
    #expect(store.integer(forKey: "launches") == 3)
  }

  @Test func changesByOthersAreSeen() {
    @Shared(.appStorage(\.launches)) var launches = 0
    store.launches = 5
    #expect(launches == 5)
    @Shared(.appStorage("launches")) var byName = 0
    $byName.withLock { $0 = 6 }
    #expect(launches == 6)
    $launches.withLock { $0 = 7 }
    #expect(byName == 7)
  }

  @Test func whatThePropertyMakesOfAValueIsSeen() {
    @Shared(.appStorage(\.level)) var level = 0
    $level.withLock { $0 = -3 }
    #expect(level == 0)
    #expect(store.integer(forKey: "level") == -3)
  }

  @Test func valuesThatCannotBeCompared() {
    @Shared(.appStorage(\.size)) var size = Size()
    store.set(2.5, forKey: "height")
    #expect(size.height == 2.5)
    $size.withLock { $0.width = 1 }
    #expect(store.double(forKey: "width") == 1)
  }

  @Test func idsDifferByProperty() {
    #expect(AppStorageKeyPathKey(\.launches).id == AppStorageKeyPathKey(\.launches).id)
    #expect(AppStorageKeyPathKey(\.launches).id != AppStorageKeyPathKey(\.level).id)
  }
}
