extension TextBuffer {
  /// Makes edits in order, each at positions in the text that the one before it left.
  ///
  /// - Returns: The edits that take them back, in the order in which to make them.
  /// - Throws: ``PatchError`` for the first that does not fit; the text is then as it was.
  package mutating func apply(_ patches: [Editor.Patch]) throws(PatchError) -> [Editor.Patch] {
    var inverse: [Editor.Patch] = []
    inverse.reserveCapacity(patches.count)
    for (index, patch) in patches.enumerated() {
      let count: Int = self.count
      do throws(TextBufferError) {
        let removed: String = try replace(at: patch.at, delete: patch.delete, insert: patch.insert)
        let inserted: Int = self.count - count + patch.delete
        inverse.append(Editor.Patch(at: patch.at, delete: inserted, insert: removed))
      } catch {
        for patch in inverse.reversed() {
          _ = try? replace(at: patch.at, delete: patch.delete, insert: patch.insert)
        }
        throw PatchError(number: index + 1, of: patches.count, cause: error)
      }
    }
    inverse.reverse()
    return inverse
  }
}

/// An edit, one of several, that does not fit the text.
package struct PatchError: Error, Equatable, CustomStringConvertible {
  /// Which edit it is, counted from 1.
  package var number: Int
  package var of: Int
  package var cause: TextBufferError

  package var description: String {
    of == 1
      ? "The edit does not fit: \(cause)."
      : "Edit \(number) of \(of) does not fit, and none of them was made: \(cause)."
  }
}

extension Editor.State {
  /// Edits the text, or leaves a message why that can't be done.
  ///
  /// - Returns: Whether the text was edited.
  mutating func edit(_ patches: [Editor.Patch], isTyped: Bool = false) -> Bool {
    guard !patches.isEmpty else {
      message = nil
      return false
    }
    do throws(PatchError) {
      let inverse: [Editor.Patch] = try text.apply(patches)
      undoSteps.push(Editor.Step(patches: inverse, cursor: cursor, isOpen: isTyped))
      if redoSteps.cost > 0 { redoSteps = Editor.Steps() }
      if let last = patches.last, let undone = inverse.first {
        cursor = last.at + undone.delete
      }
      revision += 1
      goalColumn = nil
      message = nil
      return true
    } catch {
      message = .refusal(error.description)
      return false
    }
  }

  mutating func undo() -> Bool {
    guard let step = undoSteps.pop() else {
      message = .note("There is nothing to undo.")
      return false
    }
    return take(step, inverse: \.redoSteps)
  }

  mutating func redo() -> Bool {
    guard let step = redoSteps.pop() else {
      message = .note("There is nothing to redo.")
      return false
    }
    return take(step, inverse: \.undoSteps)
  }

  private mutating func take(
    _ step: Editor.Step, inverse: WritableKeyPath<Self, Editor.Steps>
  ) -> Bool {
    do throws(PatchError) {
      let patches: [Editor.Patch] = try text.apply(step.patches)
      self[keyPath: inverse].push(Editor.Step(patches: patches, cursor: cursor, isOpen: false))
      cursor = step.cursor
      revision += 1
      goalColumn = nil
      message = nil
      return true
    } catch {
      message = .refusal(error.description)
      return false
    }
  }
}

extension Editor.Step {
  /// What the step takes, in bytes: its text, and a fixed part that stands for the rest.
  var cost: Int {
    patches.reduce(16) { $0 + 32 + $1.insert.utf8.count }
  }
}

extension Editor.Steps {
  /// What the steps may take, in bytes: some five thousand keystrokes. Every checkpoint of the
  /// state holds them.
  static let maximumCost = 256 * 1024
  /// How many steps a page has.
  static let pageSize = 32

  var count: Int { pages.reduce(newest.count) { $0 + $1.count } }

  /// Adds a step, or lets the newest grow where both are typed text side by side.
  mutating func push(_ step: Editor.Step) {
    if step.isOpen, extendNewest(by: step) { return }
    if newest.count == Self.pageSize {
      pages.append(newest)
      newest = []
    }
    newest.append(step)
    cost += step.cost
    while cost > Self.maximumCost { forgetOldest() }
  }

  mutating func pop() -> Editor.Step? {
    if newest.isEmpty { newest = pages.popLast() ?? [] }
    guard let step = newest.popLast() else { return nil }
    cost -= step.cost
    return step
  }

  /// Lets nothing more join the newest step.
  mutating func close() {
    guard let last = newest.indices.last, newest[last].isOpen else { return }
    newest[last].isOpen = false
  }

  private mutating func forgetOldest() {
    let oldest: [Editor.Step] = pages.first ?? newest
    cost -= oldest.reduce(0) { $0 + $1.cost }
    if pages.isEmpty { newest = [] } else { pages.removeFirst() }
  }

  private mutating func extendNewest(by step: Editor.Step) -> Bool {
    guard let index = newest.indices.last, newest[index].isOpen,
      let last = newest[index].patches.first, newest[index].patches.count == 1,
      let new = step.patches.first, step.patches.count == 1, new.insert.isEmpty,
      last.at + last.delete == new.at
    else { return false }
    newest[index].patches[0].delete += new.delete
    return true
  }
}
