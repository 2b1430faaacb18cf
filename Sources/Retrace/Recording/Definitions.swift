internal import ActionCoding

/// What a stream has defined so far: things that its later records name by a number.
///
/// Used by the store's thread alone.
struct Definitions {
  private(set) var sites: [EffectSite: Int] = [:]
  private(set) var reads: [ReadDefinition: Int] = [:]

  /// The number of a place, and the record that defines it where it is new.
  mutating func number(of site: EffectSite) -> (number: Int, new: DefinitionPayload?) {
    if let known = self.sites[site] { return (known, nil) }
    let number = self.sites.count
    self.sites[site] = number
    return (number, .site(number, site))
  }

  /// The number of something that is read, and the record that defines it where it is new.
  mutating func number(of read: ReadDefinition) -> (number: Int, new: DefinitionPayload?) {
    if let known = self.reads[read] { return (known, nil) }
    let number = self.reads.count
    self.reads[read] = number
    return (number, .read(number, read))
  }

  /// All of them again, as a segment restates them.
  var payloads: [DefinitionPayload] {
    self.sites.sorted { $0.value < $1.value }.map { DefinitionPayload.site($0.value, $0.key) }
      + self.reads.sorted { $0.value < $1.value }.map { DefinitionPayload.read($0.value, $0.key) }
  }
}

/// What the definitions of a stream in a log say, by number.
struct DefinitionTable: Sendable {
  private(set) var sites: [Int: EffectSite] = [:]
  private(set) var reads: [Int: ReadDefinition] = [:]
  private(set) var shared = SharedDefinitions()

  mutating func add(_ payload: DefinitionPayload) {
    switch payload {
    case .site(let number, let site): self.sites[number] = site
    case .read(let number, let read): self.reads[number] = read
    case .shared(let number, let definition): self.shared.add(number, definition)
    case .sharedType(let number, let schema): self.shared.add(type: number, schema)
    case .other: break
    }
  }
}
