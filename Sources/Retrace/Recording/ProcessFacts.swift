internal import Foundation
internal import Glibc

/// Facts about the running program that could make a replay differ, by name.
package enum ProcessFacts {
  package static func current() -> [String: String] {
    var facts: [String: String] = [
      "architecture": self.architecture,
      "libc": self.libraryVersion,
      "locale": Locale.current.identifier,
      "pid": String(getpid()),
      "program": self.programName,
      "timeZone": TimeZone.current.identifier,
      "hashing": getenv("SWIFT_DETERMINISTIC_HASHING") == nil ? "random" : "deterministic",
    ]
    facts["build"] = self.buildID
    return facts
  }

  static var programName: String {
    guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return CommandLine.arguments.first ?? "" }
    return (path as NSString).lastPathComponent
  }

  /// The C library and its version, asked for by name since its header is not visible here.
  private static var libraryVersion: String {
    guard let function = dlsym(nil, "gnu_get_libc_version") else { return "unknown" }
    typealias Version = @convention(c) () -> UnsafePointer<CChar>
    return "glibc " + String(cString: unsafeBitCast(function, to: Version.self)())
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86_64"
    #elseif arch(arm64)
      "arm64"
    #else
      "other"
    #endif
  }

  /// What tells one build of the program from another: the identification that the linker wrote
  /// into it, and where there is none its size and the time of its last change.
  static let buildID: String? = {
    guard let file = FileHandle(forReadingAtPath: "/proc/self/exe") else { return nil }
    defer { try? file.close() }
    if let note = try? buildNote(in: file) { return note }
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return nil }
    return "\(status.st_size)-\(status.st_mtim.tv_sec)"
  }()
}

/// The linker's identification among the notes of a program file (ELF, 64 bits), as hexadecimal
/// digits.
private func buildNote(in file: FileHandle) throws -> String? {
  /// The size of a program header, and the most of them that are looked at.
  let (headerSize, headerLimit) = (56, 64)
  guard let start = try file.read(upToCount: 64), start.count == 64,
    start.starts(with: [0x7f, UInt8(ascii: "E"), UInt8(ascii: "L"), UInt8(ascii: "F"), 2])
  else { return nil }
  try file.seek(toOffset: start.integer(at: 32, UInt64.self))
  let count = min(Int(start.integer(at: 56, UInt16.self)), headerLimit)
  guard let headers = try file.read(upToCount: headerSize * count) else { return nil }
  for index in 0..<headers.count / headerSize {
    // PT_NOTE
    guard headers.integer(at: index * headerSize, UInt32.self) == 4 else { continue }
    let offset = headers.integer(at: index * headerSize + 8, UInt64.self)
    let size = min(headers.integer(at: index * headerSize + 32, UInt64.self), 1 << 16)
    try file.seek(toOffset: offset)
    guard let notes = try file.read(upToCount: Int(size)) else { continue }
    if let note = buildNote(in: notes) { return note }
  }
  return nil
}

private func buildNote(in notes: Data) -> String? {
  var offset = 0
  while offset + 12 <= notes.count {
    let nameSize = Int(notes.integer(at: offset, UInt32.self))
    let size = Int(notes.integer(at: offset + 4, UInt32.self))
    let content = offset + 12 + (nameSize + 3) & ~3
    guard content + size <= notes.count else { return nil }
    // NT_GNU_BUILD_ID of "GNU"
    if notes.integer(at: offset + 8, UInt32.self) == 3, nameSize == 4,
      notes[notes.startIndex + offset + 12] == UInt8(ascii: "G")
    {
      return notes.dropFirst(content).prefix(size).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
      }.joined()
    }
    offset = content + (size + 3) & ~3
  }
  return nil
}

extension Data {
  /// A little-endian integer. The caller has checked that it lies inside.
  fileprivate func integer<Value: FixedWidthInteger>(at offset: Int, _ type: Value.Type) -> Value {
    self.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: type)) }
  }
}
