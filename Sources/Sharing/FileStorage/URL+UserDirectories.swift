public import Foundation

// Foundation has these on Apple's systems only. Here they follow the XDG user directories: the
// environment, then the user's `user-dirs.dirs`, then the names that are customary in the home
// folder.
extension URL {
  /// The user's documents, as a rule `~/Documents`.
  public static var documentsDirectory: URL { user(.documentDirectory, else: "Documents") }

  /// The user's desktop, as a rule `~/Desktop`.
  public static var desktopDirectory: URL { user(.desktopDirectory, else: "Desktop") }

  /// What the user has downloaded, as a rule `~/Downloads`.
  public static var downloadsDirectory: URL { user(.downloadsDirectory, else: "Downloads") }

  /// The user's films, as a rule `~/Videos`.
  public static var moviesDirectory: URL { user(.moviesDirectory, else: "Videos") }

  /// The user's music, as a rule `~/Music`.
  public static var musicDirectory: URL { user(.musicDirectory, else: "Music") }

  /// The user's pictures, as a rule `~/Pictures`.
  public static var picturesDirectory: URL { user(.picturesDirectory, else: "Pictures") }

  /// What the user shares with others, as a rule `~/Public`.
  public static var sharedPublicDirectory: URL { user(.sharedPublicDirectory, else: "Public") }

  /// What can be made again when it is lost: `XDG_CACHE_HOME`, or `~/.cache`.
  public static var cachesDirectory: URL { user(.cachesDirectory, else: ".cache") }

  /// The data of programs: `XDG_DATA_HOME`, or `~/.local/share`.
  public static var applicationSupportDirectory: URL {
    user(.applicationSupportDirectory, else: ".local/share")
  }

  /// The data of programs, as ``applicationSupportDirectory``: there is no other library here.
  public static var libraryDirectory: URL { applicationSupportDirectory }

  private static func user(
    _ directory: FileManager.SearchPathDirectory, else name: String
  ) -> URL {
    let path: String =
      FileManager.default.urls(for: directory, in: .userDomainMask).first?.path
      ?? NSHomeDirectory() + "/" + name
    return URL(fileURLWithPath: path, isDirectory: true)
  }
}
