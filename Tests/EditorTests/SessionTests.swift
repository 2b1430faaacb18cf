import Foundation
import Testing

@testable import EditorCore

/// Sessions against a fold that shares no code with the text buffer.
@Suite struct SessionTests {
  @Test(arguments: EditingSession.own)
  func ownSessionsGiveTheirEnd(file: URL) throws {
    try check(file)
  }

  @Test(.enabled(if: EditingSession.folder != nil, EditingSession.isMissing))
  func realSessionsGiveTheirEnd() throws {
    for file in try EditingSession.real() { try check(file) }
  }

  private func check(_ file: URL) throws {
    let session = try EditingSession(file: file)
    var state = Editor.State()
    for (index, patches) in session.transactions.enumerated() {
      guard state.edit(patches) else {
        Issue.record("\(file.lastPathComponent): transaction \(index) was refused")
        return
      }
    }
    let name: Comment = "\(file.lastPathComponent)"
    // Not compared by the macro, which would print whole texts.
    EditorTests.check(isSame(String(state.text), session.end), name)
    #expect(state.text.root.faults() == [])
    #expect(state.text.wordCount == TextBuffer(session.end).wordCount)
    #expect(state.text.lineCount == TextBuffer(session.end).lineCount)
    #expect(state.undoSteps.cost <= Editor.Steps.maximumCost)
    for _ in 0..<100 { EditorTests.check(state.undo(), name) }
    for _ in 0..<100 { EditorTests.check(state.redo(), name) }
    EditorTests.check(isSame(String(state.text), session.end), name)
  }
}
