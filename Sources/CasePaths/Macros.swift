/// Writes the case paths of an enum.
///
/// ```swift
/// @CasePathable
/// enum Action {
///   case factResponse(String)
///   case reset
/// }
///
/// action.is(\.reset)
/// action[case: \.factResponse]
/// ```
///
/// With `@dynamicMemberLookup` beside it, a case's value is also a property:
/// `action.factResponse` is a `String?`.
@attached(extension, conformances: CasePathable, CasePathIterable)
@attached(
  member,
  names: named(AllCasePaths), named(allCasePaths), named(_$Element), named(_$Iterator)
)
public macro CasePathable() = #externalMacro(module: "Macros", type: "CasePathableMacro")
