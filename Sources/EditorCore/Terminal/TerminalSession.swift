package import ComposableArchitecture

/// An editor on a terminal: keys become actions, and states become what is shown.
@MainActor
package final class TerminalSession {
  private let store: StoreOf<Editor>
  private let terminal: TerminalDevice
  private var viewport = Viewport()
  private var painter = FramePainter()
  private var decoder = KeyDecoder()
  private var isAskedToQuit = false

  package init(store: StoreOf<Editor>, terminal: TerminalDevice) {
    self.store = store
    self.terminal = terminal
  }

  /// Runs until the user quits or the terminal goes, and waits for a save that is under way.
  package func run() async {
    let events = TerminalEvents()
    var lastSave: StoreTask?
    show(events)
    running: for await event in events.events {
      switch event {
      case .bytes(let bytes):
        for key in decoder.decode(bytes) {
          guard let action = action(for: key) else { break running }
          let task: StoreTask? = action.map { store.send($0) }
          if action == .save { lastSave = task }
        }
      case .resized:
        painter.invalidate()
      case .changed:
        break
      case .ended:
        break running
      }
      show(events)
    }
    await lastSave?.finish()
  }

  /// The action that a key stands for, `.some(nil)` for none, or nil where the editor is to end.
  private func action(for key: Key) -> Editor.Action?? {
    if key == .control("q") {
      if isAskedToQuit || !store.withState(\.isModified) { return nil }
      isAskedToQuit = true
      return .some(nil)
    }
    isAskedToQuit = false
    let page: Int = max(terminal.size.rows - 2, 1)
    switch key {
    case .text(let text): return .typed(text)
    case .enter: return .typed("\n")
    case .backspace: return .deletedBackward
    case .delete: return .deletedForward
    case .left: return .moved(.left)
    case .right: return .moved(.right)
    case .up: return .moved(.up(lines: 1))
    case .down: return .moved(.down(lines: 1))
    case .pageUp: return .moved(.up(lines: page))
    case .pageDown: return .moved(.down(lines: page))
    case .home, .control("a"): return .moved(.lineStart)
    case .end, .control("e"): return .moved(.lineEnd)
    case .textStart: return .moved(.textStart)
    case .textEnd: return .moved(.textEnd)
    case .control("z"): return .undo
    case .control("y"): return .redo
    case .control("s"): return .save
    case .control, .unknown: return .some(nil)
    }
  }

  /// Shows the state, and has an event sent when it changes.
  private func show(_ events: TerminalEvents) {
    let continuation: AsyncStream<TerminalEvent>.Continuation = events.continuation
    var frame: Frame = withObservationTracking {
      store.withState { viewport.frame(of: $0, size: terminal.size) }
    } onChange: {
      continuation.yield(.changed)
    }
    if isAskedToQuit, frame.rows.count > 1 {
      frame.rows[frame.rows.count - 1] = Viewport.fitted(
        "There are changes that were not saved: ^Q again leaves without them, ^S saves them.",
        columns: terminal.size.columns)
    }
    terminal.write(painter.paint(frame))
  }
}
