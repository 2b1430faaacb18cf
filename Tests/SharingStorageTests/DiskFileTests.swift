import Foundation
@testable import Sharing
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct DiskFileTests {
  let folder: TemporaryFolder
  let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = folder.path("file")
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func aMissingFileIsNone() throws {
    #expect(try DiskFile.read(path) == nil)
    #expect(try DiskFile.read(path + "/below/it") == nil)
    try Data().write(to: folder.url("file"))
    #expect(try DiskFile.read(path + "/below/it") == nil)
  }

  @Test(arguments: [0, 1, 4_095, 4_096, 4_097, 1_000_000])
  func whatIsWrittenIsRead(size: Int) throws {
    let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    let version: FileVersion = try DiskFile.replace(path, with: data, keeping: nil)
    let read = try #require(try DiskFile.read(path))
    #expect(read.data == data)
    #expect(read.version == version)
    #expect(FileVersion(path: path) == version)
    #expect(try names == ["file"])
  }

  @Test func everyReplacementIsAnotherVersion() throws {
    var versions: Set<FileVersion> = []
    for _ in 0..<50 {
      versions.insert(try DiskFile.replace(path, with: Data("same".utf8), keeping: nil))
    }
    #expect(versions.count == 50)
  }

  @Test func pipesAndFoldersAreRefused() throws {
    #expect(mkfifo(path, 0o600) == 0)
    for attempt in ["read", "write"] {
      #expect(throws: FileStorageError(attempt, path, reason: "Not a regular file")) {
        if attempt == "read" {
          _ = try DiskFile.read(path)
        } else {
          _ = try DiskFile.replace(path, with: Data(), keeping: nil)
        }
      }
    }
    #expect(try names == ["file"])
  }

  @Test func aLoopOfLinksIsAnError() throws {
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "file")
    let error = #expect(throws: FileStorageError.self) { try DiskFile.read(path) }
    #expect(error?.description == "Can't read \(path): Too many levels of symbolic links")
    #expect(error?.localizedDescription == error?.description)
    #expect(throws: FileStorageError.self) {
      try DiskFile.replace(path, with: Data(), keeping: nil)
    }
  }

  @Test func aFullDiskLeavesTheOldFile() throws {
    // Every write there fails as on a full disk.
    let error = #expect(throws: FileStorageError.self) {
      try DiskFile.replace("/dev/full", with: Data([1]), keeping: nil)
    }
    #expect(error?.description == "Can't write /dev/full: Not a regular file")
  }

  @Test func onlyTheVersionThatMustStayIsKept() throws {
    let first: FileVersion = try DiskFile.replace(path, with: Data("1".utf8), keeping: nil)
    _ = try DiskFile.replace(path, with: Data("2".utf8), keeping: nil)
    _ = try DiskFile.replace(path, with: Data("3".utf8), keeping: first)
    #expect(try names == ["file"])
    let third = try #require(FileVersion(path: path))
    _ = try DiskFile.replace(path, with: Data("4".utf8), keeping: third)
    #expect(try names == ["file", "file.unreadable"])
    #expect(folder.url("file.unreadable").content == Data("3".utf8))
  }
}
