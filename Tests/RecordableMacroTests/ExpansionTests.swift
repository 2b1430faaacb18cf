import Testing

struct P {
  @Test func probe() throws {
    for s in [
      "@Recordable\nenum Action {\n  case increment\n  case itemRenamed(id: Int, String)\n}",
      "@Recordable\nindirect enum Action {\n  case a(Action)\n  case e((Int, x: Void), z: Void), r(Result<Void, any Error>)\n enum Alert { case ok }\n private enum CancelID {} }",
      "@Recordable\n@ObservableState\npublic struct State<T> {\n  var a = 1, b: Int\n  let c = 3\n var t: (Int, x: String)\n @Presents var d: D.State?\n @Shared var s: Int\n @ObservationStateIgnored var o = 1\n var computed: Int { 1 }\n lazy var l = 1\n static let s = 1\n #if DEBUG\n var x = 1\n #else\n var y = 2\n #endif\n }",
      "@Recordable class A {}",
    ] {
    let e = try expand(s)
    print(e.text)
    print(e.diagnostics)
    }
  }
}
