public import CustomDump
public import Foundation

/// A text that a state holds and a user interface shows.
///
/// ```swift
/// TextState("Delete “\(todo.title)”?")
/// ```
///
/// It can be compared and tested as the views that show it can't.
public struct TextState: Equatable, Hashable, Sendable {
  enum Storage: Equatable, Hashable, Sendable {
    case verbatim(String)
    /// Two texts or more, put together by `+`.
    case concatenated([String])
  }

  let storage: Storage

  init(parts: [String]) {
    self.storage = parts.count == 1 ? .verbatim(parts[0]) : .concatenated(parts)
  }

  /// The texts that it was put together from.
  var parts: [String] {
    switch self.storage {
    case .verbatim(let content): [content]
    case .concatenated(let parts): parts
    }
  }

  /// A text that is shown as it is.
  public init(verbatim content: String) {
    self.storage = .verbatim(content)
  }

  /// A text that is shown as it is.
  @_disfavoredOverload
  public init(_ content: some StringProtocol) {
    self.storage = .verbatim(String(content))
  }

  /// Puts two texts together.
  public static func + (lhs: Self, rhs: Self) -> Self {
    Self(parts: lhs.parts + rhs.parts)
  }
}

extension String {
  /// What a text says.
  ///
  /// - Parameters:
  ///   - state: The text.
  ///   - locale: The language to say it in. Texts are verbatim, so that it makes no difference.
  public init(state: TextState, locale: Locale? = nil) {
    self = state.parts.joined()
  }
}

extension TextState: CustomDumpRepresentable {
  public var customDumpValue: Any {
    String(state: self)
  }
}
