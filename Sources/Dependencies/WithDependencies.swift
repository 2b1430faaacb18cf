import IssueReporting

/// Runs an operation with some dependencies changed.
///
///     withDependencies {
///       $0.uuid = .incrementing
///       $0.date.now = Date(timeIntervalSince1970: 0)
///     } operation: {
///       FeatureModel()
///     }
///
/// The changes reach tasks that the operation starts, and `@Dependency` properties of what it
/// makes.
@discardableResult
public func withDependencies<R>(
  _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
  operation: () throws -> R
) rethrows -> R {
  let values = try updated(._current, updateValuesForOperation)
  return try DependencyValues.$_current.withValue(values) {
    let result = try operation()
    DependencyObjects.shared.remember(result)
    return result
  }
}

/// Runs an asynchronous operation with some dependencies changed.
@discardableResult
public func withDependencies<R>(
  isolation: isolated (any Actor)? = #isolation,
  _ updateValuesForOperation: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R
) async rethrows -> R {
  var values: DependencyValues = ._current
  values.isSetting = true
  try await updateValuesForOperation(&values)
  values.isSetting = false
  return try await DependencyValues.$_current.withValue(
    values,
    operation: {
      let result = try await operation()
      DependencyObjects.shared.remember(result)
      return result
    }, isolation: isolation)
}

/// Runs an operation with the dependencies of a model, some of them changed.
///
/// For a child that a model makes: it gets the overrides that the model was made with.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  _ updateValuesForOperation: (inout DependencyValues) throws -> Void,
  operation: () throws -> R,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) rethrows -> R {
  guard let values = DependencyObjects.shared.values(of: model) else {
    reportMissing(Model.self, fileID: fileID, filePath: filePath, line: line, column: column)
    return try operation()
  }
  return try withDependencies {
    $0 = values.merging(DependencyValues._current)
    $0.isSetting = true
    try updateValuesForOperation(&$0)
  } operation: {
    try operation()
  }
}

/// Runs an operation with the dependencies of a model.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  operation: () throws -> R,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) rethrows -> R {
  try withDependencies(
    from: model, { _ in }, operation: operation, fileID: fileID, filePath: filePath, line: line,
    column: column)
}

/// Runs an asynchronous operation with the dependencies of a model, some of them changed.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  isolation: isolated (any Actor)? = #isolation,
  _ updateValuesForOperation: (inout DependencyValues) async throws -> Void,
  operation: () async throws -> R,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async rethrows -> R {
  guard let values = DependencyObjects.shared.values(of: model) else {
    reportMissing(Model.self, fileID: fileID, filePath: filePath, line: line, column: column)
    return try await operation()
  }
  return try await withDependencies {
    $0 = values.merging(DependencyValues._current)
    $0.isSetting = true
    try await updateValuesForOperation(&$0)
  } operation: {
    try await operation()
  }
}

/// Runs an asynchronous operation with the dependencies of a model.
@discardableResult
public func withDependencies<Model: AnyObject, R>(
  from model: Model,
  isolation: isolated (any Actor)? = #isolation,
  operation: () async throws -> R,
  fileID: StaticString = #fileID,
  filePath: StaticString = #filePath,
  line: UInt = #line,
  column: UInt = #column
) async rethrows -> R {
  try await withDependencies(
    from: model, isolation: isolation, { _ in }, operation: operation, fileID: fileID,
    filePath: filePath, line: line, column: column)
}

/// Sets dependencies for the rest of the process, as it starts.
///
/// A dependency that was prepared or read before is an issue, and keeps its value.
@discardableResult
public func prepareDependencies<R>(
  _ updateValues: (inout DependencyValues) throws -> R
) rethrows -> R {
  var values: DependencyValues = ._current
  values.isPreparing = true
  return try updateValues(&values)
}

private func updated(
  _ values: DependencyValues, _ update: (inout DependencyValues) throws -> Void
) rethrows -> DependencyValues {
  var values = values
  values.isSetting = true
  try update(&values)
  values.isSetting = false
  return values
}

private func reportMissing(
  _ model: Any.Type, fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
) {
  reportIssue(
    """
    You are trying to propagate dependencies to a child model from a model with no dependencies. \
    To fix this, the given '\(typeName(model))' must be returned from another 'withDependencies' \
    closure, or the class must hold at least one '@Dependency' property.
    """, fileID: fileID, filePath: filePath, line: line, column: column)
}
