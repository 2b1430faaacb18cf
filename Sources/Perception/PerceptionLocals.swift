/// Where code stands with regard to the checking of perception, for sources that set it.
///
/// Nothing is checked where Observation is everywhere: neither value has an effect.
public enum _PerceptionLocals {
  /// Whether what is read here is observed by a view.
  @TaskLocal public static var isInPerceptionTracking = false

  /// Whether what is read here is meant not to be observed.
  @TaskLocal public static var skipPerceptionChecking = false
}
