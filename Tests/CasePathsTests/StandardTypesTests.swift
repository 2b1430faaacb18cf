import CasePaths
import IssueReporting
import Testing

@CasePathable
private enum Wrapped: Equatable {
  case one(Int)
  case two
}

private struct Failure: Error, Equatable {}

@Suite struct StandardTypesTests {
  @Test func optional() {
    let none: Wrapped? = nil
    let some: Wrapped? = .one(1)
    #expect(some.is(\.one))
    #expect(!some.is(\.two))
    #expect(!none.is(\.one))
    #expect(some.is(\.some))
    #expect(some[case: \.some] == .one(1))
    #expect(some[case: \.some.one] == 1)
    #expect(none[case: \.none] != nil)
    #expect(none.case == \.none)
    #expect(Array(Wrapped?.allCasePaths) == [\.none, \.some])
    let chained = some[case: \.one]
    #expect(chained == .some(.some(1)))
  }

  @Test func result() {
    let success = Result<Int, Failure>.success(1)
    #expect(success[case: \.success] == 1)
    #expect(success[case: \.failure] == nil)
    #expect((\Result<Int, Failure>.Cases.failure)(Failure()) == .failure(Failure()))
    #expect(success.case == \.success)
  }

  @Test func modify() {
    var value = Wrapped.one(1)
    value.modify(\.one) { $0 += 2 }
    #expect(value == .one(3))
    var optional: Wrapped? = value
    optional.modify(\.one) { $0 += 2 }
    #expect(optional == .one(5))
    value[case: \.one] = 9
    #expect(value == .one(9))
    value[case: \.two] = ()
    #expect(value == .one(9))
  }

  @Test func modifyAnotherCase() {
    withExpectedIssue {
      var value = Wrapped.two
      value.modify(\.one) { $0 += 2 }
    }
    withExpectedIssue {
      var value: Wrapped?
      value.modify(\.one) { $0 += 2 }
    }
  }

  @Test func untyped() {
    let path: PartialCaseKeyPath<Wrapped> = \.one
    #expect(Wrapped.one(4)[case: path] as? Int == 4)
    #expect(Wrapped.two[case: path] == nil)
    #expect(path(3) == .one(3))
    #expect(path("no") == nil)
    #expect(Wrapped.one(3).is(path))
    #expect(!Wrapped.two.is(path))
  }

  @Test func identity() {
    let whole: CaseKeyPath<Wrapped, Wrapped> = \.self
    #expect(whole(.two) == .two)
    #expect(Wrapped.one(1)[case: whole] == .one(1))
    #expect(AnyCasePath<Wrapped, Wrapped>().extract(from: .two) == .two)
  }

  @Test func description() {
    #expect(
      "\(AnyCasePath(\Result<Int, Failure>.Cases.success))"
        == "AnyCasePath<Result<Int, Failure>, Int>")
  }

  @Test func byFunctions() {
    let path = AnyCasePath<Int, String>(embed: { Int($0) ?? 0 }, extract: { "\($0)" })
    #expect(path.embed("3") == 3)
    #expect(path.extract(from: 4) == "4")
  }

  @Test func sendable() async {
    let path: any CaseKeyPath<Wrapped, Int> & Sendable = \.one
    let value = await Task { path(3) }.value
    #expect(value == .one(3))
  }

  @Test func aCaseThatNoValueIsIn() {
    let path: CaseKeyPath<Int?, Never> = \.never
    let (some, none): (Int?, Int?) = (1, nil)
    #expect(some[case: path] == nil)
    #expect(none[case: path] == nil)
    #expect(Array(Never.allCasePaths).isEmpty)
  }
}
