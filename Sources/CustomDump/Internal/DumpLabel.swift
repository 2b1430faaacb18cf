/// What stands before a dumped value: its name, and the number of the object that holds it.
struct DumpLabel {
  var text: String

  /// Lines of a text are indented under a name.
  var isNamed: Bool

  static let none = DumpLabel(name: nil)

  init(name: String?) {
    text = name.map { "\($0): " } ?? ""
    isNamed = name != nil
  }

  func numbered(_ number: Int) -> DumpLabel {
    var label = self
    label.text += "#\(number) "
    return label
  }
}
