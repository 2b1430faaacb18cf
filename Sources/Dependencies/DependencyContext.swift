public import ActionCoding
import Foundation
import IssueReporting

/// What a program runs for, and so which of a dependency's values it gets by default.
@Recordable
public enum DependencyContext: Sendable, Hashable {
  /// The program itself: `liveValue`.
  case live
  /// A preview of its interface: `previewValue`.
  case preview
  /// Its tests: `testValue`.
  case test

  /// The context of this process.
  ///
  /// The environment's `SWIFT_DEPENDENCIES_CONTEXT` (`live`, `preview` or `test`) decides; without
  /// it, a test runner is in the test context and every other program in the live one.
  static let process: DependencyContext = {
    let environment = ProcessInfo.processInfo.environment
    if let setting = environment["SWIFT_DEPENDENCIES_CONTEXT"] {
      switch setting {
      case "live": return .live
      case "preview": return .preview
      case "test": return .test
      default:
        reportIssue(
          """
          The environment's SWIFT_DEPENDENCIES_CONTEXT is "\(setting)". It must be "live", \
          "preview" or "test"; it is ignored.
          """)
      }
    }
    if environment["XCODE_RUNNING_FOR_PREVIEWS"] == "1" { return .preview }
    return isTesting ? .test : .live
  }()

  /// The context as reducers read it.
  static let read = _ReadKey("context", coder: recordCoder(for: Self.self))
}
