import Testing

/// What `@Reducer` writes for a struct.
struct ReducerStructExpansionTests {
  @Test func nothingIsWrittenTwice() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        @ObservableState
        struct State {
          var count = 0
        }
        enum Action {
          case tap
        }
        var body: some ReducerOf<Self> {
          EmptyReducer()
        }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature {
          @ObservableState
          @ActionCoding.Recordable
          struct State {
            var count = 0
          }
          @CasePaths.CasePathable @ActionCoding.Recordable
          enum Action {
            case tap
          }
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          var body: some ReducerOf<Self> {
            EmptyReducer()
          }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func allThatIsAbsent() {
    let expansion = Expansion(
      #"""
      @Reducer
      public struct Feature {
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        public struct Feature {
          public struct State: Swift.Codable, Swift.Equatable, Swift.Hashable, Swift.Sendable, nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable, ActionCoding.Recordable {
            public init() {
            }
            @ComposableArchitecture.ObservationStateIgnored
            public var _$observationRegistrar = ComposableArchitecture.ObservationStateRegistrar()
            public nonisolated var _$id: ComposableArchitecture.ObservableStateID {
              _$observationRegistrar.id
            }
            public nonisolated mutating func _$willModify() {
              _$observationRegistrar._$willModify()
            }
              nonisolated public func encode(
                to writer: inout ActionCoding.RecordWriter
              ) throws(ActionCoding.RecordOverflow) {
              }
              nonisolated public init(
                from reader: inout ActionCoding.RecordReader
              ) throws(ActionCoding.RecordDecodingError) {
              }
              nonisolated public static func recordDefinition(
                in schema: inout ActionCoding.RecordSchemaBuilder
              ) -> ActionCoding.RecordSchema.Definition {
            return .structure(name: "Feature.State", fields: [])
              }
          }
          public enum Action: Swift.Equatable, Swift.Hashable, Swift.Sendable, nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable, ActionCoding.Recordable {
            public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
              public subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
              }
              public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
                let allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
                return allCasePaths.makeIterator()
              }
            }
            public nonisolated static var allCasePaths: AllCasePaths {
              AllCasePaths()
            }
              nonisolated public func encode(
                to writer: inout ActionCoding.RecordWriter
              ) throws(ActionCoding.RecordOverflow) {
            switch self {
            }
              }
              nonisolated public init(
                from reader: inout ActionCoding.RecordReader
              ) throws(ActionCoding.RecordDecodingError) {
            throw reader.error("'Feature.Action' has no cases: a value of it can't exist.")
              }
              nonisolated public static func recordDefinition(
                in schema: inout ActionCoding.RecordSchemaBuilder
              ) -> ActionCoding.RecordSchema.Definition {
            return .enumeration(name: "Feature.Action", cases: [])
              }
          }
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          public var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
            ComposableArchitecture.EmptyReducer()
          }
          public init() {
          }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func nestedTypes() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        enum State {
          case on, off
        }
        @CasePathable
        enum Action: Equatable {
          case tap
        }
        struct Row {}
        enum Field: Hashable {}
        private enum CancelID {}
        struct Client: DependencyKey {}
        final class Cache {}
        @Reducer
        struct Child {}
        @Recordable
        struct ByHand {}
        struct Handle: ~Copyable {}
        @ReducerBuilder<State, Action>
        var body: some Reducer<State, Action> {
          EmptyReducer()
        }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature {
          @CasePaths.CasePathable @dynamicMemberLookup @ActionCoding.Recordable
          enum State {
            case on, off
          }
          @CasePathable
          @ActionCoding.Recordable
          enum Action: Equatable {
            case tap
          }
          @ActionCoding.Recordable
          struct Row {}
          @ActionCoding.Recordable
          enum Field: Hashable {}
          private enum CancelID {}
          struct Client: DependencyKey {}
          final class Cache {}
          struct Child {
            struct State: Swift.Codable, Swift.Equatable, Swift.Hashable, Swift.Sendable, nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable, ActionCoding.Recordable {
              init() {
              }
              @ComposableArchitecture.ObservationStateIgnored
              var _$observationRegistrar = ComposableArchitecture.ObservationStateRegistrar()
              nonisolated var _$id: ComposableArchitecture.ObservableStateID {
                _$observationRegistrar.id
              }
              nonisolated mutating func _$willModify() {
                _$observationRegistrar._$willModify()
              }
                nonisolated func encode(
                  to writer: inout ActionCoding.RecordWriter
                ) throws(ActionCoding.RecordOverflow) {
                }
                nonisolated init(
                  from reader: inout ActionCoding.RecordReader
                ) throws(ActionCoding.RecordDecodingError) {
                }
                nonisolated static func recordDefinition(
                  in schema: inout ActionCoding.RecordSchemaBuilder
                ) -> ActionCoding.RecordSchema.Definition {
              return .structure(name: "Feature.Child.State", fields: [])
                }
            }
            enum Action: Swift.Equatable, Swift.Hashable, Swift.Sendable, nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable, ActionCoding.Recordable {
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
                nonisolated func encode(
                  to writer: inout ActionCoding.RecordWriter
                ) throws(ActionCoding.RecordOverflow) {
              switch self {
              }
                }
                nonisolated init(
                  from reader: inout ActionCoding.RecordReader
                ) throws(ActionCoding.RecordDecodingError) {
              throw reader.error("'Feature.Child.Action' has no cases: a value of it can't exist.")
                }
                nonisolated static func recordDefinition(
                  in schema: inout ActionCoding.RecordSchemaBuilder
                ) -> ActionCoding.RecordSchema.Definition {
              return .enumeration(name: "Feature.Child.Action", cases: [])
                }
            }
            @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
            var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
              ComposableArchitecture.EmptyReducer()
            }
        }
          @Recordable
          struct ByHand {}
          struct Handle: ~Copyable {}
          @ReducerBuilder<State, Action>
          var body: some Reducer<State, Action> {
            EmptyReducer()
          }
        }
        extension Feature.Child: ComposableArchitecture.Reducer {
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func typesThatTheBodySpells() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        var body: some Reducer<Int, Bool> {
          EmptyReducer()
        }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature {
          @ComposableArchitecture.ReducerBuilder<Int, Bool>
          var body: some Reducer<Int, Bool> {
            EmptyReducer()
          }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func aMethodInPlaceOfABody() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        func reduce(into state: inout Int, action: Bool) -> Effect<Bool> { .none }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature {
          func reduce(into state: inout Int, action: Bool) -> Effect<Bool> { .none }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func aliases() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature {
        typealias State = Int
        typealias Action = Bool
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature {
          typealias State = Int
          typealias Action = Bool
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
            ComposableArchitecture.EmptyReducer()
          }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func genericParameters() {
    let expansion = Expansion(
      #"""
      @Reducer
      struct Feature<State, Action> {
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        struct Feature<State, Action> {
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
            ComposableArchitecture.EmptyReducer()
          }
        }
        extension Feature: ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func availabilityAndConditions() {
    let expansion = Expansion(
      #"""
      @available(macOS 99, *)
      @Reducer
      struct Feature: ComposableArchitecture.Reducer {
        #if DEBUG
          struct State {}
          enum Action {}
        #else
          typealias State = Int
          typealias Action = Bool
        #endif
        var body: some ReducerOf<Self> { EmptyReducer() }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        @available(macOS 99, *)
        struct Feature: ComposableArchitecture.Reducer {
          #if DEBUG
            struct State {}
            enum Action {}
          #else
            typealias State = Int
            typealias Action = Bool
          #endif
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          var body: some ReducerOf<Self> { EmptyReducer() }
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func anInitialiserForOtherModules() {
    let expansion = Expansion(
      #"""
      @Reducer
      public struct Feature {
        @Dependency(\.date) var date
        static let limit = 3
        var isLimited: Bool { true }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        public init() {
        """#))
    #expect(
      expansion.contains(
        #"""
        public struct State: Swift.Codable, Swift.Equatable, Swift.Hashable, Swift.Sendable
        """#))
    #expect(expansion.messages == [])
  }
}
