import ConcurrencyExtras
import Dependencies
import Foundation
import IssueReporting
import Testing

private enum NumberKey: DependencyKey {
  static let liveValue = 1
  static let testValue = 3
}

extension DependencyValues {
  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

private class Model {
  @Dependency(\.number) var number
  func child() -> Child { withDependencies(from: self) { Child() } }
}

private final class Submodel: Model {}

private final class Child {
  @Dependency(\.number) var number
}

private struct Reader: Sendable {
  @Dependency(\.number) var number
}

private final class Plain: Sendable {}

@Suite struct PropagationTests {
  @Test func aChildHasTheDependenciesOfItsParent() {
    for make in [{ Model() }, { Submodel() }] {
      let model = withDependencies {
        $0.number = 10
      } operation: {
        make()
      }
      #expect(model.number == 10)
      #expect(model.child().number == 10)
      let other = withDependencies(from: model) {
        #expect($0.number == 10)
        $0.number += 1
      } operation: {
        Child()
      }
      #expect(other.number == 11)
    }
  }

  @Test func aModelWithoutAWrapperIsRememberedWhenItIsReturned() async {
    let model = withDependencies {
      $0.number = 10
    } operation: {
      Plain()
    }
    await withDependencies(from: model) {
      await Task.yield()
      #expect(DependencyValues._current.number == 10)
    }
    await withDependencies(from: model) {
      await Task.yield()
      $0.number += 1
    } operation: {
      await Task.yield()
      #expect(DependencyValues._current.number == 11)
    }
    let made = await withDependencies {
      $0.number = 12
    } operation: {
      await Task.yield()
      return Plain()
    }
    #expect(withDependencies(from: made) { DependencyValues._current.number } == 12)
  }

  @Test func aModelWithoutDependenciesIsReported() async {
    let plain = Plain()
    let issues = issues { withDependencies(from: plain) {} }
    #expect(
      issues.texts == [
        """
        You are trying to propagate dependencies to a child model from a model with no \
        dependencies. To fix this, the given 'DependenciesTests.Plain' must be returned from \
        another 'withDependencies' closure, or the class must hold at least one '@Dependency' \
        property.
        """
      ])
    await withIssueReporters([issues]) {
      await withDependencies(from: plain) { await Task.yield() }
    }
    #expect(issues.texts.count == 2)
  }

  @Test func overridesReachTasksThatAreStarted() async {
    let reader = Reader()
    await withDependencies {
      $0.number = 10
    } operation: {
      #expect(await Task { reader.number }.value == 10)
      await withTaskGroup(of: Int.self) { group in
        for _ in 0..<10 { group.addTask { reader.number } }
        for await value in group { #expect(value == 10) }
      }
      #expect(await Task.detached { reader.number }.value == 3)
    }
  }

  @Test func anErrorPassesThrough() async {
    #expect(throws: CancellationError.self) {
      try withDependencies {
        $0.number = 1
      } operation: {
        throw CancellationError()
      }
    }
    #expect(throws: CancellationError.self) {
      try withDependencies { _ in
        throw CancellationError()
      } operation: {
      }
    }
    await #expect(throws: CancellationError.self) {
      try await withDependencies {
        $0.number = 1
      } operation: {
        await Task.yield()
        throw CancellationError()
      }
    }
  }

  @Test func escapedDependenciesAreThoseOfTheCapture() async {
    let box = LockIsolated<DependencyValues.Continuation?>(nil)
    withDependencies {
      $0.number = 1
    } operation: {
      withEscapedDependencies { continuation in box.setValue(continuation) }
    }
    await withDependencies {
      $0.number = 2
    } operation: {
      await Task.yield()
      @Dependency(\.number) var number
      #expect(box.value?.yield { number } == 1)
      let later = await box.value?.yield {
        await Task.yield()
        return number
      }
      #expect(later == 1)
      #expect(number == 2)
      await withEscapedDependencies { continuation in
        await Task.yield()
        #expect(continuation.yield { number } == 2)
      }
    }
  }
}
