import Testing

struct DiagnosticTests {
  @Test(arguments: ["class", "actor", "protocol"])
  func onlyEnumsAndStructsAreRecordable(introducer: String) throws {
    #expect(
      try expand("@Recordable \(introducer) A {}").diagnostics == [
        """
        '@Recordable' can only be applied to an enum or a struct, not to a \(introducer): declare \
        the conformance to 'Recordable' by hand
        """
      ])
  }

  @Test func typesThatCannotBeCopiedAreRefused() throws {
    #expect(
      try expand("@Recordable struct A: ~Copyable {}").diagnostics
        == ["'@Recordable' can't be applied to a type that can't be copied"])
  }

  @Test func typesPrivateToAnotherTypeAreRefused() throws {
    let text = """
      '@Recordable' can't extend 'Hidden', which is private to the type around it: declare it \
      'fileprivate'
      """
    let source = "struct Outer { @Recordable private struct Hidden {} }"
    #expect(try expand(source).diagnostics == [text])
    let nested = "struct Outer { private enum Hidden { @Recordable struct Inner {} } }"
    #expect(try expand(nested).diagnostics == [text])
    // At file scope, private is no less than fileprivate.
    #expect(try expand("@Recordable private struct A {}").diagnostics == [])
    #expect(try expand("private struct A { @Recordable struct B {} }").diagnostics == [])
    // Only the setter is private.
    #expect(try expand("@Recordable struct A { private(set) var a = 1 }").diagnostics == [])
  }
}
