public import ActionCoding
import Foundation
import Testing

// The traps of the macro, each as a type that has it. That this file compiles is half of the test.

protocol Shape: Sendable {}
struct Circle: Shape, Codable {}

struct OnlyCodable: Codable, Equatable {
  var a = 1
  var b = ["x"]
}

struct Neither: Equatable { var a = 1 }

@Recordable
struct Feature {
  struct State {
    var a: Int = 1, b = "x"
    var c, d: Double
    let constant = 5
    let given: Int
    var computed: Int { a }
    lazy var late = 4
    static let shared = 1
    var observed: Int = 3 { didSet { a += 1 } }
    var annotated: (Int, name: String) = (1, "p")
    var inferred = (2, x: "q")
    let (t1, t2): (Int, Int)
    let pair = (1, 2)
    var only: OnlyCodable = .init()
    var list: [OnlyCodable] = []
    var nested: OnlyCodable??
    var result: Result<OnlyCodable, any Error> = .success(.init())
    #if DEBUG
      var debug = 1
    #elseif OTHER
      var other = 1
    #else
      var release = 1
    #endif
    private var secret = 4
    fileprivate var `default` = 1
    fileprivate var hidden = Hidden()

    init(c: Double, d: Double) {
      self.c = c
      self.d = d
      given = 9
      t1 = 1
      t2 = 2
    }
  }

  enum Action {
    case a, b(Int, Int), c(Int = 3), d(x: Int, String, y: Double)
    case e((Int, String))
    case f((a: Int, b: (Int, Int)), z: Void)
    case g(Void)
    case h(())
    case i(OnlyCodable, Neither)
    case j(any Shape & Codable)
    case k(() -> Void)
    case l(@Sendable (Int) -> Void, Int)
    case m(Result<Int, any Error>)
    case n(Alert)
    case o(_ x: Int)
    case `default`(`in`: Int)
    indirect case p(Action)
    case q(Result<Void, any Error>, x: Swift.Result<(Int, String), any Error>)
    case r([String: OnlyCodable])
    case s(OnlyCodable?)
    case t(Neither?)
    #if DEBUG
      case debug(Int)
    #else
      case release
    #endif
    case u(any Error)
    case v(Result<Result<Void, any Error>, Never>)
    // More values than there are functions for.
    case w(Int, b: Int, Int, Int, Int, Int, (Int, String), Int?, h: Int?)
    case last

    enum Alert {
      case ok
      struct Deep {
        struct Deeper { var value = 1 }
        var deeper = Deeper()
      }
    }
  }

  fileprivate struct Hidden { var x = 7 }
  private enum CancelID { case x }
  enum Empty {}
  struct Box<T> {
    var t: T
    var n = 0
  }
  struct CodableBox<T: Codable> {
    var t: T
    var list: [T] = []
    var optional: T?
  }
}

@Recordable
private enum PrivateTop {
  case a(Int)
}

private struct Outer {
  @Recordable
  fileprivate enum Inner { case a }
}

@MainActor
@Recordable
struct OnMain {
  var x = 1
  var s = "a"
  let k = 3
}

final class Reference {}

@MainActor
@Recordable
enum OnMainEnum {
  case a(Int)
  case b(Reference)
}

@propertyWrapper
@Recordable
struct Doubled {
  var stored: Int
  var wrappedValue: Int {
    get { stored * 2 }
    set { stored = newValue / 2 }
  }
  init(wrappedValue: Int) { stored = wrappedValue / 2 }
}

@Recordable
struct Wrapped {
  @Doubled var value = 10
}

@Recordable
public struct Public {
  public var a = 1
  public enum Kind { case a }
}

@Recordable
package enum Packaged { case a(Int) }

/// Cases of which no value exists, since what they hold has no cases: made without a warning.
@Recordable
enum Childless {
  case child(Feature.Empty)
  case row(id: Int, action: Feature.Empty)
  case plain(Feature.Action.Alert, number: Int)
}

@Recordable
struct Uninitialized {
  var id: UUID
  let constant = UUID()
}

