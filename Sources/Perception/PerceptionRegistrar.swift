public import Observation

/// What a perceptible object holds to tell its observers of changes.
///
/// It is no part of the object's value: any two are equal, and nothing of it is encoded.
public struct PerceptionRegistrar: Sendable {
  private let registrar = ObservationRegistrar()

  /// A registrar without observers.
  ///
  /// - Parameter isPerceptionCheckingEnabled: Whether a view that reads without being told of
  ///   changes is reported. There are no such views where Observation is everywhere.
  public init(isPerceptionCheckingEnabled: Bool = true) {}

  /// Notes that a property was read, so that who reads now hears of its next change.
  public func access<Subject: Observable, Member>(
    _ subject: Subject,
    keyPath: KeyPath<Subject, Member>,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.registrar.access(subject, keyPath: keyPath)
  }

  /// Tells the observers of a property that it is about to change.
  public func willSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    self.registrar.willSet(subject, keyPath: keyPath)
  }

  /// Tells the observers of a property that it has changed.
  public func didSet<Subject: Observable, Member>(
    _ subject: Subject, keyPath: KeyPath<Subject, Member>
  ) {
    self.registrar.didSet(subject, keyPath: keyPath)
  }

  /// Changes a property, and tells its observers before and after it.
  ///
  /// - Throws: What `mutation` throws.
  public func withMutation<Subject: Observable, Member, T>(
    of subject: Subject, keyPath: KeyPath<Subject, Member>, _ mutation: () throws -> T
  ) rethrows -> T {
    try self.registrar.withMutation(of: subject, keyPath: keyPath, mutation)
  }
}

extension PerceptionRegistrar: Hashable, Codable {
  public static func == (_: Self, _: Self) -> Bool { true }

  public func hash(into hasher: inout Hasher) {}

  public init(from decoder: any Decoder) throws {
    self.init()
  }

  public func encode(to encoder: any Encoder) throws {}
}
