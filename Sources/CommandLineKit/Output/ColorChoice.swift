/// Whether to print in colour.
package enum ColorChoice: String, CaseIterable, Hashable, Sendable {
  case auto, always, never

  /// Colour by choice, else on a terminal that is not `dumb` and where `NO_COLOR` is not set.
  package func isOn(isTerminal: Bool, environment: (String) -> String?) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      guard isTerminal, environment("TERM") != "dumb" else { return false }
      // By its convention NO_COLOR counts when it is there and not empty.
      return (environment("NO_COLOR") ?? "").isEmpty
    }
  }
}

/// Colours and weights of text, or none.
package struct Palette: Hashable, Sendable {
  package var isOn: Bool

  package init(isOn: Bool) {
    self.isOn = isOn
  }

  package func bold(_ text: String) -> String { styled(text, "1") }
  package func dim(_ text: String) -> String { styled(text, "2") }
  package func red(_ text: String) -> String { styled(text, "31") }
  package func green(_ text: String) -> String { styled(text, "32") }
  package func yellow(_ text: String) -> String { styled(text, "33") }
  package func blue(_ text: String) -> String { styled(text, "34") }
  package func cyan(_ text: String) -> String { styled(text, "36") }

  private func styled(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
