internal import ActionCoding
internal import Dependencies
internal import Foundation

/// What reducers read of a reference beside its value: whether it is being loaded, and what went
/// wrong. These are reads as those of dependencies are.
enum SharedStatusReads {
  static let isLoading = _ReadKey(
    "Shared.isLoading", coder: recordCoder(for: Bool.self), placeholder: { false })
  static let loadError = errorKey("Shared.loadError")
  static let saveError = errorKey("Shared.saveError")

  /// No text for no error, otherwise the three of a `RecordedError`.
  private static func errorKey(_ name: String) -> _ReadKey<[String]> {
    _ReadKey(name, coder: recordCoder(for: [String].self), placeholder: { [] })
  }

  static func error(_ key: _ReadKey<[String]>, _ live: () -> (any Error)?) -> (any Error)? {
    var error: (any Error)?
    let texts: [String] = key.read {
      error = live()
      return error.map {
        ["\(type(of: $0))", String(describing: $0), $0.localizedDescription]
      } ?? []
    }
    if let error { return error }
    guard texts.count == 3 else { return nil }
    return RecordedError(
      type: texts[0], description: texts[1], localizedDescription: texts[2])
  }
}
