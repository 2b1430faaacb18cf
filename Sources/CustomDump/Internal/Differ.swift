/// Where in the text of a difference two values stand.
struct Place {
  var firstLabel = DumpLabel.none
  var secondLabel = DumpLabel.none
  var indent = 0
  var isRoot = true

  /// What follows the first value, the second one, and what is in both: a comma or nothing.
  var firstEnd = ""
  var secondEnd = ""
  var end = ""
}

/// Writes the lines in which two values differ, and in short those in which they do not.
struct Differ {
  enum Side {
    case first, second, both
  }

  private(set) var text = ""

  let format: DiffFormat
  let first: ObjectTracker
  let second: ObjectTracker
  var pairs: Set<ObjectPair> = []
  var diffObjects: Set<ObjectIdentifier> = []
  var depth = 0

  init(format: DiffFormat) {
    self.format = format
    let numbering = ObjectNumbering()
    first = ObjectTracker(numbering: numbering)
    second = ObjectTracker(numbering: numbering)
  }

  // MARK: Lines

  mutating func write(_ side: Side, indent: Int, _ lines: String) {
    let mark: String =
      switch side {
      case .first: format.first
      case .second: format.second
      case .both: format.both
      }
    let space = String(repeating: " ", count: indent)
    for (offset, line) in lines.dumpLines.enumerated() {
      if !text.isEmpty { text += "\n" }
      // A dump indents its own lines, but the first.
      text += "\(mark) \(offset == 0 ? space : "")\(line)"
    }
  }

  func dumped(
    _ value: Any, side: Side, label: DumpLabel, place: Place, maxDepth: Int = .max
  ) -> String {
    var dumper = Dumper(tracker: side == .first ? first : second)
    dumper.showsBefore = side == .first
    dumper.dump(
      value, label: label, indent: place.indent, isRoot: place.isRoot, maxDepth: maxDepth)
    return dumper.text
  }

  mutating func writeUnchanged(_ value: Any, place: Place) {
    let dump: String = dumped(
      value, side: .both, label: place.secondLabel, place: place, maxDepth: 0)
    write(.both, indent: place.indent, dump + place.end)
  }

  mutating func writeFirst(_ value: Any, place: Place) {
    let dump: String = dumped(value, side: .first, label: place.firstLabel, place: place)
    write(.first, indent: place.indent, dump + place.firstEnd)
  }

  mutating func writeSecond(_ value: Any, place: Place) {
    let dump: String = dumped(value, side: .second, label: place.secondLabel, place: place)
    write(.second, indent: place.indent, dump + place.secondEnd)
  }

  /// Writes both values whole.
  mutating func writeBoth(_ firstValue: Any, _ secondValue: Any, place: Place) {
    let label: DumpLabel = place.firstLabel
    if hidden(firstValue, label, place: place, showsBefore: true)
      == hidden(secondValue, label, place: place)
    {
      write(.both, indent: place.indent, "// Not equal but no difference detected:")
      let firstType: Any.Type = type(of: firstValue)
      let secondType: Any.Type = type(of: secondValue)
      if firstType != secondType {
        var place = place
        place.firstEnd = " as \(typeName(firstType, abbreviatingGenerics: false))" + place.firstEnd
        place.secondEnd =
          " as \(typeName(secondType, abbreviatingGenerics: false))" + place.secondEnd
        writeFirst(firstValue, place: place)
        writeSecond(secondValue, place: place)
        return
      }
      first.numbersEachObject = true
      second.numbersEachObject = true
    }
    writeFirst(firstValue, place: place)
    writeSecond(secondValue, place: place)
    first.numbersEachObject = false
    second.numbersEachObject = false
  }

  /// The dump of a value as it would be if no other object had been met.
  private func hidden(
    _ value: Any, _ label: DumpLabel, place: Place, showsBefore: Bool = false
  ) -> String {
    var dumper = Dumper(tracker: ObjectTracker())
    dumper.showsBefore = showsBefore
    dumper.dump(
      value, label: label, indent: place.indent, isRoot: place.isRoot, maxDepth: .max)
    return dumper.text
  }

  // MARK: Values

