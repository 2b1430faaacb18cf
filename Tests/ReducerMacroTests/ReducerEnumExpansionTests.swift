import Testing

/// What `@Reducer` writes for an enum of features.
struct ReducerEnumExpansionTests {
  @Test func aFeature() {
    let expansion = Expansion(
      #"""
      @Reducer
      public enum Destination {
        /// Adds an item.
        case add(AddFeature)
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.source
        == #"""
        public enum Destination {
          /// Adds an item.
          case add(AddFeature)
          @dynamicMemberLookup
          public enum State: ComposableArchitecture.CaseReducerState, nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable, nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable, ActionCoding.Recordable {
            public typealias StateReducer = Destination
            case add(AddFeature.State)
            public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
              public subscript(root: State) -> CasePaths.PartialCaseKeyPath<State> {
                if case .add = root {
                  return \.add
                }
                return \.never
              }
              public var add: CasePaths.AnyCasePath<State, AddFeature.State> {
                CasePaths.AnyCasePath<State, AddFeature.State>(
                  embed: CasePaths._$embed(State.add),
                  extract: {
                    if case .add(let v0) = $0 {
                      v0
                    } else {
                      nil
                    }
                  }
                )
              }
              public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<State>]> {
                var allCasePaths: [CasePaths.PartialCaseKeyPath<State>] = []
                allCasePaths.append(\.add)
                return allCasePaths.makeIterator()
              }
            }
            public nonisolated static var allCasePaths: AllCasePaths {
              AllCasePaths()
            }
            public nonisolated var _$id: ComposableArchitecture.ObservableStateID {
              switch self {
              case .add(let state):
                return ComposableArchitecture.ObservableStateID._$id(for: state)._$tag(0)
              }
            }
            public nonisolated mutating func _$willModify() {
              switch self {
              case .add(var state):
                ComposableArchitecture._$willModify(&state)
                self = .add(state)
              }
            }
              nonisolated public func encode(
                to writer: inout ActionCoding.RecordWriter
              ) throws(ActionCoding.RecordOverflow) {
            if case .add(let value0) = self {
            try writer.put(byte: 0)
            let field0 = ActionCoding.RecordField(value0)
            try writer.put(field0)
            }
              }
              nonisolated public init(
                from reader: inout ActionCoding.RecordReader
              ) throws(ActionCoding.RecordDecodingError) {
            let number = try reader.getCase()
            switch number {
            case 0:
            let types = ActionCoding.recordFieldTypes(Self.add)
            let field0 = try reader.field(types) {
            (reader, type) throws(ActionCoding.RecordDecodingError) in
            try reader.get(type)
            }
            self = ActionCoding.recordCase(Self.add, field0)
            default:
              throw reader.unknownCase(number, of: "Destination.State")
            }
              }
              nonisolated public static func recordDefinition(
                in schema: inout ActionCoding.RecordSchemaBuilder
              ) -> ActionCoding.RecordSchema.Definition {
            var cases: [ActionCoding.RecordSchema.Case] = []
            do {
            let types = ActionCoding.recordFieldTypes(Self.add)
            var fields: [ActionCoding.RecordSchema.Field] = []
            fields.append(.init("_0", schema.type(types)))
            cases.append(.init(index: 0, name: "add", fields: fields))
            }
            return .enumeration(name: "Destination.State", cases: cases)
              }
          }
          public enum Action: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable, ActionCoding.Recordable {
            case add(AddFeature.Action)
            public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
              public subscript(root: Action) -> CasePaths.PartialCaseKeyPath<Action> {
                if case .add = root {
                  return \.add
                }
                return \.never
              }
              public var add: CasePaths.AnyCasePath<Action, AddFeature.Action> {
                CasePaths.AnyCasePath<Action, AddFeature.Action>(
                  embed: CasePaths._$embed(Action.add),
                  extract: {
                    if case .add(let v0) = $0 {
                      v0
                    } else {
                      nil
                    }
                  }
                )
              }
              public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<Action>]> {
                var allCasePaths: [CasePaths.PartialCaseKeyPath<Action>] = []
                allCasePaths.append(\.add)
                return allCasePaths.makeIterator()
              }
            }
            public nonisolated static var allCasePaths: AllCasePaths {
              AllCasePaths()
            }
              nonisolated public func encode(
                to writer: inout ActionCoding.RecordWriter
              ) throws(ActionCoding.RecordOverflow) {
            if case .add(let value0) = self {
            try writer.put(byte: 0)
            let field0 = ActionCoding.RecordField(value0)
            try writer.put(field0)
            }
              }
              nonisolated public init(
                from reader: inout ActionCoding.RecordReader
              ) throws(ActionCoding.RecordDecodingError) {
            let number = try reader.getCase()
            switch number {
            case 0:
            let types = ActionCoding.recordFieldTypes(Self.add)
            let field0 = try reader.field(types) {
            (reader, type) throws(ActionCoding.RecordDecodingError) in
            try reader.get(type)
            }
            self = ActionCoding.recordCase(Self.add, field0)
            default:
              throw reader.unknownCase(number, of: "Destination.Action")
            }
              }
              nonisolated public static func recordDefinition(
                in schema: inout ActionCoding.RecordSchemaBuilder
              ) -> ActionCoding.RecordSchema.Definition {
            var cases: [ActionCoding.RecordSchema.Case] = []
            do {
            let types = ActionCoding.recordFieldTypes(Self.add)
            var fields: [ActionCoding.RecordSchema.Field] = []
            fields.append(.init("_0", schema.type(types)))
            cases.append(.init(index: 0, name: "add", fields: fields))
            }
            return .enumeration(name: "Destination.Action", cases: cases)
              }
          }
          @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
          public static var body: ComposableArchitecture.Scope<Self.State, Self.Action, AddFeature> {
            ComposableArchitecture.Scope(
              _$state: Self.State.allCasePaths.add, action: Self.Action.allCasePaths.add
            ) {
              AddFeature()
            }
          }
          @dynamicMemberLookup
          public enum CaseScope: nonisolated CasePaths.CasePathable, nonisolated CasePaths.CasePathIterable {
            case add(ComposableArchitecture.StoreOf<AddFeature>)
            public nonisolated struct AllCasePaths: CasePaths.CasePathReflectable, Swift.Sendable, Swift.Sequence {
              public subscript(root: CaseScope) -> CasePaths.PartialCaseKeyPath<CaseScope> {
                if case .add = root {
                  return \.add
                }
                return \.never
              }
              public var add: CasePaths.AnyCasePath<CaseScope, ComposableArchitecture.StoreOf<AddFeature>> {
                CasePaths.AnyCasePath<CaseScope, ComposableArchitecture.StoreOf<AddFeature>>(
                  embed: CasePaths._$embed(CaseScope.add),
                  extract: {
                    if case .add(let v0) = $0 {
                      v0
                    } else {
                      nil
                    }
                  }
                )
              }
              public func makeIterator() -> Swift.IndexingIterator<[CasePaths.PartialCaseKeyPath<CaseScope>]> {
                var allCasePaths: [CasePaths.PartialCaseKeyPath<CaseScope>] = []
                allCasePaths.append(\.add)
                return allCasePaths.makeIterator()
              }
            }
            public nonisolated static var allCasePaths: AllCasePaths {
              AllCasePaths()
            }
          }
          @MainActor
          public static func scope(
            _ store: ComposableArchitecture.Store<Self.State, Self.Action>
          ) -> CaseScope {
            switch store.state {
            case .add:
              return .add(store.scope(state: \.add, action: \.add)!)
            }
          }
        }
        extension Destination: ComposableArchitecture.CaseReducer, ComposableArchitecture.Reducer {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func severalFeatures() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        case add(Add), edit(Edit)
        case detail(Detail)
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
        static var body: ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>._Sequence<ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>._Sequence<ComposableArchitecture.Scope<Self.State, Self.Action, Add>, ComposableArchitecture.Scope<Self.State, Self.Action, Edit>>, ComposableArchitecture.Scope<Self.State, Self.Action, Detail>> {
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.add, action: Self.Action.allCasePaths.add
          ) {
            Add()
          }
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.edit, action: Self.Action.allCasePaths.edit
          ) {
            Edit()
          }
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.detail, action: Self.Action.allCasePaths.detail
          ) {
            Detail()
          }
        }
        """#))
    #expect(expansion.messages == [])
  }

  @Test func featuresWithArgumentsAndLabels() {
    let expansion = Expansion(
      #"""
      @Reducer
      package enum Destination {
        case add(feature: Add = Add(limit: 3))
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        package typealias StateReducer = Destination
        case add(feature: Add.State)
        package nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        case add(Add.Action)
        package nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        {
          Add(limit: 3)
        }
        """#))
    #expect(
      expansion.contains(
        #"""
        case add(feature: ComposableArchitecture.StoreOf<Add>)
        """#))
    #expect(
      expansion.contains(
        #"""
        case .add:
          return .add(feature: store.scope(state: \.add, action: \.add)!)
        """#))
    #expect(expansion.messages == [])
  }

  @Test func anEnumInAnEnum() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        case inner(Feature.Inner.Body)
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        case inner(Feature.Inner.State)
        """#))
    #expect(
      expansion.contains(
        #"""
        case inner(Feature.Inner.Action)
        """#))
    #expect(
      expansion.contains(
        #"""
        static var body: ComposableArchitecture.Scope<Self.State, Self.Action, Feature.Inner.Body> {
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.inner, action: Self.Action.allCasePaths.inner
          ) {
            Feature.Inner.body
          }
        }
        """#))
    #expect(
      expansion.contains(
        #"""
        case inner(ComposableArchitecture.StoreOf<Feature.Inner>)
        """#))
    #expect(expansion.messages == [])
  }

  @Test func statesThatEndWithAnAction() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        case alert(AlertState<Alert>)
        case dialog(ComposableArchitecture.ConfirmationDialogState<Never>)
        @ReducerCaseEphemeral
        case toast(Toast)
        enum Alert { case confirm }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        @ActionCoding.Recordable
        enum Alert { case confirm
        """#))
    #expect(
      expansion.contains(
        #"""
        case alert(AlertState<Alert>)
        case dialog(ComposableArchitecture.ConfirmationDialogState<Never>)
        case toast(Toast)
        nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        case alert(AlertState<Alert>.Action)
        case dialog(ComposableArchitecture.ConfirmationDialogState<Never>.Action)
        case toast(Toast.Action)
        """#))
    #expect(
      expansion.contains(
        #"""
        static var body: ComposableArchitecture.EmptyReducer<Self.State, Self.Action> {
          ComposableArchitecture.EmptyReducer()
        }
        """#))
    #expect(
      expansion.contains(
        #"""
        case .alert(let v0):
          return .alert(v0)
        """#))
    #expect(expansion.messages == [])
  }

  @Test func plainValues() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        @ReducerCaseIgnored
        case meeting(Meeting)
        case pair(Int, name: String)
        case ids([Int])
        case nothing
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        case meeting(Meeting)
        case pair(Int, name: String)
        case ids([Int])
        case nothing
        nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        case meeting(Swift.Never)
        case pair(Swift.Never)
        case ids(Swift.Never)
        case nothing(Swift.Never)
        nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        static var body: ComposableArchitecture.EmptyReducer<Self.State, Self.Action> {
        """#))
    #expect(
      expansion.contains(
        #"""
        switch store.state {
        case .meeting(let v0):
          return .meeting(v0)
        case .pair(let v0, let v1):
          return .pair(v0, name: v1)
        case .ids(let v0):
          return .ids(v0)
        case .nothing:
          return .nothing
        }
        """#))
    #expect(expansion.messages == [])
  }

  @Test func conditions() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination {
        case add(Add)
        #if DEBUG
          @available(*, deprecated)
          case debug(Debug)
        #elseif os(Linux)
          case linux
        #endif
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        typealias StateReducer = Destination
        case add(Add.State)
        #if DEBUG
        @available(*, deprecated)
        case debug(Debug.State)
        #elseif os(Linux)
        case linux
        #endif
        nonisolated struct AllCasePaths
        """#))
    #expect(
      expansion.contains(
        #"""
        static var body: some ComposableArchitecture.Reducer<Self.State, Self.Action> {
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.add, action: Self.Action.allCasePaths.add
          ) {
            Add()
          }
          #if DEBUG
          ComposableArchitecture.Scope(
            _$state: Self.State.allCasePaths.debug, action: Self.Action.allCasePaths.debug
          ) {
            Debug()
          }
          #elseif os(Linux)
          #endif
        }
        """#))
    #expect(
      expansion.contains(
        #"""
        #if DEBUG
        case .debug:
          return .debug(store.scope(state: \.debug, action: \.debug)!)
        #elseif os(Linux)
        case .linux:
          return .linux
        #endif
        """#))
    #expect(expansion.messages == [])
  }

  @Test func conformances() {
    let expansion = Expansion(
      #"""
      @Reducer(state: .equatable, .codable, action: .hashable, .sendable)
      enum Destination {
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        enum State: ComposableArchitecture.CaseReducerState, Swift.Equatable, Swift.Codable, nonisolated
        """#))
    #expect(
      expansion.contains(
        #"""
        enum Action: Swift.Hashable, Swift.Sendable, nonisolated
        """#))
    #expect(expansion.messages == [])
  }

  @Test func whatIsWrittenByHandIsKept() {
    let expansion = Expansion(
      #"""
      @Reducer
      enum Destination: CaseReducer {
        case add(Add)
        enum Action {}
        static var body: some ReducerOf<Self> { EmptyReducer() }
        static func scope(_ store: StoreOf<Self>) -> CaseScope { fatalError() }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        @CasePaths.CasePathable @ActionCoding.Recordable
        enum Action {}
        @ComposableArchitecture.ReducerBuilder<Self.State, Self.Action>
        static var body: some ReducerOf<Self> { EmptyReducer() }
        static func scope(_ store: StoreOf<Self>) -> CaseScope { fatalError() }
        @dynamicMemberLookup
        enum State
        """#))
    #expect(
      expansion.contains(
        #"""
        extension Destination: ComposableArchitecture.Reducer {
        """#))
    #expect(expansion.messages == [])
  }

  @Test func namesInRecords() {
    let expansion = Expansion(
      #"""
      extension Feature {
        struct Inner {
          @Reducer
          enum Path {
            case add(Add)
          }
        }
      }
      """#, only: ["Reducer"])
    #expect(
      expansion.contains(
        #"""
        return .enumeration(name: "Feature.Inner.Path.State", cases: cases)
        """#))
    #expect(expansion.messages == [])
  }
}
