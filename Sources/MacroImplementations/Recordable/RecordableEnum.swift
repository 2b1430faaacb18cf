import SwiftSyntax

/// The conformance of an enum: the case's number, and what comes with it.
struct RecordableEnum {
  private struct Parameter {
    let label: String?
    let shape: RecordableShape
    /// The source of the default value, where it is a literal.
    let literal: String?
  }

  private struct Case {
    let name: String
    let number: Int
    let parameters: [Parameter]
    let isIndirect: Bool
    /// Whether nothing can make a value of it.
    let isUnavailable: Bool
    /// Whether the compiler is sure to know that it can have a value.
    let isInhabited: Bool
    let isRedacted: Bool
  }

  private let target: RecordableTarget
  private let cases: [ConditionalMember<Case>]
  private let isEmpty: Bool

  init(_ declaration: EnumDeclSyntax, target: RecordableTarget) {
    self.target = target
    let isIndirect = declaration.modifiers.contains { $0.name.text == "indirect" }
    // Numbers count the cases of every branch of an `#if`, so that none depends on the condition.
    var next = 0
    cases = declaration.memberBlock.members.conditionalMembers { member in
      guard let list = member.as(EnumCaseDeclSyntax.self) else { return [] }
      let isIndirect = isIndirect || list.modifiers.contains { $0.name.text == "indirect" }
      let isRedacted = list.attributes.attributeNames.contains("Redacted")
      return list.elements.map { element in
        let parameters = (element.parameterClause?.parameters ?? []).map { parameter in
          let label = parameter.firstName?.text
          let shape = RecordableShape(parameter.type)
          return Parameter(
            label: label == "_" ? nil : label?.asLabel, shape: isRedacted ? shape.whole : shape,
            literal: parameter.defaultValue?.value.recordedLiteral)
        }
        let types = element.parameterClause?.parameters.map(\.type) ?? []
        let isUnavailable =
          list.attributes.marksUnavailable
          || types.contains(where: \.isNever)
        defer { next += 1 }
        return Case(
          name: element.name.text, number: next, parameters: parameters, isIndirect: isIndirect,
          isUnavailable: isUnavailable,
          isInhabited: !isUnavailable && types.allSatisfy(\.isInhabited),
          isRedacted: isRedacted)
      }
    }
    isEmpty = next == 0
  }

  var members: [String] {
    [target.encode(encodeBody), target.decode(decodeBody), target.define(defineBody)]
  }

  private var encodeBody: [String] {
    guard !isEmpty else { return ["switch self {}"] }
    let isInhabited = cases.contains { member in
      if case .value(let item) = member { item.isInhabited } else { false }
    }
    // Where no case can have a value, no switch can be written so that it is exhaustive.
    guard isInhabited else {
      return cases.flatMap { member in
        member.lines { item in
          let (pattern, body) = encode(item)
          return ["if case \(pattern) = self {"] + body + ["}"]
        }
      }
    }
    let branches = cases.flatMap { member in
      member.lines { item in
        let (pattern, body) = encode(item)
        return ["case \(pattern):"] + body
      }
    }
    return ["switch self {"] + branches + ["}"]
  }

  private func encode(_ item: Case) -> (pattern: String, body: [String]) {
    let put = item.number < 128 ? "byte" : "varint"
    let number = "try writer.put(\(put): \(item.number))"
    guard !item.parameters.isEmpty, !item.isUnavailable, !item.isRedacted else {
      return (".\(item.name)", [number])
    }
    // Nothing is bound to a value that is an empty tuple.
    let bound = item.parameters.enumerated().map { index, parameter in
      let pattern = parameter.shape.isEmpty ? "_" : "let value\(index)"
      return parameter.label.map { "\($0): \(pattern)" } ?? pattern
    }
    var lines = [number]
    if item.isIndirect { lines.append("try writer.descend()") }
    for (index, parameter) in item.parameters.enumerated() {
      lines += parameter.shape.put("value\(index)", "field\(index)", target.label)
    }
    if item.isIndirect { lines.append("writer.ascend()") }
    return (".\(item.name)(\(bound.joined(separator: ", ")))", lines)
  }

  private var decodeBody: [String] {
    guard !isEmpty else {
      return ["throw reader.error(\"'\(target.name)' has no cases: a value of it can't exist.\")"]
    }
    return ["let number = try reader.getCase()", "switch number {"]
      + cases.flatMap { $0.lines(decode) }
      + ["default: throw reader.unknownCase(number, of: \"\(target.name)\")", "}"]
  }