  /// Writes how two values differ that are known not to be equal.
  mutating func diffUnequal(_ firstValue: Any, _ secondValue: Any, place: Place) {
    depth += 1
    defer { depth -= 1 }
    if depth > Dumper.maximumDepth {
      writeBoth(firstValue, secondValue, place: place)
    } else if let firstObject = firstValue as? any _CustomDiffObject,
      let secondObject = secondValue as? any _CustomDiffObject
    {
      if firstObject._objectIdentifier == secondObject._objectIdentifier {
        diffTimes(of: secondObject, place: place)
      } else {
        writeBoth(firstValue, secondValue, place: place)
      }
    } else if let firstText = firstValue as? any CustomDumpStringConvertible,
      let secondText = secondValue as? any CustomDumpStringConvertible
    {
      let firstText: String = firstText.customDumpDescription
      let secondText: String = secondText.customDumpDescription
      if firstText != secondText, firstText.isMultiline || secondText.isMultiline,
        type(of: firstValue) == type(of: secondValue)
      {
        let firstLines: String = place.firstLabel.text + firstText + place.firstEnd
        let secondLines: String = place.secondLabel.text + secondText + place.secondEnd
        diffLines(firstLines.dumpLines, secondLines.dumpLines, indent: place.indent)
      } else {
        writeBoth(firstValue, secondValue, place: place)
      }
    } else if let firstStandIn = firstValue as? any CustomDumpRepresentable,
      let secondStandIn = secondValue as? any CustomDumpRepresentable,
      type(of: firstValue) == type(of: secondValue)
    {
      diffRepresented(
        firstStandIn.customDumpValue, secondStandIn.customDumpValue, place: place)
    } else if let firstText = firstValue as? any StringProtocol,
      let secondText = secondValue as? any StringProtocol,
      type(of: firstValue) == type(of: secondValue)
    {
      diffTexts(firstText, secondText, place: place)
    } else if type(of: firstValue) != type(of: secondValue) {
      writeBoth(firstValue, secondValue, place: place)
    } else {
      diffMirrors(firstValue, secondValue, place: place)
    }
  }

  /// Writes how what an object held before differs from what it holds now.
  mutating func diffTimes(of object: any _CustomDiffObject, place: Place) {
    let (before, now) = object._customDiffValues
    let name: String = typeName(type(of: now))
    let id: ObjectIdentifier = object._objectIdentifier
    let number: Int = first.numbering.number(of: object, id: id, type: name)
    var place = place
    place.firstLabel = place.firstLabel.numbered(number)
    place.secondLabel = place.secondLabel.numbered(number)
    if isEqual(before, now) {
      writeUnchanged(now, place: place)
    } else if !diffObjects.insert(id).inserted {
      write(.both, indent: place.indent, "\(place.secondLabel.text)\(name)(↩︎)\(place.end)")
    } else {
      diffUnequal(before, now, place: place)
      first.visit(id)
      second.visit(id)
    }
  }

  mutating func diffRepresented(_ firstValue: Any, _ secondValue: Any, place: Place) {
    if isEqual(firstValue, secondValue) {
      // The values differ, what is shown of them does not.
      writeBoth(firstValue, secondValue, place: place)
    } else {
      diffUnequal(firstValue, secondValue, place: place)
    }
  }

  mutating func diffTexts(
    _ firstText: any StringProtocol, _ secondText: any StringProtocol, place: Place
  ) {
    guard firstText.isMultiline || secondText.isMultiline else {
      writeBoth(firstText, secondText, place: place)
      return
    }
    let hashCount: Int = max(
      firstText.hashCount(isMultiline: true), secondText.hashCount(isMultiline: true))
    let hashes = String(repeating: "#", count: hashCount)
    let indent: Int = place.indent + (place.secondLabel.isNamed ? 2 : 0)
    write(.both, indent: place.indent, "\(place.secondLabel.text)\(hashes)\"\"\"")
    diffLines(firstText.dumpLines, secondText.dumpLines, indent: indent)
    write(.both, indent: indent, "\"\"\"\(hashes)\(place.end)")
  }

  mutating func diffLines(_ firstLines: [String], _ secondLines: [String], indent: Int) {
    for row in align(firstLines, secondLines, isAlike: ==) {
      switch row {
      case .both(_, let j): write(.both, indent: indent, secondLines[j])
      case .onlyFirst(let i): write(.first, indent: indent, firstLines[i])
      case .onlySecond(let j): write(.second, indent: indent, secondLines[j])
      }
    }
  }
}
