import Testing

/// What `@CasePathable` says where it can't be applied.
struct CasePathableDiagnosticTests {
  @Test func onlyEnums() {
    let expansion = Expansion(
      #"""
      @CasePathable
      struct Feature {}
      @CasePathable
      final class Model {}
      @CasePathable
      actor Worker {}
      """#)
    #expect(
      expansion.messages == [
        #"2:1 error: '@CasePathable' cannot be applied to struct type 'Feature'"#,
        #"4:7 error: '@CasePathable' cannot be applied to class type 'Model'"#,
        #"6:1 error: '@CasePathable' cannot be applied to actor type 'Worker'"#,
      ])
  }

  @Test func overloadedNames() {
    let expansion = Expansion(
      #"""
      @CasePathable
      enum Action {
        case save(Int)
        case load, save(to: String)
      }
      """#)
    #expect(
      expansion.messages == [
        #"4:14 error: '@CasePathable' cannot be applied to overloaded case name 'save'"#
      ])
  }

  @Test func privateInAnother() {
    let expansion = Expansion(
      #"""
      struct Feature {
        @CasePathable
        private enum Action {
          case save
        }
      }
      """#)
    #expect(
      expansion.messages == [
        #"3:3 error: '@CasePathable' can't name 'Action' from outside of a private type; use 'fileprivate' in place of 'private', or write the conformance to 'CasePathable' by hand"#
      ])
  }

  @Test func inAPrivateType() {
    let expansion = Expansion(
      #"""
      struct Feature {
        private struct Inner {
          @CasePathable
          enum Action {
            case save
          }
        }
      }
      """#)
    #expect(
      expansion.messages == [
        #"4:5 error: '@CasePathable' can't name 'Action' from outside of a private type; use 'fileprivate' in place of 'private', or write the conformance to 'CasePathable' by hand"#
      ])
  }

  @Test func whatIsPrivateInItsFileIsSeen() {
    let expansion = Expansion(
      #"""
      @CasePathable
      private enum Action {}
      """#)
    #expect(
      expansion.source
        == #"""
        private enum Action {
          nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
            subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
            }
            func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
              let allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
              return allCasePaths.makeIterator()
            }
          }
          nonisolated static var allCasePaths: AllCasePaths {
            AllCasePaths()
          }
        }
        extension Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
        }
        """#)
    #expect(expansion.messages == [])
  }
}
