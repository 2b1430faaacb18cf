/// Gives the objects of each type numbers, in the order in which they are met.
final class ObjectNumbering {
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var countPerType: [String: Int] = [:]
  // An object that only the dump holds would else leave its address to the next one.
  private var objects: [Any] = []

  init(copying other: ObjectNumbering? = nil) {
    guard let other else { return }
    numbers = other.numbers
    countPerType = other.countPerType
    objects = other.objects
  }

  func number(of object: Any, id: ObjectIdentifier, type: @autoclosure () -> String) -> Int {
    if let number = numbers[id] { return number }
    objects.append(object)
    let number: Int = countPerType[type(), default: 0] + 1
    countPerType[type()] = number
    numbers[id] = number
    return number
  }
}

/// Knows the objects that a dump has shown, so that each is shown in full once only.
final class ObjectTracker {
  let numbering: ObjectNumbering

  /// Whether the first object of a type shows its number too.
  var numbersEachObject = false

  private var visited: Set<ObjectIdentifier>

  init(numbering: ObjectNumbering = ObjectNumbering()) {
    self.numbering = numbering
    visited = []
  }

  /// A tracker that knows the same and learns by itself, for a dump that is not shown.
  func copy() -> ObjectTracker {
    let copy = ObjectTracker(numbering: ObjectNumbering(copying: numbering))
    copy.visited = visited
    return copy
  }

  func isVisited(_ id: ObjectIdentifier) -> Bool {
    visited.contains(id)
  }

  func visit(_ id: ObjectIdentifier) {
    visited.insert(id)
  }
}
