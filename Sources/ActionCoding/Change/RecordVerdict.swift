/// Whether values of another run can be read as the types of this program, told before any is.
public struct RecordVerdict: Hashable, Sendable {
  /// From harmless to grave.
  public enum Level: Int, Hashable, Sendable, Comparable {
    /// Every value can be read, whole.
    case fine
    /// Every value can be read, and some lose something.
    case lossy
    /// There are values that can't be read.
    case impossible

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// What a change does to the values at a place.
  public struct Finding: Hashable, Sendable {
    public enum Kind: Int, Hashable, Sendable {
      /// It depends on the value whether it can be read, which reading it shows.
      case checked
      /// Something that was recorded is left out.
      case lossy
      /// The value can't be read.
      case impossible
    }

    public var kind: Kind
    /// Where, as `items[].name`; empty for the value itself.
    public var path: String
    /// What has changed, in a sentence or two.
    public var reason: String

    public init(_ kind: Kind, path: String, reason: String) {
      self.kind = kind
      self.path = path
      self.reason = reason
    }
  }

  /// What was found, in the order in which the types list it; each pair of types where it is met
  /// first.
  public var findings: [Finding]

  public init(findings: [Finding] = []) { self.findings = findings }

  public var level: Level {
    self.findings.map { (finding: Finding) -> Level in
      switch finding.kind {
      case .checked: .fine
      case .lossy: .lossy
      case .impossible: .impossible
      }
    }.max() ?? .fine
  }
}

extension RecordVerdict.Finding: CustomStringConvertible {
  public var description: String {
    self.path.isEmpty ? self.reason : "\(self.path): \(self.reason)"
  }
}
