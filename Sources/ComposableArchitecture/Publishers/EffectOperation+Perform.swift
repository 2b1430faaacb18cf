extension EffectOperation {
  /// Does the work that this describes, outside of a store.
  ///
  /// It ends when all of it has ended. What it does is cancelled with the task that calls it.
  ///
  /// - Parameter send: Takes the actions.
  /// - Returns: The first error that nobody handled; it was reported already.
  @MainActor
  func perform(_ send: Send<Action>) async -> (any Error)? {
    switch self {
    case .none:
      return nil

    case .send(let action):
      send(action)
      return nil

    case .run(let run):
      run.willStart?()
      return await run.body(send)

    case .merge(let operations):
      // Tasks of the main actor rather than a group's, so that they start in their order.
      let tasks = operations.map { operation in
        Task { @MainActor in await operation.perform(send) }
      }
      return await withTaskCancellationHandler {
        var error: (any Error)?
        for task in tasks {
          let next = await task.value
          error = error ?? next
        }
        return error
      } onCancel: {
        for task in tasks { task.cancel() }
      }

    case .concatenate(let operations):
      var error: (any Error)?
      for operation in operations where !Task.isCancelled {
        let next = await operation.perform(send)
        error = error ?? next
      }
      return error

    case .cancellable(let id, let cancelInFlight, let operation):
      let registry = CancellationRegistry.shared
      if cancelInFlight { registry.cancel(id) }
      return await operation.perform(send, cancellableBy: id, in: registry)

    case .cancel(let id):
      CancellationRegistry.shared.cancel(id)
      return nil
    }
  }

  @MainActor
  private func perform(
    _ send: Send<Action>, cancellableBy id: CancelID, in registry: CancellationRegistry
  ) async -> (any Error)? {
    let task = Task { @MainActor in await self.perform(send) }
    let scope = EffectScope(parent: nil)
    let key = scope.add { task.cancel() }
    registry.insert(scope, for: id)
    defer {
      scope.remove(key)
      registry.remove(scope, for: id)
    }
    return await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
