internal import Glibc

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
    let text = String(cString: strerror(failure.number))
    self.init(
      code,
      "\(purpose): \(failure.operation) of \(failure.path) failed: \(text). \(advice)",
      path: failure.path, errno: failure.number)
  }
}
