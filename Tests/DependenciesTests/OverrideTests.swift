import ConcurrencyExtras
import Dependencies
import Foundation
import Testing

private struct Number: Sendable, Equatable {
  var value = 0
}

extension Number: DependencyKey {
  static let liveValue = Number(value: 1)
  static let previewValue = Number(value: 2)
  static let testValue = Number(value: 3)
}

extension DependencyValues {
  fileprivate var number: Number {
    get { self[Number.self] }
    set { self[Number.self] = newValue }
  }
}

private struct Reader: Sendable {
  @Dependency(\.number) var byPath
  @Dependency(Number.self) var byKey
}

@Suite struct OverrideTests {
  @Test func theContextChoosesTheValue() {
    #expect(Reader().byPath.value == 3)
    withDependencies {
      $0.context = .live
    } operation: {
      #expect(Reader().byKey.value == 1)
    }
    withDependencies {
      $0.context = .preview
    } operation: {
      #expect(Reader().byPath.value == 2)
    }
  }

  @Test func theInnermostOverrideWins() async {
    await withDependencies {
      $0.number.value = 10
    } operation: {
      await Task.yield()
      #expect(Reader().byPath.value == 10)
      withDependencies {
        #expect($0.number.value == 10)
        $0.number.value = 11
      } operation: {
        #expect(Reader().byKey.value == 11)
      }
      #expect(Reader().byKey.value == 10)
    }
    #expect(Reader().byKey.value == 3)
  }

  @Test func aWrapperKeepsTheOverridesItWasMadeWith() {
    let reader = withDependencies {
      $0.number.value = 10
      $0.date.now = Date(timeIntervalSince1970: 5)
    } operation: {
      Reader()
    }
    #expect(reader.byPath.value == 10)
    #expect(reader.byKey.value == 10)
    withDependencies {
      $0.uuid = .incrementing
    } operation: {
      #expect(reader.byPath.value == 10)
    }
    withDependencies {
      $0.number.value = 12
    } operation: {
      #expect(reader.byPath.value == 12)
    }
  }

  @Test func aContinuationKeepsTheValuesOfItsCreation() {
    let continuation = withDependencies {
      $0.number.value = 1
    } operation: {
      withEscapedDependencies { $0 }
    }
    withDependencies {
      $0.number.value = 2
    } operation: {
      #expect(continuation.yield { Reader().byPath.value } == 1)
    }
  }
}
