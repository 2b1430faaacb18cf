public import Dependencies
internal import IssueReporting

/// Ends the presentation of the feature that calls it.
///
/// ```swift
/// @Dependency(\.dismiss) var dismiss
///
/// case .closeButtonTapped:
///   return .run { _ in await self.dismiss() }
/// ```
///
/// The parent's `ifLet` or `forEach` gets the `dismiss` or `popFrom` action that belongs to the
/// feature. Nothing happens once the feature is gone.
public struct DismissEffect: Sendable {
  enum Kind: Sendable {
    case absent
    case presented(NavigationPath)
    case closure(@MainActor @Sendable () async -> Void, isPresentation: Bool)
  }

  let kind: Kind

  init(kind: Kind) {
    self.kind = kind
  }

  /// An effect that runs `dismiss` in place of a dismissal, for tests.
  public init(_ dismiss: @escaping @MainActor @Sendable () async -> Void) {
    self.init(kind: .closure(dismiss, isPresentation: true))
  }

  /// Ends the presentation.
  @MainActor
  public func callAsFunction(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    switch self.kind {
    case .closure(let dismiss, _):
      await dismiss()
    case .presented(let path):
      if let dismiss = Dismissals.current.first(where: { $0.path == path }) {
        dismiss.send()
        return
      }
      reportIssue(
        """
        A reducer requested dismissal at "\(fileID):\(line)", but couldn't be dismissed. …

        It was asked for outside of the effects of the presented feature. Call "dismiss" inside of \
        an "Effect.run" that the feature's reducer returns, and not in a detached task.
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    case .absent:
      reportIssue(
        """
        A reducer requested dismissal at "\(fileID):\(line)", but couldn't be dismissed. …

        Only a feature that is presented can be dismissed: one that its parent embeds with "ifLet" \
        and a "PresentationAction", or with "forEach" and a "StackAction".
        """,
        fileID: fileID, filePath: filePath, line: line, column: column)
    }
  }
}

/// How to dismiss the presented features around the running effect, the innermost last.
///
/// It travels with the effect's task: the dismissal is sent by the effect that asks for it, so that
/// a log knows its cause.
struct Dismissals: Sendable {
  @TaskLocal static var current: [Self] = []

  var path: NavigationPath
  var send: @MainActor @Sendable () -> Void

  /// What holds inside of an effect of the feature that `dismissal` dismisses.
  ///
  /// A task that is started by an effect's action inherits what that effect had: only the features
  /// around this one are kept, so that chains of effects do not pile up.
  static func adding(_ dismissal: Self) -> [Self] {
    self.current.filter { other in
      other.path.depth < dismissal.path.depth && dismissal.path.isAtOrBelow(other.path)
    } + [dismissal]
  }
}

/// An effect that was put in the place of the usual one, and where that was done.
private struct OverriddenDismissal: Sendable {
  var effect: DismissEffect
  var path: NavigationPath
}

private enum DismissKey: DependencyKey {
  static let liveValue: OverriddenDismissal? = nil
  static let testValue: OverriddenDismissal? = nil
}

extension DependencyValues {
  /// Ends the presentation of the feature that reads it.
  public var dismiss: DismissEffect {
    get {
      let presented = self.navigationPath.innermostPresented
      // What was set around a feature does not hold for what that feature presents.
      if let own = self[DismissKey.self], presented.map(own.path.isAtOrBelow) ?? true {
        return own.effect
      }
      return DismissEffect(kind: presented.map { .presented($0) } ?? .absent)
    }
    set {
      self[DismissKey.self] = OverriddenDismissal(effect: newValue, path: self.navigationPath)
    }
  }

  /// Whether the feature that reads this is presented by another one.
  public var isPresented: Bool {
    switch self.dismiss.kind {
    case .absent: false
    case .presented: true
    case .closure(_, let isPresentation): isPresentation
    }
  }
}
