import Foundation
public import FoundationEssentials

/// An error as far as a record tells of it: the name of its type, and what it says.
///
/// An action that holds `any Error`, as the failure of a `Result`, comes back from a record with
/// one of these in place of the error, and is replayed with it. Its texts are those of the error, so
/// that a state which takes `localizedDescription` or `"\(error)"` from it is the same. Code that asks
/// for the error's type, as `catch let error as URLError`, goes another way than it did when it was
/// recorded: where that matters, give the failure a type of its own that is `Codable` or
/// ``Recordable``.
public struct RecordedError: Error, Hashable, Sendable {
  /// The name of the error's type, without its module.
  public var type: String
  /// The error as text, as by `String(describing:)`; cut after 1,000 characters.
  public var description: String
  /// What the error's `localizedDescription` was; cut after 1,000 characters.
  public var localizedDescription: String

  /// - Parameter localizedDescription: `description` where there is none.
  public init(type: String, description: String, localizedDescription: String? = nil) {
    self.type = type
    self.description = description
    self.localizedDescription = localizedDescription ?? description
  }
}

extension RecordedError: CustomStringConvertible {}

extension RecordedError: LocalizedError {
  public var errorDescription: String? { self.localizedDescription }
}

extension RecordedError {
  /// How long a text may be that stands for an error, in characters.
  private static let textLimit = 1_000

  init(_ error: any Error) {
    // One that was read from a record is written as it was.
    if let recorded = error as? RecordedError {
      self = recorded
      return
    }
    self.init(
      type: recordedName(of: Swift.type(of: error)),
      description: String(String(describing: error).prefix(Self.textLimit)),
      localizedDescription: String(error.localizedDescription.prefix(Self.textLimit)))
  }

  /// The error of a tree in a record; nil where the tree is something else.
  init?(tree: RecordValue) {
    switch tree {
    case .opaque(let name, let reason): self.init(type: name, description: reason)
    case .structure("", let fields):
      guard fields.map(\.name) == Self.keys,
        case .string(let description) = fields[0].value,
        case .string(let localized) = fields[1].value, case .string(let type) = fields[2].value
      else { return nil }
      self.init(type: type, description: description, localizedDescription: localized)
    default: return nil
    }
  }

  private static let keys = ["description", "localizedDescription", "type"]

  /// What is in a record of it.
  var tree: RecordValue {
    let texts = [self.description, self.localizedDescription, self.type]
    return .structure(
      name: "", fields: zip(Self.keys, texts).map { RecordValue.Field($0, .string($1)) })
  }
}
