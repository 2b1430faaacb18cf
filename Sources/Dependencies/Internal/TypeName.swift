/// A type's name with its module, without the addresses that names of local types hold.
func typeName(_ type: Any.Type) -> String {
  let name: String = _typeName(type, qualified: true)
  var result = ""
  var rest: Substring = name[...]
  while let index = rest.firstIndex(of: "(") {
    let candidate: Substring = rest[index...]
    guard candidate.hasPrefix("(unknown context at "), let end = candidate.firstIndex(of: ")")
    else {
      result += rest[...index]
      rest = rest[rest.index(after: index)...]
      continue
    }
    result += rest[..<index]
    rest = rest[rest.index(after: end)...]
    if rest.hasPrefix(".") { rest.removeFirst() }
  }
  return result + rest
}
