import Testing

@Suite struct DependencyClientExpansionTests {
  @Test func aClientIsExpanded() {
    let expansion = Expansion(
      """
      @DependencyClient
      public struct Client: Sendable {
        public var fetch: @Sendable (_ id: Int) async throws -> String  // loads it
        var limit = 3
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.source
        == Expansion.plain(
          """
          public struct Client: Sendable {
            public var fetch: @Sendable (_ id: Int) async throws -> String {  // loads it
              @storageRestrictions(initializes: _fetch)
              init(initialValue) {
                _fetch = initialValue
              }
              get {
                _fetch
              }
              set {
                _fetch = newValue
              }
            }

            public func fetch(id p0: Int) async throws -> String {
              try await self.fetch(p0)
            }

            private var _fetch: @Sendable (_ id: Int) async throws -> String = { _ in
              _reportUnimplementedEndpoint(Self.self, "fetch", fileID: #fileID, filePath: #filePath, line: #line, column: #column)
              throw _unimplementedEndpoint("fetch")
            }
            var limit = 3

            init(
              fetch: @escaping @Sendable (_ id: Int) async throws -> String,
              limit: Swift.Int = 3
            ) {
              self.limit = limit
              self.fetch = fetch
            }

            public init() {
            }
          }
          """))
  }

  @Test func aDefaultIsKeptAfterTheReport() {
    let expansion = Expansion(
      """
      struct Client {
        @DependencyEndpoint var count: () -> Int = { 0 }
        @DependencyEndpoint var find: (String) -> Int? = { name in
          print(name)
          return nil
        }
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.contains(
        """
          private static var _standIn_count: () -> Int {
            return {
              _reportUnimplementedEndpoint(Self.self, "count", fileID: #fileID, filePath: #filePath, line: #line, column: #column)
              return 0
            }
          }
          private var _count: () -> Int = Self._standIn_count
        """))
    #expect(
      expansion.contains(
        """
            print(name)
            return nil
        """))
  }

  @Test func callsOfReducersAreReads() {
    let expansion = Expansion(
      """
      struct Client {
        @DependencyEndpoint var count: () -> Int = { 0 }
        @DependencyEndpoint var find: @Sendable (_ name: String, Int) throws -> Int
        @DependencyEndpoint var load: () async -> Void
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.contains(
        """
        get {
          guard let read = _endpointRead(Self.self, "count") else {
            return _count
          }
          return { [live = _count, standIn = Self._standIn_count] in
            read.value {
              live()
            } standIn: {
              standIn()
            }
          }
        }
        """))
    #expect(
      expansion.contains(
        """
        get {
          guard let read = _endpointRead(Self.self, "find(name:_:)") else {
            return _find
          }
          return { [live = _find, standIn = Self._standIn_find] p0, p1 in
            try read.throwingValue(p0, p1) {
              try live(p0, p1)
            } standIn: {
              try standIn(p0, p1)
            }
          }
        }
        """))
    #expect(expansion.contains("get {\n_load\n}"))
    #expect(expansion.contains("private var _load: () async -> Void = {"))
  }

  @Test func whatCanNotBeRecordedIsNotCalledInAReplay() {
    let types = [
      "(_ value: inout Int) -> Void", "(_ text: borrowing String) -> Void",
      "(_ body: (Int) -> Int) -> Void", "(_ done: @escaping (Int) -> Void) -> Void",
      "(_ text: @autoclosure () -> String) -> Void", "(_ numbers: Int...) -> Void",
      "(_ value: sending Box) -> Void",
    ]
    for type in types {
      let expansion = Expansion("struct Client {\n@DependencyEndpoint var run: \(type)\n}")
      let label = type.dropFirst(3).prefix { $0 != ":" }
      #expect(
        expansion.contains(
          """
          get {
            _endpointIsReplayed(Self.self, "run(\(label):)") ? Self._standIn_run : _run
          }
          """))
    }
    for result in ["Never", "Swift.Never", "sending Box"] {
      let expansion = Expansion(
        "struct Client {\n@DependencyEndpoint var run: () -> \(result) = { make() }\n}")
      #expect(
        expansion.contains(
          #"_endpointIsReplayed(Self.self, "run") ? Self._standIn_run : _run"#))
    }
  }

  @Test func aGlobalActorAndAvailabilityReachTheMethod() {
    let expansion = Expansion(
      """
      struct Client {
        @available(macOS 99, *)
        @DependencyEndpoint(method: "go")
        var run: @MainActor @Sendable (inout Int, _ last: @autoclosure () -> Int) throws(Failure) -> Void
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.contains(
        """
          @available(macOS 99, *)
          @MainActor
          func go(_ p0: inout Int, last p1: @autoclosure () -> Int) throws(Failure) {
            try self.run(&p0, p1())
          }
        """))
  }

  @Test func aDefaultIsRequiredWhereNoneCanBeMade() {
    let expansion = Expansion(
      """
      @DependencyClient
      struct Client {
        var count: (Int, Int) -> Int
        var load: () throws(Failure) -> Int
        var name: String?
      }
      """)
    #expect(
      expansion.messages.map { $0.split(separator: "\n")[0] } == [
        "Default value required for non-throwing closure 'count'",
        "Default value required for typed-throwing closure 'load'",
      ])
    #expect(expansion.fixed.contains("var count: (Int, Int) -> Int = { _, _ in <#Int#> }\n"))
  }

  @Test func misuseIsRefused() {
    #expect(
      Expansion("@DependencyClient\nfinal class Client {}").messages == [
        "'@DependencyClient' can only be applied to struct types"
      ])
    #expect(
      Expansion("struct A {\n@DependencyEndpoint var name: String\n}").messages == [
        "'@DependencyEndpoint' must be attached to closure property with a type annotation"
      ])
    #expect(
      Expansion("struct A {\n@DependencyEndpoint var run: () -> Int = other\n}").messages == [
        "'@DependencyEndpoint' requires the default of 'run' to be a closure expression"
      ])
    #expect(
      Expansion("struct A {\n@DependencyEndpoint(method: \"\") var run: () -> Void\n}").messages
        == [
          "'method' must be a static string literal that is not empty"
        ])
    #expect(
      Expansion("@DependencyClient\nstruct A {\nvar run: () -> Void\nvar date = Date()\n}").messages
        == [
          """
          '@DependencyClient' requires 'date' to have a type annotation in order to generate a \
          memberwise initializer
          """
        ])
  }

  @Test func anEntryIsExpanded() {
    let expansion = Expansion(
      """
      extension DependencyValues {
        @DependencyEntry("FactsKey", liveValue: Facts.live) public var facts: Facts = Facts()
      }
      """)
    #expect(expansion.messages.isEmpty)
    #expect(
      expansion.source
        == Expansion.plain(
          """
          extension DependencyValues {
            public var facts: Facts {
              get {
                self[FactsKey.self]
              }
              set {
                self[FactsKey.self] = newValue
              }
            }

            public enum FactsKey: _DependencyEntryKey {
              public typealias Value = Facts
              public static let liveValue: Facts = Facts.live
              public static let testValue: Facts = Facts()
            }
          }
          """))
  }

  @Test func anEntryOutOfPlaceIsRefused() {
    #expect(
      Expansion("struct A {\n@DependencyEntry var name = 1\n}").messages == [
        """
        '@DependencyEntry' can only be applied to a property of an extension of 'DependencyValues'
        """
      ])
    #expect(
      Expansion("extension DependencyValues {\n@DependencyEntry var name: Int\n}").messages == [
        "'@DependencyEntry' requires 'name' to have an initial value, its test value"
      ])
    #expect(
      Expansion("extension DependencyValues {\n@DependencyEntry let name = 1\n}").messages == [
        "'@DependencyEntry' can only be applied to a 'var' with no accessors"
      ])
  }
}
