import Testing

/// What `@ObservableState` and `@Presents` write.
struct ObservableStateExpansionTests {
  @Test func aStruct() {
    let expansion = Expansion(
      #"""
      @ObservableState
      public struct State: Equatable {
        public var count = 0
        public let id: Int
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.source
        == #"""
        public struct State: Equatable {
          @ComposableArchitecture.ObservationStateTracked
          public var count = 0
          public let id: Int
          @ComposableArchitecture.ObservationStateIgnored
          public var _$observationRegistrar = ComposableArchitecture.ObservationStateRegistrar()
          public nonisolated var _$id: ComposableArchitecture.ObservableStateID {
            _$observationRegistrar.id
          }
          public nonisolated mutating func _$willModify() {
            _$observationRegistrar._$willModify()
          }
          public nonisolated static var _$bindableProperties: [ComposableArchitecture._$BindableProperty<Self>] {
            var properties: [ComposableArchitecture._$BindableProperty<Self>] = []
            properties += ComposableArchitecture._$bindable("count", \Self.count)
            return properties
          }
          public nonisolated static var _$observedProperties: [ComposableArchitecture._$ObservedProperty<Self>] {
            var properties: [ComposableArchitecture._$ObservedProperty<Self>] = []
            properties.append(ComposableArchitecture._$observed(\Self.count) {
                $1(&$0.count)
              })
            return properties
          }
        }
        extension State: nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable, nonisolated ComposableArchitecture._$BindableState {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func aTrackedProperty() {
    let expansion = Expansion(
      #"""
      struct State {
        @ObservationStateTracked
        public private(set) var `class`: Int = 0 {
          didSet { print(oldValue) }
        }
      }
      """#, only: ["ObservationStateTracked"])
    #expect(
      expansion.source
        == #"""
        struct State {
          public private(set) var `class`: Int {
            didSet { print(oldValue) }
            @storageRestrictions(initializes: _class)
            init(initialValue) {
              _class = initialValue
            }
            get {
              if _$observationRegistrar._$mayBeRead {
                _$observationRegistrar._$access(self, keyPath: \.`class`, flag: 0x8000000)
              }
              return _class
            }
            set {
              guard _$observationRegistrar._$mayBeObserved(0x8000000),
                ComposableArchitecture._$shouldNotify(from: _class, to: newValue)
              else {
                _class = newValue
                return
              }
              _$observationRegistrar.willSet(self, keyPath: \.`class`)
              _class = newValue
              _$observationRegistrar.didSet(self, keyPath: \.`class`)
            }
            _modify {
              guard _$observationRegistrar._$mayBeObserved(0x8000000) else {
                ComposableArchitecture._$willModify(&_class)
                yield &_class
                return
              }
              let snapshot = ComposableArchitecture._$snapshot(&_class)
              defer {
                if snapshot.shouldNotify(_class) {
                  _$observationRegistrar.willSet(self, keyPath: \.`class`)
                  _$observationRegistrar.didSet(self, keyPath: \.`class`)
                }
              }
              yield &_class
            }
          }
          @ComposableArchitecture.ObservationStateIgnored
          private var _class: Int = 0 {
              didSet {
                print(oldValue)
              }
            }
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func aPresentedProperty() {
    let expansion = Expansion(
      #"""
      public struct State {
        @Presents public var child: Child.State?
      }
      """#, only: ["Presents"])
    #expect(
      expansion.source
        == #"""
        public struct State {
          public var child: Child.State? {
            @storageRestrictions(initializes: _child)
            init(initialValue) {
              _child = ComposableArchitecture.PresentationState(wrappedValue: initialValue)
            }
            get {
              if _$observationRegistrar._$mayBeRead {
                _$observationRegistrar._$access(self, keyPath: \.child, flag: 0x20000000000)
              }
              return _child.wrappedValue
            }
            set {
              guard _$observationRegistrar._$mayBeObserved(0x20000000000),
                ComposableArchitecture._$shouldNotify(from: _child.wrappedValue, to: newValue)
              else {
                _child.wrappedValue = newValue
                return
              }
              _$observationRegistrar.willSet(self, keyPath: \.child)
              _child.wrappedValue = newValue
              _$observationRegistrar.didSet(self, keyPath: \.child)
            }
            _modify {
              guard _$observationRegistrar._$mayBeObserved(0x20000000000) else {
                ComposableArchitecture._$willModify(&_child.wrappedValue)
                yield &_child.wrappedValue
                return
              }
              let snapshot = ComposableArchitecture._$snapshot(&_child.wrappedValue)
              defer {
                if snapshot.shouldNotify(_child.wrappedValue) {
                  _$observationRegistrar.willSet(self, keyPath: \.child)
                  _$observationRegistrar.didSet(self, keyPath: \.child)
                }
              }
              yield &_child.wrappedValue
            }
          }
          public var $child: ComposableArchitecture.PresentationState<Child.State> {
            get {
              if _$observationRegistrar._$mayBeRead {
                _$observationRegistrar._$access(self, keyPath: \.child, flag: 0x20000000000)
              }
              return _child
            }
            set {
              guard _$observationRegistrar._$mayBeObserved(0x20000000000),
                ComposableArchitecture._$shouldNotify(from: _child.wrappedValue, to: newValue.wrappedValue)
              else {
                _child = newValue
                return
              }
              _$observationRegistrar.willSet(self, keyPath: \.child)
              _child = newValue
              _$observationRegistrar.didSet(self, keyPath: \.child)
            }
            _modify {
              guard _$observationRegistrar._$mayBeObserved(0x20000000000) else {
                ComposableArchitecture._$willModify(&_child.wrappedValue)
                yield &_child
                return
              }
              let snapshot = ComposableArchitecture._$snapshot(&_child.wrappedValue)
              defer {
                if snapshot.shouldNotify(_child.wrappedValue) {
                  _$observationRegistrar.willSet(self, keyPath: \.child)
                  _$observationRegistrar.didSet(self, keyPath: \.child)
                }
              }
              yield &_child
            }
          }
          @ComposableArchitecture.ObservationStateIgnored
          private var _child = ComposableArchitecture.PresentationState<Child.State>(wrappedValue: nil)
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func anEnum() {
    let expansion = Expansion(
      #"""
      @ObservableState
      enum State {
        case off
        case on(On.State)
        case labelled(id: Int)
        #if DEBUG
          case both(Int, Int)
        #endif
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.source
        == #"""
        enum State {
          case off
          case on(On.State)
          case labelled(id: Int)
          #if DEBUG
            case both(Int, Int)
          #endif
          nonisolated var _$id: ComposableArchitecture.ObservableStateID {
            switch self {
            case .off:
              return ComposableArchitecture.ObservableStateID._$inert._$tag(0)
            case .on(let state):
              return ComposableArchitecture.ObservableStateID._$id(for: state)._$tag(1)
            case .labelled(let state):
              return ComposableArchitecture.ObservableStateID._$id(for: state)._$tag(2)
            #if DEBUG
            case .both:
              return ComposableArchitecture.ObservableStateID._$value._$tag(3)
            #endif
            }
          }
          nonisolated mutating func _$willModify() {
            switch self {
            case .off:
              break
            case .on(var state):
              ComposableArchitecture._$willModify(&state)
              self = .on(state)
            case .labelled(var state):
              ComposableArchitecture._$willModify(&state)
              self = .labelled(id: state)
            #if DEBUG
            case .both:
              break
            #endif
            }
          }
        }
        extension State: nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable {
        }
        """#)
    #expect(expansion.messages == [])
  }

  @Test func whatABindingMayWrite() {
    let expansion = Expansion(
      #"""
      @ObservableState
      struct State {
        var `default` = ""
        let constant = 1
        static var shared = 0
        lazy var later = 0
        weak var owner: Owner?
        var readOnly: Int { 1 }
        var computed: Int {
          get { 0 }
          set {}
        }
        var throwing: Int {
          get throws { 0 }
        }
        @Presents var child: Child.State?
        @Shared var user: User
        @ObservationStateIgnored var ignored = 0
        @available(*, deprecated) var old = 0
        #if DEBUG
          var debug = 0
        #endif
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.contains(
        #"""
        nonisolated static var _$bindableProperties: [ComposableArchitecture._$BindableProperty<Self>] {
          var properties: [ComposableArchitecture._$BindableProperty<Self>] = []
          properties += ComposableArchitecture._$bindable("default", \Self.`default`)
          properties += ComposableArchitecture._$bindable("computed", \Self.computed)
          properties += ComposableArchitecture._$bindable("child", \Self.child)
          properties += ComposableArchitecture._$bindable("ignored", \Self.ignored)
          #if DEBUG
          properties += ComposableArchitecture._$bindable("debug", \Self.debug)
          #endif
          return properties
        }
        """#))
    #expect(expansion.messages == [])
  }

  @Test func anActorsStateHasNoList() {
    let expansion = Expansion(
      #"""
      @ObservableState
      @MainActor
      struct State {
        var count = 0
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.contains(
        #"""
        extension State: nonisolated ComposableArchitecture.ObservableState, nonisolated Observation.Observable {
        """#))
    #expect(expansion.messages == [])
  }

  @Test func otherMarks() {
    let expansion = Expansion(
      #"""
      @ObservableState
      struct State {
        @ObservationIgnored var a = 0
        @ObservationTracked var b = 0
        @PresentationState var c: Child.State?
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.messages == [
        #"3:3 error: '@ObservationIgnored' cannot be used in '@ObservableState'"#,
        #"4:3 error: '@ObservationTracked' cannot be used in '@ObservableState'"#,
        #"5:3 error: '@PresentationState' cannot be used in '@ObservableState'"#,
      ])
    #expect(
      expansion.fixed
        == #"""
        @ObservableState
        struct State {
          @ObservationStateIgnored var a = 0
          @ObservationStateTracked var b = 0
          @Presents var c: Child.State?
        }
        """#)
  }

  @Test func noOtherTypes() {
    let expansion = Expansion(
      #"""
      @ObservableState
      final class State {
      }
      """#, only: ["ObservableState"])
    #expect(
      expansion.messages == [
        #"2:7 error: '@ObservableState' cannot be applied to class type 'State'; a state is a struct or an enum"#
      ])
  }

  @Test func presentsNeedsItsType() {
    let expansion = Expansion(
      #"""
      struct State {
        @Presents var child = Child.State?.none
        @Presents var other: Child.State
        @Presents let constant: Child.State?
      }
      """#, only: ["Presents"])
    #expect(
      expansion.messages == [
        #"2:17 error: '@Presents' needs the optional type of the state to be written out, as in 'Child.State?'"#,
        #"3:22 error: '@Presents' needs the optional type of the state to be written out, as in 'Child.State?'"#,
        #"4:3 error: '@Presents' can only be applied to one stored 'var' of an optional type"#,
      ])
  }
}
