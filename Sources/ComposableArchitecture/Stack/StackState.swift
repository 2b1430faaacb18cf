public import CasePaths
internal import Dependencies
internal import IssueReporting

/// The states of the features on a stack, the root-most first, each with an id.
///
/// ```swift
/// @ObservableState
/// struct State {
///   var path = StackState<Path.State>()
/// }
///
/// state.path.append(.detail(Detail.State()))
/// state.path[id: id, case: \.detail]?.isOpen = true
/// state.path.pop(from: id)
/// ```
public struct StackState<Element> {
  /// The ids of the elements, in the stack's order.
  public internal(set) var ids: [StackElementID] = []

  /// The elements, in the same order. They are optional so that one can be changed in place
  /// through ``subscript(id:)``; none is `nil` at any other time.
  var slots: [Element?] = []

  /// The places of elements whose effects may still run.
  var running: [RunningElement] = []

  /// A stack without elements.
  public init() {}

  /// A stack of the given elements.
  public init(_ elements: some Sequence<Element>) {
    if let stack = elements as? Self {
      self = stack
    } else {
      for element in elements { self.append(element) }
    }
  }

  struct RunningElement: Sendable {
    var id: StackElementID
    var path: NavigationPath
  }

  func index(of id: StackElementID) -> Int? {
    self.ids.lastIndex(of: id)
  }

  /// Puts an element on the stack under an id that it does not hold.
  mutating func push(_ element: Element, id: StackElementID) {
    self.ids.append(id)
    self.slots.append(element)
  }

  mutating func remove(at index: Int) {
    self.ids.remove(at: index)
    self.slots.remove(at: index)
  }

  /// The element of an id, `nil` when it is not on the stack.
  ///
  /// Writing `nil` removes it. Writing an element under an id that is not on the stack is an issue,
  /// but for tests, where it is put on top.
  public subscript(id id: StackElementID) -> Element? {
    get { self.index(of: id).flatMap { self.slots[$0] } }
    set {
      if let index = self.index(of: id) {
        if newValue == nil { self.remove(at: index) } else { self.slots[index] = newValue }
      } else {
        self.insert(newValue, missing: id)
      }
    }
    _modify {
      if let index = self.index(of: id) {
        yield &self.slots[index]
        if self.slots[index] == nil { self.remove(at: index) }
      } else {
        var element: Element?
        yield &element
        self.insert(element, missing: id)
      }
    }
  }

  private mutating func insert(_ element: Element?, missing id: StackElementID) {
    guard let element else { return }
    guard isTesting else {
      reportIssue("Can't assign element at missing ID.")
      return
    }
    self.push(element, id: id)
  }

  /// The value of one case of an element, `nil` when the element is absent or in another case.
  ///
  /// Writing `nil` removes the element. It is an issue to write while the element is absent or in
  /// another case, and nothing changes then.
  public subscript<Value>(
    id id: StackElementID, case keyPath: CaseKeyPath<Element, Value>
  ) -> Value? where Element: CasePathable {
    get { self[id: id].flatMap { $0[case: keyPath] } }
    set { setCase(&self[id: id], keyPath, to: newValue) }
  }

  /// Removes an element and all above it.
  public mutating func pop(from id: StackElementID) {
    guard let index = self.index(of: id) else { return }
    self.removeAll(from: index)
  }

  /// Removes all elements above one.
  public mutating func pop(to id: StackElementID) {
    guard let index = self.index(of: id) else { return }
    self.removeAll(from: index + 1)
  }

  private mutating func removeAll(from index: Int) {
    self.ids.removeSubrange(index...)
    self.slots.removeSubrange(index...)
  }
}

extension StackState: Sendable where Element: Sendable {}

extension StackState: RandomAccessCollection, RangeReplaceableCollection {
  public var startIndex: Int { 0 }
  public var endIndex: Int { self.slots.count }

  /// The element at a position, the root-most at 0.
  public subscript(position: Int) -> Element {
    self.slots[position]!
  }

  public mutating func replaceSubrange<C: Collection>(
    _ subrange: Range<Int>, with newElements: C
  ) where C.Element == Element {
    // Ids are given from the top down, as users of the architecture know it.
    var newIDs: [StackElementID] = []
    if !newElements.isEmpty {
      let generator = DependencyValues._current.stackElementID
      for _ in newElements { newIDs.append(generator.next()) }
    }
    self.ids.replaceSubrange(subrange, with: newIDs.reversed())
    self.slots.replaceSubrange(subrange, with: newElements.map(Optional.some))
  }
}

extension StackState {
  /// An element together with its id, for navigation by value.
  public struct Component {
    /// The id of the element.
    public let id: StackElementID

    /// The element.
    public internal(set) var element: Element
  }

  /// The stack as a collection of its components.
  public struct PathView: RandomAccessCollection, RangeReplaceableCollection, MutableCollection {
    var base: StackState

    init(base: StackState) {
      self.base = base
    }

    /// A view of an empty stack.
    public init() {
      self.init(base: StackState())
    }

    public var startIndex: Int { self.base.startIndex }
    public var endIndex: Int { self.base.endIndex }

    public subscript(position: Int) -> Component {
      get { Component(id: self.base.ids[position], element: self.base[position]) }
      set {
        self.base.ids[position] = newValue.id
        self.base.slots[position] = newValue.element
      }
    }

    public mutating func replaceSubrange<C: Collection>(
      _ subrange: Range<Int>, with newElements: C
    ) where C.Element == Component {
      self.base.ids.replaceSubrange(subrange, with: newElements.map(\.id))
      self.base.slots.replaceSubrange(
        subrange, with: newElements.map { Optional.some($0.element) })
    }
  }

  /// The stack as a collection of its components.
  public var path: PathView {
    get { PathView(base: self) }
    set { self = newValue.base }
  }
}

extension StackState.Component: Equatable, Hashable {
  public static func == (lhs: Self, rhs: Self) -> Bool { lhs.id == rhs.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(self.id) }
}

extension StackState.Component: Identifiable {}
extension StackState.Component: Sendable where Element: Sendable {}
extension StackState.PathView: Sendable where Element: Sendable {}
extension StackState.PathView: Equatable where Element: Equatable {}
extension StackState.PathView: Hashable where Element: Hashable {}