  private func decode(_ item: Case) -> [String] {
    // Nothing can make a value of it.
    guard !item.isUnavailable else { return [] }
    guard !item.parameters.isEmpty else {
      return ["case \(item.number): self = .\(item.name)"]
    }
    var lines = ["case \(item.number):"]
    if item.isIndirect { lines.append("try reader.descend()") }
    if !item.isRedacted || item.parameters.contains(where: { $0.literal == nil }) {
      lines += types(of: item)
    }
    if let constructor = constructorOfUnknown(item) {
      lines += decodeUnknown(item, constructor: constructor)
      if item.isIndirect { lines.append("reader.ascend()") }
      return lines
    }
    let arguments = item.parameters.enumerated().map { index, parameter in
      if item.isRedacted, let literal = parameter.literal {
        return parameter.label.map { "\($0): \(literal)" } ?? literal
      }
      let type = type(index, in: item)
      var code = parameter.shape.get(
        "value\(index)", type: type.value, target.label, isRedacted: item.isRedacted)
      if item.parameters.count > 1 { code = code.named("value\(index)") }
      lines += type.statements + code.statements
      return parameter.label.map { "\($0): \(code.value)" } ?? code.value
    }
    lines.append("self = .\(item.name)(\(arguments.joined(separator: ", ")))")
    if item.isIndirect { lines.append("reader.ascend()") }
    return lines
  }

  /// Reads a case of which the compiler may find out that it can't have a value; see `recordCase`.
  private func decodeUnknown(_ item: Case, constructor: String) -> [String] {
    let fields = item.parameters.indices.map { "field\($0)" }
    let reading = item.parameters.indices.map { index in
      """
      let field\(index) = try reader.field(\(type(index, in: item).value)) {
      (reader, type) throws(ActionCoding.RecordDecodingError) in
      try reader.\(item.isRedacted ? "getRedacted(" : "get(\(target.label)")type)
      }
      """
    }
    return reading
      + ["self = ActionCoding.recordCase(Self.\(constructor), \(fields.joined(separator: ", ")))"]
  }

  private var defineBody: [String] {
    guard !isEmpty else { return ["return .enumeration(name: \"\(target.name)\", cases: [])"] }
    return ["var cases: [ActionCoding.RecordSchema.Case] = []"]
      + cases.flatMap { $0.lines(define) }
      + ["return .enumeration(name: \"\(target.name)\", cases: cases)"]
  }

  private func define(_ item: Case) -> [String] {
    let name = item.name.withoutBackticks
    guard !item.parameters.isEmpty, !item.isUnavailable else {
      return ["cases.append(.init(index: \(item.number), name: \"\(name)\"))"]
    }
    let fields = item.parameters.enumerated().flatMap { index, parameter in
      let label = parameter.label?.withoutBackticks ?? "_\(index)"
      let type = type(index, in: item)
      let code = parameter.shape.schema(
        "type\(index)", type: type.value, target.label, isRedacted: item.isRedacted)
      let standard = item.isRedacted ? "" : parameter.literal.map { ", default: \($0)" } ?? ""
      return type.statements + code.statements
        + ["fields.append(.init(\"\(label)\", \(code.value)\(standard)))"]
    }
    return ["do {"] + types(of: item)
      + ["var fields: [ActionCoding.RecordSchema.Field] = []"] + fields
      + ["cases.append(.init(index: \(item.number), name: \"\(name)\", fields: fields))", "}"]
  }

  // MARK: - Types

  /// The most values of a case whose types its constructor gives; more have a closure each.
  private static let constructorLimit = 8

  /// The types of a case's values, taken from its constructor: a macro can't spell them.
  private func types(of item: Case) -> [String] {
    guard item.parameters.count <= Self.constructorLimit,
      item.parameters.contains(where: { !$0.shape.isEmpty })
    else { return [] }
    return ["let types = ActionCoding.recordFieldTypes(Self.\(constructor(of: item)))"]
  }

  private func constructor(of item: Case) -> String {
    let labels = item.parameters.map { "\($0.label ?? "_"):" }.joined()
    let isLabelled = item.parameters.contains { $0.label != nil }
    return isLabelled ? "\(item.name)(\(labels))" : item.name
  }

  /// The constructor, where syntax does not tell that the case's values exist; nil otherwise, and
  /// for a case that is read in parts.
  private func constructorOfUnknown(_ item: Case) -> String? {
    guard !item.isInhabited, item.parameters.count <= Self.constructorLimit,
      item.parameters.allSatisfy({ if case .value = $0.shape { true } else { false } })
    else { return nil }
    return constructor(of: item)
  }

  /// The type of one of them.
  private func type(_ index: Int, in item: Case) -> RecordableCode {
    let type = item.parameters.count == 1 ? "types" : "types.\(index)"
    guard item.parameters.count > Self.constructorLimit else { return RecordableCode(value: type) }
    let pattern = item.parameters.enumerated().map { position, parameter in
      let value = position == index ? "value" : "_"
      return parameter.label.map { "\($0): \(value)" } ?? value
    }
    return item.parameters[index].shape.typed(
      "type\(index)",
      """
      ActionCoding.RecordFieldType { (root: Self) in
      if case let .\(item.name)(\(pattern.joined(separator: ", "))) = root { value }
      else { throw ActionCoding.RecordOverflow.space }
      }
      """)
  }
}
