internal import Glibc

/// What the system calls an error.
func systemText(_ number: Int32) -> String { String(cString: strerror(number)) }

extension FileError {
  /// Whether there was no space, and may be again.
  var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

  /// What could not be done, such as `"x.retrace" can't be opened`.
  fileprivate var sentence: String {
    let done: [String: String] = [
      "open": "opened", "read": "read", "write": "written", "allocate": "given its space",
      "map": "mapped into memory", "sync": "made safe on the disk", "look at": "looked at",
      "lock": "locked", "create": "made", "list": "listed", "rename": "renamed",
      "remove": "removed", "start a thread": "given a thread",
    ]
    if let done = done[operation] { return "\"\(path)\" can't be \(done)" }
    return "the call \(operation) for \"\(path)\" failed"
  }
}

extension LogError {
  /// Says what the failed call was for, and what to do about it.
  init(_ failure: FileError, doing purpose: String) {
    let code: Code
    let advice: String
    switch failure.number {
    case ENOSPC, EDQUOT:
      code = .diskFull
      advice = "Free some space, or record to another disk."
    case EACCES, EPERM, EROFS:
      code = .permission
      advice = "Check the owner and the mode of the path."
    case ENOENT, ENOTDIR:
      code = .notFound
      advice = "Check the path."
    case EMFILE, ENFILE:
      code = .system
      advice = "Close some files, or raise the limit with ulimit -n."
    case EIO:
      code = .system
      advice = "The disk failed: check it before you rely on it again."
    default:
      code = .system
      advice = "Check the disk and the path."
    }
    self.init(
      code,
      "\(purpose): \(failure.sentence): \(systemText(failure.number)). \(advice)",
      path: failure.path, errno: failure.number)
  }
}
