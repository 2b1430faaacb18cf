import CustomDump
import Foundation
import SwiftNavigation
import Testing

private enum Choice: Hashable {
  case confirm
  case rename(String)
}

private func makeAlert() -> AlertState<Choice> {
  AlertState {
    TextState("Delete?")
  } actions: {
    ButtonState(role: .destructive, action: .confirm) {
      TextState("Delete")
    }
    ButtonState(role: .cancel) {
      TextState("Keep")
    }
  } message: {
    TextState("There is no way back.")
  }
}

private func makeDialog() -> ConfirmationDialogState<Choice> {
  ConfirmationDialogState(titleVisibility: .visible) {
    TextState("Changes")
  } actions: {
    ButtonState(action: .send(.rename("b"))) { TextState("Rename") }
  }
}

@Suite struct AlertStateTests {
  @Test func holdsWhatItIsMadeOf() {
    let alert = makeAlert()
    #expect(alert.title == TextState("Delete?"))
    #expect(alert.message == TextState("There is no way back."))
    #expect(alert.buttons.map(\.role) == [.destructive, .cancel])
    #expect(alert.buttons.map(\.action) == [.send(.confirm), .send(nil)])
    #expect(alert.buttons.map { String(state: $0.label) } == ["Delete", "Keep"])
  }

  @Test func equalityAndHashIgnoreIDs() {
    let (first, second) = (makeAlert(), makeAlert())
    #expect(first.id != second.id)
    #expect(first.buttons[0].id != second.buttons[0].id)
    #expect(first == second)
    #expect(Set([first, second]).count == 1)
    #expect(makeDialog().id != makeDialog().id)
    #expect(Set([makeDialog(), makeDialog()]).count == 1)
  }

  @Test func equalitySeesEachPart() {
    let alert = makeAlert()
    var other = alert
    other.title = TextState("Remove?")
    #expect(other != alert)
    other = alert
    other.message = nil
    #expect(other != alert)
    other = alert
    other.buttons.removeLast()
    #expect(other != alert)
    var dialog = makeDialog()
    dialog.titleVisibility = .hidden
    #expect(dialog != makeDialog())
  }

  @Test func idsAreRandomUUIDs() {
    let ids = (0..<1_000).map { _ in ButtonState<Never> { TextState("") }.id }
    #expect(Set(ids).count == ids.count)
    for id in ids {
      #expect(id.uuidString.dropFirst(14).first == "4")
      #expect("89AB".contains(id.uuidString.dropFirst(19).first ?? "?"))
    }
  }

  @Test func mapKeepsIDs() {
    let alert = makeAlert()
    let mapped: AlertState<String> = alert.map { $0.map { "\($0)" } }
    #expect(mapped.id == alert.id)
    #expect(mapped.buttons.map(\.id) == alert.buttons.map(\.id))
    #expect(mapped.buttons.map(\.action.action) == ["confirm", nil])
    let dialog = makeDialog().map { (_: Choice?) -> Int? in 7 }
    #expect(dialog.buttons[0].action == .send(7))
    #expect(dialog.titleVisibility == .visible)
  }

  @Test func buttonHandsItsActionOver() async {
    let button = makeAlert().buttons[0]
    #expect(button.withAction { $0 } == .confirm)
    let later = await button.withAction { action in
      await Task.yield()
      return action
    }
    #expect(later == .confirm)
  }

  @Test func buttonsAreBuiltByConditions() {
    func build(_ isAdmin: Bool, _ names: [String]) -> [String] {
      let alert = AlertState<Choice> {
        TextState("")
      } actions: {
        if isAdmin {
          ButtonState(action: .confirm) { TextState("admin") }
        } else {
          ButtonState(action: .confirm) { TextState("guest") }
        }
        for name in names {
          ButtonState(action: .rename(name)) { TextState(name) }
        }
        if names.isEmpty {
          ButtonState(role: .cancel) { TextState("none") }
        }
        if #available(macOS 99, *) {
          ButtonState { TextState("later") }
        }
      }
      return alert.buttons.map { String(state: $0.label) }
    }
    #expect(build(true, ["a", "b"]) == ["admin", "a", "b", "later"])
    #expect(build(false, []) == ["guest", "none", "later"])
  }

  @Test func titleIsEnough() {
    let alert = AlertState<Never> { TextState("Done") }
    #expect(alert.buttons.isEmpty)
    #expect(alert.message == nil)
    let dialog = ConfirmationDialogState<Never> { TextState("Done") }
    #expect(dialog.titleVisibility == .automatic)
  }
}

@Suite struct AlertDumpTests {
  @Test func alert() {
    #expect(
      String(customDumping: makeAlert()) == """
        AlertState(
          title: "Delete?",
          actions: [
            [0]: ButtonState(
              role: .destructive,
              action: .send(
                .confirm
              ),
              label: "Delete"
            ),
            [1]: ButtonState(
              role: .cancel,
              action: .send(nil),
              label: "Keep"
            )
          ],
          message: "There is no way back."
        )
        """)
  }

  @Test func dialog() {
    #expect(
      String(customDumping: makeDialog()) == """
        ConfirmationDialogState(
          titleVisibility: .visible,
          title: "Changes",
          actions: [
            [0]: ButtonState(
              action: .send(
                .rename("b")
              ),
              label: "Rename"
            )
          ]
        )
        """)
  }

  @Test func titleAlone() {
    #expect(
      String(customDumping: AlertState<Never> { TextState("Done") }) == """
        AlertState(title: "Done")
        """)
    #expect(
      String(customDumping: ConfirmationDialogState<Never> { TextState("Done") }) == """
        ConfirmationDialogState(title: "Done")
        """)
  }

  @Test func text() {
    #expect(String(customDumping: TextState("a") + TextState("b")) == #""ab""#)
  }

  @Test func difference() {
    let old = makeAlert()
    var new = old
    new.message = TextState("Really?")
    #expect(
      diff(old, new) == """
          AlertState(
            title: "Delete?",
            actions: […],
        -   message: "There is no way back."
        +   message: "Really?"
          )
        """)
  }
}
