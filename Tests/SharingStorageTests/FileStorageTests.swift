import Dependencies
import Foundation
import Sharing
import TestSupport
import Testing

@Suite struct FileStorageTests {
  @Test func isEqualToItselfOnly() {
    #expect(FileStorage.fileSystem == .fileSystem)
    let memory = FileStorage.inMemory
    #expect(memory == memory)
    #expect(memory != .inMemory)
    #expect(Set([memory, memory, .fileSystem]).count == 2)
  }
}