struct RecordableTests {
  private func actions() -> [(Feature.Action, String)] {
    [
      (.a, #"{"a":{}}"#),
      (.b(1, 2), #"{"b":{"_0":1,"_1":2}}"#),
      (.c(), #"{"c":{"_0":3}}"#),
      (.d(x: 1, "s", y: 0.5), #"{"d":{"x":1,"_1":"s","y":0.5}}"#),
      (.e((1, "s")), #"{"e":{"_0":{"_0":1,"_1":"s"}}}"#),
      (.f((a: 1, b: (2, 3)), z: ()), #"{"f":{"_0":{"a":1,"b":{"_0":2,"_1":3}},"z":{}}}"#),
      (.g(()), #"{"g":{"_0":{}}}"#),
      (.h(()), #"{"h":{"_0":{}}}"#),
      (.m(.success(4)), #"{"m":{"_0":{"success":{"_0":4}}}}"#),
      (.n(.ok), #"{"n":{"_0":{"ok":{}}}}"#),
      (.o(5), #"{"o":{"_0":5}}"#),
      (.default(in: 6), #"{"default":{"in":6}}"#),
      (.p(.p(.a)), #"{"p":{"_0":{"p":{"_0":{"a":{}}}}}}"#),
      (
        .q(.success(()), x: .success((1, "s"))),
        #"{"q":{"_0":{"success":{"_0":{}}},"x":{"success":{"_0":{"_0":1,"_1":"s"}}}}}"#
      ),
      (.r(["k": .init()]), #"{"r":{"_0":{"k":{"a":1,"b":["x"]}}}}"#),
      (.s(nil), #"{"s":{"_0":null}}"#),
      (.s(.init()), #"{"s":{"_0":{"a":1,"b":["x"]}}}"#),
      (.debug(7), #"{"debug":{"_0":7}}"#),
      (.v(.success(.success(()))), #"{"v":{"_0":{"success":{"_0":{"success":{"_0":{}}}}}}}"#),
      (
        .w(1, b: 2, 3, 4, 5, 6, (7, "s"), nil, h: 9),
        """
        {"w":{"_0":1,"b":2,"_2":3,"_3":4,"_4":5,"_5":6,"_6":{"_0":7,"_1":"s"},"_7":null,"h":9}}
        """
      ),
      (.last, #"{"last":{}}"#),
    ]
  }

  @Test func everyShapeOfCaseComesBack() throws {
    let coder = recordCoder(for: Feature.Action.self)
    let schema = coder.schema
    for (action, expected) in actions() {
      let (back, bytes) = try roundTrip(action, by: coder)
      #expect(try RecordValue(bytes, schema: schema).json() == expected)
      #expect("\(back)" == "\(action)")
    }
  }

  @Test func aCaseThatHoldsWhatHasNoCasesIsNeverRead() throws {
    let coder = recordCoder(for: Childless.self)
    let (back, bytes) = try roundTrip(Childless.plain(.ok, number: 3), by: coder)
    #expect("\(back)" == "\(Childless.plain(.ok, number: 3))")
    #expect(
      try RecordValue(bytes, schema: coder.schema).json()
        == #"{"plain":{"_0":{"ok":{}},"number":3}}"#)
    #expect {
      try coder.value(of: [0])
    } throws: {
      ($0 as? RecordDecodingError)?.message
        == "'Feature.Empty' has no cases: a value of it can't exist."
    }
  }

  @Test func valuesWithoutAFormInBytesAreRecordedAsOpaque() throws {
    let coder = recordCoder(for: Feature.Action.self)
    let neither = "The type is neither Recordable nor Codable."
    func check(
      _ action: Feature.Action, _ json: String, _ error: String, line: Int = #line
    ) throws {
      let bytes = try coder.bytes(of: action)
      let place = SourceLocation(fileID: #fileID, filePath: #filePath, line: line, column: 1)
      #expect(
        try RecordValue(bytes, schema: coder.schema).json() == json, sourceLocation: place)
      #expect(sourceLocation: place) {
        try coder.value(of: bytes)
      } throws: {
        ($0 as? RecordDecodingError)?.message == error
      }
    }
    try check(
      .i(.init(), .init()),
      #"{"i":{"_0":{"a":1,"b":["x"]},"_1":{"$opaque":"Neither","reason":"\#(neither)"}}}"#,
      "A value of 'Neither' is not in the record: \(neither)")
    try check(
      .j(Circle()),
      #"{"j":{"_0":{"$opaque":"Shape & Decodable & Encodable","reason":"\#(neither)"}}}"#,
      "A value of 'Shape & Decodable & Encodable' is not in the record: \(neither)")
    try check(
      .k({}), #"{"k":{"_0":{"$opaque":"() -> ()","reason":"\#(neither)"}}}"#,
      "A value of '() -> ()' is not in the record: \(neither)")
    try check(
      .l({ _ in }, 3),
      #"{"l":{"_0":{"$opaque":"@Sendable (Int) -> ()","reason":"\#(neither)"},"_1":3}}"#,
      "A value of '@Sendable (Int) -> ()' is not in the record: \(neither)")
    try check(
      .t(nil), #"{"t":{"_0":{"$opaque":"Optional<Neither>","reason":"\#(neither)"}}}"#,
      "A value of 'Optional<Neither>' is not in the record: \(neither)")
  }

  @Test func theSchemaNamesTheCasesThatCannotBeReplayed() {
    let opaque = RecordSchema(of: Feature.Action.self).opaqueValues
    #expect(
      opaque.map(\.path) == [
        "i._1", "j", "k", "l._0", "t", "u", "m.failure", "q._0.failure", "q.x.failure",
        "v.success.failure",
      ])
    #expect(opaque.first?.type == "Neither")
    #expect(RecordSchema(of: Sample.self).opaqueValues == [])
  }

  @Test func everyKindOfPropertyComesBack() throws {
    var state = Feature.State(c: 1.5, d: -2)
    state.a = 42
    state.annotated = (7, "seven")
    state.inferred.x = "changed"
    state.nested = .some(nil)
    state.list = [.init(a: 5), .init()]
    state.default = 9
    state.hidden.x = 8
    _ = state.late
    let coder = recordCoder(for: Feature.State.self)
    let (back, bytes) = try roundTrip(state, by: coder)
    #expect(back.a == 42 && back.b == "x" && back.c == 1.5 && back.d == -2)
    #expect(back.given == 9 && back.t1 == 1 && back.t2 == 2 && back.observed == 3)
    #expect(back.annotated == (7, "seven") && back.inferred == (2, x: "changed"))
    #expect(back.nested == .some(nil) && back.list == state.list)
    #expect(back.default == 9 && back.hidden.x == 8)
    #expect(
      try RecordValue(bytes, schema: coder.schema).json() == """
        {"a":42,"b":"x","c":1.5,"d":-2.0,"constant":5,"given":9,"observed":3,\
        "annotated":{"_0":7,"name":"seven"},"inferred":{"_0":2,"x":"changed"},"t1":1,"t2":2,\
        "pair":{"_0":1,"_1":2},"only":{"a":1,"b":["x"]},\
        "list":[{"a":5,"b":["x"]},{"a":1,"b":["x"]}],"nested":{"some":null},\
        "result":{"success":{"_0":{"a":1,"b":["x"]}}},"debug":1,"secret":4,"default":9,\
        "hidden":{"x":8}}
        """)
  }

  @Test func constantsThatDifferAreNamed() throws {
    let coder = recordCoder(for: Uninitialized.self)
    let bytes = try coder.bytes(of: Uninitialized(id: UUID()))
    #expect {
      try coder.value(of: bytes)
    } throws: {
      ($0 as? RecordDecodingError)?.message == """
        The constant 'constant' was recorded with another value than it has now. A 'let' with a \
        default value can't be restored: make it a 'var', or set it in the initializer.
        """
    }
  }

  @Test func wrappersAreReadFromTheirStorage() throws {
    var value = Wrapped()
    value.value = 84
    #expect(try roundTrip(value).value == 84)
    #expect(try json(value) == #"{"value":{"stored":42}}"#)
  }

  @Test func nestedTypesAreRecordableToo() throws {
    #expect(try json(Feature.Action.Alert.Deep()) == #"{"deeper":{"value":1}}"#)
    #expect(try roundTrip(Public.Kind.a) == .a)
    #expect(try json(Outer.Inner.a) == #"{"a":{}}"#)
    #expect(try json(PrivateTop.a(1)) == #"{"a":{"_0":1}}"#)
    #expect(try json(Packaged.a(1)) == #"{"a":{"_0":1}}"#)
  }

  @Test func typesOfTheMainActorAreWrittenFromAnywhere() async throws {
    let bytes = try await Task.detached { try RecordWriter.bytes(of: OnMain()) }.value
    #expect(try recordCoder(for: OnMain.self).value(of: bytes).s == "a")
    #expect(try json(OnMainEnum.a(2)) == #"{"a":{"_0":2}}"#)
  }

  @Test func genericTypesTakeTheCoderThatTheirConstraintsGive() throws {
    let box = Feature.CodableBox(t: OnlyCodable(), list: [OnlyCodable()], optional: nil)
    #expect(try roundTrip(box).t == OnlyCodable())
    #expect(
      try json(box) == #"{"t":{"a":1,"b":["x"]},"list":[{"a":1,"b":["x"]}],"optional":null}"#)
    // Nothing is known of an unconstrained parameter.
    let reason = "The type is neither Recordable nor Codable."
    #expect(
      try json(Feature.Box(t: Neither()))
        == #"{"t":{"$opaque":"Neither","reason":"\#(reason)"},"n":0}"#)
  }

  @Test func anEnumWithoutCasesHasNoValues() {
    #expect(
      failure(Feature.Empty.self, [])
        == "'Feature.Empty' has no cases: a value of it can't exist. (byte 0)")
  }

  @Test func numbersOfCasesDoNotDependOnConditions() {
    guard case .enumeration(let name, let cases) = RecordSchema(of: Feature.Action.self).types[0]
    else {
      Issue.record("no enum")
      return
    }
    #expect(name == "Feature.Action")
    let numbers = Dictionary(uniqueKeysWithValues: cases.map { ($0.name, $0.index) })
    // The case of the other branch has the number between.
    #expect(numbers["debug"] == 21 && numbers["u"] == 23)
  }
}
