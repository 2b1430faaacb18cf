import ComposableArchitecture
import Testing

/// What an operation that is known to fail reports, in order.
@MainActor
func reports(_ operation: @MainActor () async -> Void) async -> [String] {
  let reports = LockIsolated<[String]>([])
  await withKnownIssue {
    await operation()
  } matching: { issue in
    reports.withValue { $0.append(issue.comments.map(\.rawValue).joined(separator: "\n")) }
    return true
  }
  return reports.value
}
