internal import Sharing

/// The shared values of a timeline at one position.
struct SharedMoment {
  /// A value, and what tells it from others that the same reference has at other positions.
  struct Held {
    enum Content {
      case value(Any)
      /// As the log has it, since nobody has asked for it yet.
      case recorded(SharedContent)
    }

    var token: UInt64
    var content: Content
  }

  /// How many references without a key reducers have made by then.
  var madeCount = 0
  /// By the numbers of the references.
  var values: [Int: Held] = [:]
  /// The references of boxes whose references reducers have exchanged.
  var boxes: [ObjectIdentifier: AnyObject] = [:]
}
