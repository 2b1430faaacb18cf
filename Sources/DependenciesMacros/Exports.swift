// The macros are declared beside what their code calls.
@_exported public import Dependencies
