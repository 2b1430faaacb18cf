import Clocks
import ConcurrencyExtras
import CustomDump
import Dependencies
import Foundation
import IdentifiedCollections
import Sharing
import TestSupport
import Testing

/// Files on disk.
@Suite struct FileStorageKeyTests {
  let folder: TemporaryFolder
  let file: URL

  init() throws {
    folder = try TemporaryFolder()
    file = folder.url("users.json")
  }

  // MARK: Reading

  @Test func aMissingFileStandsForTheDefault() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var users = [User.blob]
      #expect(users == [.blob])
      #expect($users.loadError == nil)
      try await aWhile()
      #expect(!FileManager.default.fileExists(atPath: file.path))
    }
  }

  @Test func anEmptyFileStandsForTheDefault() async throws {
    try Data().write(to: file)
    await onDisk {
      @Shared(.fileStorage(file)) var users = [User.blob]
      #expect(users == [.blob])
      #expect($users.loadError == nil)
    }
    #expect(file.content == Data())
  }

  @Test func aFileIsReadAsTheReferenceIsMade() async throws {
    try JSONEncoder().encode([User.junior]).write(to: file)
    await onDisk {
      @Shared(.fileStorage(file)) var users = [User.blob]
      #expect(users == [.junior])
    }
  }

  @Test func aFolderIsAnErrorNotAValue() async throws {
    await onDisk {
      @Shared(.fileStorage(folder.url)) var users = [User.blob]
      #expect(users == [.blob])
      #expect(
        $users.loadError.map { "\($0)" } == "Can't read \(folder.url.path): Is a directory")
      $users.withLock { $0 = [] }
      #expect(
        $users.saveError.map { "\($0)" } == "Can't write \(folder.url.path): Is a directory")
    }
  }

  @Test func aURLThatIsNoFileIsAnError() async throws {
    await onDisk {
      @Shared(.fileStorage(URL(string: "https://example.com/x")!)) var users = [User.blob]
      #expect(
        $users.loadError.map { "\($0)" } == "Can't read https://example.com/x: Not a file URL")
    }
  }

  @Test func readsAndWritesAFormOfItsOwn() async throws {
    try Data("7".utf8).write(to: file)
    await onDisk {
      let key: FileStorageKey<Int> = .fileStorage(
        file, decode: { Int(String(decoding: $0, as: UTF8.self)) ?? -1 },
        encode: { Data("\($0)".utf8) })
      @Shared(key) var number = 0
      #expect(number == 7)
      $number.withLock { $0 += 1 }
    }
    #expect(file.content == Data("8".utf8))
  }

  @Test func usesTheGivenCoders() async throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    struct Record: Codable, Equatable { var firstName = "Blob" }
    await onDisk {
      @Shared(.fileStorage(file, decoder: decoder, encoder: encoder)) var record = Record()
      $record.withLock { $0.firstName = "Jr." }
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == #"{"first_name":"Jr."}"#)
  }

  // MARK: Writing

  @Test func theFirstChangeIsWrittenAtOnce() async throws {
    await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.blob) }
      #expect(file.users == [.blob])
      #expect($users.saveError == nil)
    }
  }

  @Test func foldersOnTheWayAreMade() async throws {
    let deep = folder.url("a/b c/d/users.json")
    await onDisk {
      @Shared(.fileStorage(deep)) var users: [User] = []
      #expect(!FileManager.default.fileExists(atPath: folder.path("a")))
      $users.withLock { $0.append(.blob) }
      #expect(deep.users == [.blob])
    }
  }

  @Test func modeAndLinksStay() async throws {
    let real = folder.url("real.json")
    try Data("[]".utf8).write(to: real)
    try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: real.path)
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: "real.json")
    await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.blob) }
      #expect(real.users == [.blob])
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "real.json")
    let mode = try FileManager.default.attributesOfItem(atPath: real.path)[.posixPermissions]
    #expect(mode as? Int == 0o640 || (mode as? NSNumber)?.intValue == 0o640)
    // No scratch file stays behind.
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
        == ["real.json", "users.json"])
  }

  @Test func aLinkToNothingGetsItsTarget() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: file.path, withDestinationPath: folder.path("elsewhere/real.json"))
    await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.blob) }
      #expect(folder.url("elsewhere/real.json").users == [.blob])
    }
  }

  @Test func aFailureToWriteIsTold() async throws {
    try Data().write(to: folder.url("blocked"))
    let path = folder.path("blocked/users.json")
    await onDisk {
      @Shared(.fileStorage(URL(fileURLWithPath: path))) var users: [User] = []
      #expect($users.loadError == nil)
      $users.withLock { $0.append(.blob) }
      #expect($users.saveError.map { "\($0)" } == "Can't write \(path): Not a directory")
      #expect(users == [.blob])
    }
  }

  @Test func aFailureToEncodeIsToldAndTheFileStays() async throws {
    try Data("1".utf8).write(to: file)
    struct Refusal: Error {}
    await onDisk {
      let key: FileStorageKey<Int> = .fileStorage(
        file, decode: { $0.count }, encode: { _ in throw Refusal() })
      @Shared(key) var count = 0
      #expect(count == 1)
      $count.withLock { $0 = 2 }
      #expect($count.saveError is Refusal)
    }
    #expect(file.content == Data("1".utf8))
  }

  @Test func changesAreWrittenWhenTheReferenceGoes() async throws {
    await onDisk {
      do {
        @Shared(.fileStorage(file)) var users: [User] = []
        $users.withLock { $0.append(.blob) }
        $users.withLock { $0.append(.junior) }
        #expect(file.users == [.blob])
      }
      #expect(file.users == [.blob, .junior])
    }
  }

  @Test func aNewReferenceSeesWhatIsNotYetWritten() async throws {
    await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.blob) }
      $users.withLock { $0.append(.junior) }
      // Another type, and so another reference.
      @Shared(.fileStorage(file)) var identified: IdentifiedArrayOf<User> = []
      #expect(identified == [.blob, .junior])
    }
  }

  @Test func savingOnRequestDoesNotWait() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.blob) }
      $users.withLock { $0.append(.junior) }
      try await $users.save()
      #expect(file.users == [.blob, .junior])
    }
  }

  @Test func manyThreadsLoseNothing() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var count = 0
      let shared = $count
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<1_000 { shared.withLock { $0 += 1 } }
      }
      #expect(count == 8_000)
      try await eventually { file.content == Data("8000".utf8) }
      try await aWhile()
      #expect(count == 8_000)
    }
  }

  // MARK: Files that can't be decoded

  @Test func anUndecodableFileIsKept() async throws {
    let garbage = Data("{ not json".utf8)
    try garbage.write(to: file)
    try await onDisk {
      @Shared(.fileStorage(file)) var users = [User.blob]
      #expect(users == [.blob])
      #expect($users.loadError is DecodingError)
      try await aWhile()
      #expect(file.content == garbage)

      $users.withLock { $0.append(.junior) }
      #expect(file.users == [.blob, .junior])
      #expect(folder.url("users.json.unreadable").content == garbage)

      $users.withLock { $0.append(.senior) }
      try await $users.save()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
      #expect(names == ["users.json", "users.json.unreadable"])
    }
  }

  @Test func moreUndecodableFilesAreKept() async throws {
    try Data("old".utf8).write(to: folder.url("users.json.unreadable"))
    try Data("new".utf8).write(to: file)
    await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0.append(.junior) }
    }
    #expect(folder.url("users.json.unreadable").content == Data("old".utf8))
    #expect(folder.url("users.json.unreadable-2").content == Data("new".utf8))
  }

  @Test func anUndecodableChangeIsToldAndTheValueStays() async throws {
    try await onDisk {
      @Shared(.fileStorage(file)) var users: [User] = []
      $users.withLock { $0 = [.blob] }
      try Data("oops".utf8).write(to: file)
      try await eventually { $users.loadError is DecodingError }
      #expect(users == [.blob])
      try Data("[]".utf8).write(to: file)
      try await eventually { users == [] }
      #expect($users.loadError == nil)
    }
  }

  // MARK: Keys

  @Test func describesItself() async throws {
    let key: FileStorageKey<[User]> = .fileStorage(URL(fileURLWithPath: "/tmp/users.json"))
    #expect(key.description == ".fileStorage(file:///tmp/users.json)")
    #expect(
      key.id == FileStorageKey<[User]>.fileStorage(.init(fileURLWithPath: "/tmp/users.json")).id)
  }

  @Test func idsDifferByPlaceAndStorage() {
    let one = URL(fileURLWithPath: "/tmp/1"), other = URL(fileURLWithPath: "/tmp/2")
    func id(_ url: URL, _ storage: FileStorage) -> FileStorageKeyID {
      withDependencies {
        $0.defaultFileStorage = storage
      } operation: {
        let key: FileStorageKey<Int> = .fileStorage(url)
        return key.id
      }
    }
    let memory = FileStorage.inMemory
    #expect(id(one, memory) == id(one, memory))
    #expect(id(one, memory) != id(other, memory))
    #expect(id(one, memory) != id(one, .inMemory))
    #expect(id(one, memory) != id(one, .fileSystem))
  }
}
