import Foundation
import Testing

@testable import Dependencies

private enum NumberKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 3
}

private enum OtherKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 4
}

@Suite struct RuntimeHookTests {
  @Test func valuesWithNothingOverriddenAreDefault() {
    #expect(DependencyValues._current.isDefault)
    #expect(!DependencyValues().isDefault)
    #expect(!DependencyValues.live.isDefault)
    var values = DependencyValues._current
    values[NumberKey.self] = 5
    #expect(!values.isDefault)
    #expect(values.isOverridden(NumberKey.self))
    #expect(!values.isOverridden(OtherKey.self))
  }

  @Test func installingTheCurrentValuesChangesNothing() async {
    var values = DependencyValues._current
    values[NumberKey.self] = 5
    #expect(!values.isIdentical(to: ._current))
    let installed = values
    installed.install {
      #expect(installed.isIdentical(to: ._current))
      #expect(installed.install { DependencyValues._current[NumberKey.self] } == 5)
    }
    await installed.install {
      await Task.yield()
      #expect(DependencyValues._current[NumberKey.self] == 5)
    }
    #expect(DependencyValues._current[NumberKey.self] == 3)
  }

  @Test func currentValuesLieOverCapturedOnes() {
    var captured = DependencyValues._current
    captured[NumberKey.self] = 5
    captured[OtherKey.self] = 6
    let values = captured
    #expect(values.overCurrent[NumberKey.self] == 5)
    withDependencies {
      $0[NumberKey.self] = 7
    } operation: {
      #expect(values.overCurrent[NumberKey.self] == 7)
      #expect(values.overCurrent[OtherKey.self] == 6)
      let twice: DependencyValues = values.overCurrent.overCurrent
      #expect(twice[NumberKey.self] == 7)
      #expect(twice[OtherKey.self] == 6)
      withDependencies {
        $0.context = .live
      } operation: {
        #expect(values.overCurrent.context == .live)
        #expect(values.overCurrent[OtherKey.self] == 6)
      }
    }
  }

  @Test func aCopyIsNotChangedWithItsOriginal() {
    var one = DependencyValues._current
    one[NumberKey.self] = 5
    var two = one
    two[NumberKey.self] = 6
    two[OtherKey.self] = 7
    #expect(one[NumberKey.self] == 5)
    #expect(one[OtherKey.self] == 4)
    #expect(two[NumberKey.self] == 6)
    let merged: DependencyValues = two.merging(one)
    #expect(merged[NumberKey.self] == 5)
    #expect(merged[OtherKey.self] == 7)
  }

  @Test func namesOfLocalTypesHoldNoAddresses() {
    struct Local {}
    #expect(!typeName(Local.self).contains("0x"))
    #expect(typeName([Local].self).hasPrefix("Swift.Array<DependenciesTests."))
    #expect(typeName(Int.self) == "Swift.Int")
    #expect(typeName((Int, String).self) == "(Swift.Int, Swift.String)")
  }
}
