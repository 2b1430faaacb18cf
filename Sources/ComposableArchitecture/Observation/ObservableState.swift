public import Perception

/// A state whose properties are observed one by one.
///
/// `@ObservableState` writes the conformance, for structs and for enums.
public protocol ObservableState: Perceptible {
  /// The identity of this state: shared by its copies until one of them is changed in place.
  var _$id: ObservableStateID { get }

  /// Gives this state an identity of its own, because it is about to be changed in place.
  mutating func _$willModify()
}
