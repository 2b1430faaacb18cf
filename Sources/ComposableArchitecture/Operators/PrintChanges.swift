public import Dispatch
internal import CustomDump

extension Reducer {
  /// Prints each action that this reducer gets, and what it changes in the state.
  ///
  /// Nothing is printed while a recording is replayed.
  ///
  /// - Parameter printer: What is printed, and how; nothing when `nil`.
  @warn_unqualified_access
  public func _printChanges(
    _ printer: _ReducerPrinter<State, Action>? = .customDump
  ) -> _PrintChangesReducer<Self> {
    _PrintChangesReducer(base: self, printer: printer)
  }
}

/// How the changes that a reducer makes are printed.
public struct _ReducerPrinter<State, Action> {
  private let print: (_ receivedAction: Action, _ oldState: State, _ newState: State) -> Void
  let queue: DispatchQueue

  /// A printer.
  ///
  /// - Parameters:
  ///   - printChange: Prints an action and the state before and after it.
  ///   - queue: Where that is done, so that a reducer does not wait for it; by default one of the
  ///     printer's own.
  public init(
    printChange:
      @escaping (_ receivedAction: Action, _ oldState: State, _ newState: State) -> Void,
    queue: DispatchQueue? = nil
  ) {
    self.print = printChange
    self.queue = queue ?? DispatchQueue(label: "ComposableArchitecture.PrintChanges")
  }

  /// Prints an action and the state before and after it.
  public func printChange(receivedAction: Action, oldState: State, newState: State) {
    self.print(receivedAction, oldState, newState)
  }
}

extension _ReducerPrinter {
  /// Prints the whole action and the difference between the states.
  public static var customDump: Self {
    Self { receivedAction, oldState, newState in
      var text = "received action:\n"
      CustomDump.customDump(receivedAction, to: &text, indent: 2)
      text += "\n"
      text += diff(oldState, newState).map { "\($0)\n" } ?? "  (No state changes)\n"
      Swift.print(text)
    }
  }

  /// Prints the action's case.
  public static var actionLabels: Self {
    Self { receivedAction, _, _ in
      Swift.print("received action: \(describeCase(receivedAction))")
    }
  }
}

/// Whether printing is turned off, as it is while a recording is replayed.
package enum PrintingOfChanges {
  @TaskLocal package static var isOff = false
}

/// A reducer whose changes are printed.
public struct _PrintChangesReducer<Base: Reducer>: Reducer {
  let base: Base
  let printer: _ReducerPrinter<Base.State, Base.Action>?

  public func _reduce(into state: inout Base.State, action: Base.Action) -> Effect<Base.Action> {
    guard let printer = self.printer, !PrintingOfChanges.isOff else {
      return self.base._reduce(into: &state, action: action)
    }
    let oldState = state
    let effect = self.base._reduce(into: &state, action: action)
    // Values that nobody changes any more, on their way to the printer's queue.
    nonisolated(unsafe) let change = (printer, action, oldState, state)
    printer.queue.async {
      let (printer, action, oldState, newState) = change
      printer.printChange(receivedAction: action, oldState: oldState, newState: newState)
    }
    return effect
  }
}
