internal import ActionCoding

/// How a `read` record goes on after the number of what was read.
///
/// The arguments (counted) follow where it takes some, then: for `value` the value; for `error` the
/// error's type and text, as strings; nothing for `same`, whose value has the bytes of the last
/// `value` of its number; for `absent` the reason, as a string. The byte's top bit says that something
/// of the arguments was redacted, so that they can't be compared.
enum ReadForm: UInt8 {
  case value = 0
  case error = 1
  case same = 2
  case absent = 3

  static let redactedArguments: UInt8 = 0x80
}
