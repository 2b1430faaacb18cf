internal import Synchronization

// What `@DependencyEndpoint` writes into the getter of a synchronous endpoint:
//
//     get {
//       guard let read = _endpointRead(Self.self, "count(of:)") else { return _count }
//       return { [live = _count, standIn = Self._standIn_count] p0 in
//         read.value(p0) { live(p0) } standIn: { standIn(p0) }
//       }
//     }
//
// The macro sees no types: how arguments and results are written is chosen by the conformances that
// they have when the program runs, once an endpoint. Endpoints are kept in a table and not in static
// properties, which generic types can't have.

/// What a reducer's calls of an endpoint go through; `nil` where no reducer runs, or nobody records
/// it.
///
/// - Parameter signature: The endpoint's name, with the labels of its arguments if it takes some.
public func _endpointRead(_ client: Any.Type, _ signature: StaticString) -> _EndpointRead? {
  guard ReducerReads.current != nil else { return nil }
  return ClientReads.of(client).endpoint(signature)
}

/// Whether a replay runs the reducer that looks at an endpoint which can't be recorded: what stands
/// in for the endpoint is to be called then.
public func _endpointIsReplayed(_ client: Any.Type, _ signature: StaticString) -> Bool {
  guard let reads = ReducerReads.current, reads.isReplay else { return false }
  reads.touched(ClientReads.of(client).endpoint(signature).name)
  return true
}

/// An endpoint of a client, as reducers call it.
public final class _EndpointRead: Sendable {
  /// Client and endpoint, as `FactClient.count`.
  let name: String
  private let labels: [String]
  /// An `EndpointForm` of the endpoint's types, once these are known.
  private let knownForm = Mutex<AnyObject?>(nil)

  init(_ client: Any.Type, _ signature: StaticString) {
    let parts: [Substring] = signature.description.split(separator: "(", maxSplits: 1)
    self.name = "\(readName(of: client)).\(parts.first ?? "")"
    self.labels =
      parts.dropFirst().first.map { labels in
        labels.dropLast().split(separator: ":").map(String.init)
      } ?? []
  }

  /// The endpoint's answer.
  ///
  /// - Parameters:
  ///   - live: Calls the real one.
  ///   - standIn: Calls the unimplemented one, where a replay has no answer.
  public func value<Value, each Argument>(
    _ arguments: repeat each Argument, live: () -> Value, standIn: () -> Value
  ) -> Value {
    guard let reads = ReducerReads.current else { return live() }
    let form: EndpointForm<Value> = self.form(of: repeat (each Argument).self)
    guard let key = form.key else {
      return reads.unrecorded(self.name, live: live, standIn: standIn)
    }
    return key.value(
      reads, arguments: form.written(repeat each arguments), live: live, standIn: standIn)
  }

  /// The answer of an endpoint that can throw.
  ///
  /// - Throws: What `live` throws, in a replay a `RecordedError` that tells of it; what `standIn`
  ///   throws.
  public func throwingValue<Value, each Argument>(
    _ arguments: repeat each Argument, live: () throws -> Value,
    standIn: () throws -> Value
  ) throws -> Value {
    guard let reads = ReducerReads.current else { return try live() }
    let form: EndpointForm<Value> = self.form(of: repeat (each Argument).self)
    guard let key = form.key else {
      return try reads.unrecorded(self.name, live: live, standIn: standIn)
    }
    return try key.value(
      reads, arguments: form.written(repeat each arguments), throwing: live, standIn: standIn)
  }

  /// The answer of an endpoint that gives something which can't be copied, nor recorded.
  @_disfavoredOverload
  public func value<Value: ~Copyable, each Argument>(
    _ arguments: repeat each Argument, live: () -> Value, standIn: () -> Value
  ) -> Value {
    guard let reads = ReducerReads.current else { return live() }
    return reads.unrecorded(self.name, live: live, standIn: standIn)
  }

  /// The answer of an endpoint that can throw and gives something which can't be copied.
  @_disfavoredOverload
  public func throwingValue<Value: ~Copyable, each Argument>(
    _ arguments: repeat each Argument, live: () throws -> Value,
    standIn: () throws -> Value
  ) throws -> Value {
    guard let reads = ReducerReads.current else { return try live() }
    return try reads.unrecorded(self.name, live: live, standIn: standIn)
  }

  private func form<Value, each Argument>(
    of arguments: repeat (each Argument).Type
  ) -> EndpointForm<Value> {
    let known: AnyObject = self.knownForm.withLock { form in
      if let form { return form }
      var coders: [ArgumentCoder] = []
      for argument in repeat each arguments { coders.append(TypedArgumentCoder(argument)) }
      let new = EndpointForm<Value>(self.name, labels: self.labels, arguments: coders)
      form = new
      return new
    }
    // An endpoint is a property of one type, so its types are always the same.
    return unsafeDowncast(known, to: EndpointForm<Value>.self)
  }
}

/// The endpoints of one client that reducers have called.
private final class ClientReads: Sendable {
  private static let all = TypeTable()

  private let client: Any.Type
  private let endpoints = Mutex<[(signature: StaticString, read: _EndpointRead)]>([])

  private init(_ client: Any.Type) {
    self.client = client
  }

  static func of(_ client: Any.Type) -> ClientReads {
    let id = ObjectIdentifier(client)
    while true {
      if let known = self.all[id] {
        return unsafeDowncast(known.takeUnretainedValue(), to: ClientReads.self)
      }
      _ = self.all.insert(ClientReads(client), for: id)
    }
  }

  func endpoint(_ signature: StaticString) -> _EndpointRead {
    self.endpoints.withLock { endpoints in
      for endpoint in endpoints
      where endpoint.signature.utf8Start == signature.utf8Start { return endpoint.read }
      // Inlined code may have the same literal at another address.
      let text: String = signature.description
      if let known = endpoints.first(where: { $0.signature.description == text }) {
        return known.read
      }
      let read = _EndpointRead(self.client, signature)
      endpoints.append((signature, read))
      return read
    }
  }
}
