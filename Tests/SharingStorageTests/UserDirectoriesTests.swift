import Foundation
import Sharing
import Testing

@Suite struct UserDirectoriesTests {
  @Test func directoriesAreAbsoluteFolders() {
    let all: [URL] = [
      .documentsDirectory, .desktopDirectory, .downloadsDirectory, .moviesDirectory,
      .musicDirectory, .picturesDirectory, .sharedPublicDirectory, .cachesDirectory,
      .applicationSupportDirectory, .libraryDirectory, .temporaryDirectory, .homeDirectory,
    ]
    for url in all {
      #expect(url.isFileURL)
      #expect(url.path.hasPrefix("/"))
      #expect(url.hasDirectoryPath)
    }
    #expect(Set(all.map(\.path)).count == all.count - 1)
  }

  @Test func filesInThem() {
    let file: URL = .documentsDirectory.appending(component: "stats.json")
    #expect(file.lastPathComponent == "stats.json")
    #expect(file.deletingLastPathComponent().path == URL.documentsDirectory.path)
  }
}
