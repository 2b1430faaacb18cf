internal import ActionLog
internal import CommandLineKit

/// Damage as a line.
enum DamageText {
  static func line(_ damage: LogDamage, _ palette: Palette) -> String {
    let effect: String =
      switch damage.effect {
      case .loss: palette.red("lost")
      case .tornEnd: palette.yellow("torn end")
      case .none: palette.yellow("nothing lost")
      }
    return "\(effect)  \(damage)"
  }

  static func write(_ damage: LogDamage, to line: inout JSONLine) {
    let effect: String =
      switch damage.effect {
      case .loss: "loss"
      case .tornEnd: "tornEnd"
      case .none: "none"
      }
    line.field("effect", effect)
    line.field("path", damage.path)
    if let offset = damage.offset { line.field("offset", offset) }
    if let sequences = damage.sequences {
      line.field("firstSequence", sequences.lowerBound)
      line.field("lastSequence", sequences.upperBound)
    }
    line.field("message", damage.message)
  }
}
