/// Keeps the value of a stored property, or those that come with an enum's case, out of every record.
///
/// ```swift
/// @Reducer
/// struct Login {
///   @ObservableState
///   struct State {
///     var user = ""
///     @Redacted var password = ""
///   }
///   enum Action {
///     @Redacted case passwordChanged(String)
///     case loginTapped
///   }
/// }
/// ```
///
/// Nothing of it is written, and the schema says that it is redacted. When such a value is read, the
/// property has its default, where that is a literal; otherwise nil, zero, an empty text or
/// collection, or the first case. A type that has none of these is refused when it is read: make the
/// property optional, or give it a default.
///
/// A reducer that goes another way because of a placeholder makes a replay differ from what was
/// recorded, which the replay reports. The attribute is read by ``Recordable()``, which `@Reducer` puts
/// on its types; elsewhere, and beside an `encode(to:)` written by hand, it does nothing.
@attached(peer)
public macro Redacted() = #externalMacro(module: "Macros", type: "RedactedMacro")
