internal import ActionCoding
internal import ActionLog
internal import Sharing

// What a state had that differs from the recorded one by its digest.
extension Timeline {
  /// Says of a difference that a digest told what differs, with what the log has of the state there.
  ///
  /// The states before it agreed, so that with what the log says of a change the recorded state is
  /// known. The timeline stands somewhere before or after the action afterwards.
  func detailed(_ noted: Divergence) throws -> Divergence {
    guard noted.kind == .state, noted.path.isEmpty,
      let payload = try self.digest(of: noted.action), let detail = payload.detail
    else { return noted }
    let found: DigestDifference?
    switch detail {
    case .change(let change):
      guard let before = try self.digestible(after: change.base),
        let expected = change.applied(to: before), RecordDigest(of: expected) == payload.digest,
        let actual = try self.digestible(after: noted.action, since: change.base)
      else { return noted }
      found = try self.difference(from: expected, to: actual)
    case .parts(let parts):
      guard let actual = try self.digestible(after: noted.action, since: noted.lastAgreement)
      else { return noted }
      found = try self.difference(from: parts, to: actual)
    }
    guard let found else { return noted }
    var detailed = noted
    (detailed.path, detailed.expected, detailed.actual) = (found.path, found.expected, found.actual)
    return detailed
  }

  /// What the log has of the digest after an action.
  private func digest(of number: Int) throws -> DigestPayload? {
    var cursor = StreamCursor(self.inspector, self.stream, from: number)
    while let record = try cursor.next(), cursor.number <= number {
      guard record.kind == .digest, cursor.number == number else { continue }
      var reader = RecordReader(record.payload)
      return try? DigestPayload(from: &reader)
    }
    return nil
  }

  /// The bytes of which the digest after an action is made, before others change what is shared.
  ///
  /// - Parameter first: A state that agreed: from there on nothing is taken from the log but actions.
  private func digestible(after number: Int, since first: Int? = nil) throws -> [UInt8]? {
    guard number > self.firstPosition else {
      try self.move(to: number)
      return try self.shared.digested(self.state, self.types.stateCoder)
    }
    try self.move(to: max(self.firstPosition, min(first ?? number, number - 1)))
    self.digested[number] = []
    defer { self.digested[number] = nil }
    try self.fold(through: number)
    return self.digested[number].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The first value that differs between a recorded state and a replayed one, of both of which there
  /// are the bytes that a digest is made of.
  private func difference(
    from recorded: [UInt8], to now: [UInt8]
  ) throws -> DigestDifference? {
    let recorded = try self.value(ofDigestible: recorded)
    let now = try self.value(ofDigestible: now)
    let change =
      recorded.state.differences(from: now.state).first
      ?? recorded.shared.first { now.shared[$0.key] != $0.value }.map {
        ValueDifference(
          path: self.stream.definitions.shared.name(of: $0.key), first: $0.value,
          second: now.shared[$0.key])
      }
    return change.map {
      DigestDifference(
        path: $0.path, expected: $0.first.map { "\($0)" } ?? "absent",
        actual: $0.second.map { "\($0)" } ?? "absent")
    }
  }

  /// The first part of a replayed state that has another digest than was recorded.
  private func difference(
    from recorded: StateParts, to bytes: [UInt8]
  ) throws -> DigestDifference? {
    let schema = self.types.stateSchema
    let parts = try StateParts(of: bytes, schema)
    let now = try self.value(ofDigestible: bytes)
    func difference(_ path: String, _ digest: UInt32?, _ value: RecordValue?) -> DigestDifference {
      let hexadecimal = digest.map { " (digest \(String($0, radix: 16)))" } ?? ""
      return DigestDifference(
        path: path, expected: "another value\(hexadecimal)",
        actual: value?.text(limit: 200) ?? "absent")
    }
    if case .structure(_, let fields) = now.state {
      for ((field, recorded), now) in zip(zip(fields, recorded.fields), parts.fields)
      where recorded != now {
        return difference(field.name, recorded, field.value)
      }
    }
    for number in Set(recorded.shared.keys).union(parts.shared.keys).sorted()
    where recorded.shared[number] != parts.shared[number] {
      return difference(
        self.stream.definitions.shared.name(of: number), recorded.shared[number],
        now.shared[number])
    }
    return nil
  }

  /// A state and the shared values that it uses, of the bytes of which its digest is made.
  private func value(
    ofDigestible bytes: [UInt8]
  ) throws(RecordDecodingError) -> (state: RecordValue, shared: [Int: RecordValue]) {
    let schema = self.types.stateSchema
    let end = try schema.fieldRanges(in: bytes).end
    let parts = try sharedParts(of: bytes[end...])
    let definitions = self.stream.definitions.shared
    var values = SharedValues()
    var shared: [Int: RecordValue] = [:]
    for (number, part) in parts {
      let type = SharedNumber.isMade(number) ? nil : definitions.references[number / 2]?.type
      if let type { values.set(Array(part), type: type, of: number) }
      let schema =
        type.flatMap { definitions.types[$0] } ?? self.shared.entries[number]?.coding?.schema()
      shared[number] = schema.flatMap { try? RecordValue(Array(part), schema: $0) }
    }
    let resolution = SharedResolution(values, definitions)
    return (
      resolution.resolve(try RecordValue(Array(bytes[..<end]), schema: schema)),
      shared.mapValues { resolution.resolve($0) }
    )
  }
}

/// A value that differs in a state of which the log has a digest.
private struct DigestDifference {
  var path: String
  var expected: String
  var actual: String
}
