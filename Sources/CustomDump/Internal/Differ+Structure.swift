extension Differ {
  mutating func diffMirrors(_ firstValue: Any, _ secondValue: Any, place: Place) {
    let firstMirror = Mirror(customDumpReflecting: firstValue)
    let secondMirror = Mirror(customDumpReflecting: secondValue)
    guard firstMirror.displayStyle == secondMirror.displayStyle else {
      writeBoth(firstValue, secondValue, place: place)
      return
    }
    switch firstMirror.displayStyle {
    case .optional:
      guard let firstWrapped = firstMirror.children.first?.value,
        let secondWrapped = secondMirror.children.first?.value
      else { break }
      diffRepresented(firstWrapped, secondWrapped, place: place)
      return
    case .enum:
      guard let firstPayload = firstMirror.children.first,
        let secondPayload = secondMirror.children.first,
        let name = firstPayload.label, name == secondPayload.label
      else { break }
      let type: String = place.isRoot ? "\(typeName(firstMirror.subjectType))." : "."
      if diffFields(
        firstMirror.associatedValues, secondMirror.associatedValues, between: "\(type)\(name)(",
        place: place)
      {
        return
      }
    case .tuple:
      if diffFields(firstMirror.fields, secondMirror.fields, between: "(", place: place) { return }
    case .collection:
      let isWritten: Bool = diffElements(
        firstMirror.elements, secondMirror.elements, between: "[", and: "]", place: place,
        isAlike: { isSameIdentity($0.value, $1.value) ?? isEqual($0.value, $1.value) },
        isPair: {
          type(of: $0.value) == type(of: $1.value) && isSameIdentity($0.value, $1.value) == nil
        })
      if isWritten { return }
    case .set:
      let isWritten: Bool = diffElements(
        firstMirror.setElements(of: firstValue, tracker: first),
        secondMirror.setElements(of: secondValue, tracker: second), between: "Set([", and: "])",
        place: place,
        isAlike: { isSameIdentity($0.value, $1.value) ?? isEqual($0.value, $1.value) })
      if isWritten { return }
    case .dictionary:
      let isWritten: Bool = diffElements(
        firstMirror.entries(of: firstValue, tracker: first),
        secondMirror.entries(of: secondValue, tracker: second), between: "[", and: "]",
        place: place, isAlike: { $0.name == $1.name })
      if isWritten { return }
    default:
      if firstMirror.isPlain { break }
      let name: String = typeName(firstMirror.subjectType)
      if type(of: firstValue) is AnyClass {
        let pair = ObjectPair(firstValue, secondValue)
        guard pairs.insert(pair).inserted else {
          write(.both, indent: place.indent, "\(place.secondLabel.text)\(name)(↩︎)\(place.end)")
          return
        }
      }
      if diffFields(firstMirror.fields, secondMirror.fields, between: "\(name)(", place: place) {
        return
      }
    }
    writeBoth(firstValue, secondValue, place: place)
  }

  /// Writes how fields differ; false where they do not, or where they fit on a line, and the
  /// values are better shown whole.
  private mutating func diffFields(
    _ firstFields: [DumpChild], _ secondFields: [DumpChild], between opening: String, place: Place
  ) -> Bool {
    if firstFields.isSingleValue, secondFields.isSingleValue { return false }
    return diffElements(
      firstFields, secondFields, between: opening, and: ")", place: place, countsUnchanged: false,
      isAlike: { $0.name == $1.name })
  }

  /// Whether two values are an object at two times at which it held different values.
  private func hasTimes(_ first: Any, _ second: Any) -> Bool {
    guard let first = first as? any _CustomDiffObject,
      let second = second as? any _CustomDiffObject,
      first._objectIdentifier == second._objectIdentifier
    else { return false }
    let (before, now) = second._customDiffValues
    return !isEqual(before, now)
  }

  /// Writes how lists differ; false where nothing in them does.
  private mutating func diffElements(
    _ firstElements: [DumpChild], _ secondElements: [DumpChild], between opening: String,
    and closing: String, place: Place, countsUnchanged: Bool = true,
    isAlike: (DumpChild, DumpChild) -> Bool,
    isPair: (DumpChild, DumpChild) -> Bool = { _, _ in false }
  ) -> Bool {
    let rows: [AlignmentRow] = align(
      firstElements, secondElements, isAlike: isAlike, isPair: isPair, key: \.alignmentKey)
    let isChanged: [Bool] = rows.map { row in
      guard case .both(let i, let j) = row else { return true }
      let (firstValue, secondValue) = (firstElements[i].value, secondElements[j].value)
      return hasTimes(firstValue, secondValue) || !isEqual(firstValue, secondValue)
    }
    guard isChanged.contains(true) else { return false }

    var unchanged: [(value: Any, place: Place)] = []
    write(.both, indent: place.indent, place.secondLabel.text + opening)
    for (offset, row) in rows.enumerated() {
      var inner = Place(indent: place.indent + 2, isRoot: false)
      inner.end = offset == rows.count - 1 ? "" : ","
      switch row {
      case .both(let i, let j):
        inner.setFirst(firstElements[i], isLast: i == firstElements.count - 1)
        inner.setSecond(secondElements[j], isLast: j == secondElements.count - 1)
        if isChanged[offset] {
          flush(&unchanged, counting: countsUnchanged)
          diffUnequal(firstElements[i].value, secondElements[j].value, place: inner)
        } else {
          unchanged.append((secondElements[j].value, inner))
        }
      case .onlyFirst(let i):
        flush(&unchanged, counting: countsUnchanged)
        inner.setFirst(firstElements[i], isLast: i == firstElements.count - 1)
        writeFirst(firstElements[i].value, place: inner)
      case .onlySecond(let j):
        flush(&unchanged, counting: countsUnchanged)
        inner.setSecond(secondElements[j], isLast: j == secondElements.count - 1)
        writeSecond(secondElements[j].value, place: inner)
      }
    }
    flush(&unchanged, counting: countsUnchanged)
    write(.both, indent: place.indent, closing + place.end)
    return true
  }

  private mutating func flush(
    _ unchanged: inout [(value: Any, place: Place)], counting: Bool
  ) {
    if counting, unchanged.count > 1, let last = unchanged.last {
      write(
        .both, indent: last.place.indent, "… (\(unchanged.count) unchanged)\(last.place.end)")
    } else {
      for (value, place) in unchanged {
        if value is any _CustomDiffObject {
          diffUnequal(value, value, place: place)
        } else {
          writeUnchanged(value, place: place)
        }
      }
    }
    unchanged = []
  }
}

extension Place {
  fileprivate mutating func setFirst(_ child: DumpChild, isLast: Bool) {
    firstLabel = DumpLabel(name: child.name)
    firstEnd = isLast ? "" : ","
  }

  fileprivate mutating func setSecond(_ child: DumpChild, isLast: Bool) {
    secondLabel = DumpLabel(name: child.name)
    secondEnd = isLast ? "" : ","
  }
}

extension DumpChild {
  /// What tells this child from the others: its id, itself, or the name of a field or key.
  fileprivate var alignmentKey: AnyHashable? {
    if key != nil { return name }
    if let value = value as? any Identifiable { return identity(value) }
    return value as? AnyHashable
  }

  private func identity<Value: Identifiable>(_ value: Value) -> AnyHashable {
    AnyHashable(value.id)
  }
}
