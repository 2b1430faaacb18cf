public import CasePaths

extension TestStore where Action: Equatable {
  /// Asserts that an effect sent an action, and how the state changed by it.
  ///
  /// - Parameters:
  ///   - expectedAction: The action.
  ///   - duration: How long to wait for it at most.
  ///   - updateStateToExpectedResult: Changes the state from before the action into the one that is
  ///     expected after it. Leave it out where nothing changes.
  public func receive(
    _ expectedAction: Action,
    timeout duration: Duration,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      expectedAction, timeout: duration.testNanoseconds, assert: updateStateToExpectedResult,
      fileID: fileID, file: filePath, line: line, column: column)
  }

  /// Asserts that an effect sent an action, and how the state changed by it.
  ///
  /// - Parameters:
  ///   - expectedAction: The action.
  ///   - nanoseconds: How long to wait for it at most; ``timeout`` by default.
  ///   - updateStateToExpectedResult: Changes the state from before the action into the one that is
  ///     expected after it. Leave it out where nothing changes.
  public func receive(
    _ expectedAction: Action,
    timeout nanoseconds: UInt64? = nil,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      ActionExpectation(
        matches: { $0 == expectedAction },
        missingText: {
          """
          Expected to receive the following action, but didn't: …

          \(dumped(expectedAction, indent: 4))
          """
        },
        differenceText: {
          ComposableArchitecture.differenceText(expectedAction, $0, actualName: "Received")
        }),
      timeout: TestTimeout(nanoseconds, usual: self.timeout),
      assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension TestStore {
  /// Asserts that an effect sent an action that a predicate holds for, and how the state changed.
  public func receive(
    _ isMatching: @escaping (_ action: Action) -> Bool,
    timeout duration: Duration,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      isMatching, timeout: duration.testNanoseconds, assert: updateStateToExpectedResult,
      fileID: fileID, file: filePath, line: line, column: column)
  }

  /// Asserts that an effect sent an action that a predicate holds for, and how the state changed.
  @_disfavoredOverload
  public func receive(
    _ isMatching: @escaping (_ action: Action) -> Bool,
    timeout nanoseconds: UInt64? = nil,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      ActionExpectation(
        matches: isMatching,
        missingText: { "Expected to receive an action matching predicate, but didn't get one." },
        differenceText: { dumped($0, indent: 2) }),
      timeout: TestTimeout(nanoseconds, usual: self.timeout),
      assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}

extension TestStore {
  /// Asserts that an effect sent an action of a case, and how the state changed by it.
  ///
  /// ```swift
  /// await store.receive(\.response.success) {
  ///   $0.isLoading = false
  /// }
  /// ```
  public func receive<Value>(
    _ actionCase: CaseKeyPath<Action, Value>,
    timeout duration: Duration,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      actionCase, timeout: duration.testNanoseconds, assert: updateStateToExpectedResult,
      fileID: fileID, file: filePath, line: line, column: column)
  }

  /// Asserts that an effect sent an action of a case, and how the state changed by it.
  public func receive<Value>(
    _ actionCase: CaseKeyPath<Action, Value>,
    timeout nanoseconds: UInt64? = nil,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let casePath = AnyCasePath(actionCase)
    await self.receive(
      ActionExpectation(
        matches: { casePath.extract(from: $0) != nil },
        missingText: { "Expected to receive an action matching case path, but didn't get one." },
        differenceText: { dumped($0, indent: 2) }),
      timeout: TestTimeout(nanoseconds, usual: self.timeout),
      assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Asserts that an effect sent an action of a case with a payload, and how the state changed.
  public func receive<Value: Equatable>(
    _ actionCase: CaseKeyPath<Action, Value>,
    _ value: Value,
    timeout duration: Duration,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    await self.receive(
      actionCase, value, timeout: duration.testNanoseconds, assert: updateStateToExpectedResult,
      fileID: fileID, file: filePath, line: line, column: column)
  }

  /// Asserts that an effect sent an action of a case with a payload, and how the state changed.
  public func receive<Value: Equatable>(
    _ actionCase: CaseKeyPath<Action, Value>,
    _ value: Value,
    timeout nanoseconds: UInt64? = nil,
    assert updateStateToExpectedResult: ((_ state: inout State) throws -> Void)? = nil,
    fileID: StaticString = #fileID,
    file filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    let casePath = AnyCasePath(actionCase)
    await self.receive(
      ActionExpectation(
        matches: { casePath.extract(from: $0) == value },
        missingText: {
          """
          Expected to receive an action matching case path with the following payload, but didn't: …

          \(dumped(value, indent: 4))
          """
        },
        differenceText: { received in
          guard let receivedValue = casePath.extract(from: received)
          else { return dumped(received, indent: 2) }
          return ComposableArchitecture.differenceText(
            value, receivedValue, actualName: "Received")
        }),
      timeout: TestTimeout(nanoseconds, usual: self.timeout),
      assert: updateStateToExpectedResult,
      at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
  }
}
