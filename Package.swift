// swift-tools-version: 6.2
import CompilerPluginSupport
import Foundation
import PackageDescription

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

// The macros are built on the SwiftSyntax modules that every toolchain carries for its own
// macros, so that the package needs no other package. They lie beside the library that this
// manifest is linked with.
let host: String = {
  struct SymbolInfo {
    var file: UnsafePointer<CChar>?
    var base: UnsafeMutableRawPointer?
    var symbol: UnsafePointer<CChar>?
    var address: UnsafeMutableRawPointer?
  }
  typealias Lookup = @convention(c) (UnsafeRawPointer, UnsafeMutableRawPointer) -> Int32
  var candidates: [String] = []
  if let function = dlsym(nil, "dladdr") {
    let lookup = unsafeBitCast(function, to: Lookup.self)
    var info = SymbolInfo()
    let address = unsafeBitCast(Package.self as AnyClass, to: UnsafeRawPointer.self)
    if withUnsafeMutablePointer(to: &info, { lookup(address, $0) }) != 0, let file = info.file {
      // usr/lib/swift/pm/ManifestAPI/libPackageDescription.so -> usr/lib/swift/host
      let library = URL(fileURLWithPath: String(cString: file)).resolvingSymlinksInPath()
      let swift = library.deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
      candidates.append(swift.appendingPathComponent("host").path)
    }
  }
  for folder in (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":") {
    let swift = URL(fileURLWithPath: String(folder)).appendingPathComponent("swift")
    guard FileManager.default.isExecutableFile(atPath: swift.path) else { continue }
    let usr = swift.resolvingSymlinksInPath().deletingLastPathComponent()
      .deletingLastPathComponent()
    candidates.append(usr.appendingPathComponent("lib/swift/host").path)
  }
  for folder in candidates
  where FileManager.default.fileExists(atPath: folder + "/SwiftSyntaxMacros.swiftmodule") {
    return folder
  }
  let message = """
    retrace: the toolchain's SwiftSyntax modules were not found. They are needed to build the \
    macros and come with every complete Swift toolchain, in lib/swift/host. Looked in: \
    \(candidates.isEmpty ? "no folder" : candidates.joined(separator: ", ")). Install the \
    toolchain as published, with its lib/swift/host folder, and build again.

    """
  FileHandle.standardError.write(Data(message.utf8))
  exit(1)
}()

let hostSwift: [SwiftSetting] = [.unsafeFlags(["-I", host])]
let hostLinker: [LinkerSetting] = [
  .unsafeFlags(["-L", host, "-Xlinker", "-rpath", "-Xlinker", host])
]

let package = Package(
  name: "retrace",
  products: [
    .library(name: "ComposableArchitecture", targets: ["ComposableArchitecture"]),
    .library(name: "Retrace", targets: ["Retrace"]),
    .library(name: "ActionLog", targets: ["ActionLog"]),
    .library(name: "RetraceCommands", targets: ["RetraceCommands"]),
    .library(name: "CasePaths", targets: ["CasePaths"]),
    .library(name: "Clocks", targets: ["Clocks"]),
    .library(name: "ConcurrencyExtras", targets: ["ConcurrencyExtras"]),
    .library(name: "Dependencies", targets: ["Dependencies"]),
    .library(name: "DependenciesMacros", targets: ["DependenciesMacros"]),
    .library(name: "DependenciesTestSupport", targets: ["DependenciesTestSupport"]),
    .library(name: "CustomDump", targets: ["CustomDump"]),
    .library(name: "IdentifiedCollections", targets: ["IdentifiedCollections"]),
    .library(name: "IssueReporting", targets: ["IssueReporting"]),
    .library(name: "Perception", targets: ["Perception"]),
    .library(name: "Sharing", targets: ["Sharing"]),
    .library(name: "SwiftNavigation", targets: ["SwiftNavigation"]),
    .executable(name: "retrace", targets: ["retrace"]),
  ],
  targets: [
    // The log on disk.
    .systemLibrary(name: "CLZ4", pkgConfig: "liblz4", providers: [.apt(["liblz4-dev"])]),
    .target(name: "CActionLog"),
    .target(name: "ActionLog", dependencies: ["CLZ4", "CActionLog"]),

    // Values and bytes.
    .target(name: "ActionCoding", dependencies: ["Macros"]),

    // The macros: their code, the plug-in around it.
    .target(name: "MacroImplementations", swiftSettings: hostSwift, linkerSettings: hostLinker),
    .macro(
      name: "Macros", dependencies: ["MacroImplementations"], swiftSettings: hostSwift,
      linkerSettings: hostLinker),

    // The architecture.
    .target(name: "IssueReporting"),
    .target(name: "ConcurrencyExtras"),
    .target(name: "IdentifiedCollections"),
    .target(name: "CustomDump", dependencies: ["IssueReporting"]),
    .target(name: "CasePaths", dependencies: ["IssueReporting", "Macros"]),
    .target(name: "Clocks", dependencies: ["ConcurrencyExtras", "IssueReporting"]),
    .target(name: "Perception", dependencies: ["IssueReporting", "Macros"]),
    .target(
      name: "Dependencies",
      dependencies: ["ActionCoding", "Clocks", "ConcurrencyExtras", "IssueReporting", "Macros"]),
    .target(
      name: "Sharing",
      dependencies: [
        "ActionCoding", "CasePaths", "Clocks", "ConcurrencyExtras", "CustomDump", "Dependencies",
        "IdentifiedCollections", "IssueReporting", "Perception",
      ]),
    .target(
      name: "SwiftNavigation",
      dependencies: [
        "ActionCoding", "CasePaths", "ConcurrencyExtras", "CustomDump", "Dependencies",
        "IssueReporting", "Perception",
      ]),
    .target(
      name: "ComposableArchitecture",
      dependencies: [
        "ActionCoding", "CasePaths", "Clocks", "ConcurrencyExtras", "CustomDump", "Dependencies",
        "DependenciesMacros", "IdentifiedCollections", "IssueReporting", "Macros", "Perception",
        "Sharing", "SwiftNavigation",
      ]),

    .target(name: "DependenciesMacros", dependencies: ["Dependencies"]),
    .target(name: "DependenciesTestSupport", dependencies: ["Dependencies"]),

    // The recorder, the replayer and the tool.
    .target(
      name: "Retrace",
      dependencies: [
        "ActionCoding", "ActionLog", "ComposableArchitecture", "ConcurrencyExtras",
        "Dependencies", "IssueReporting", "Sharing",
      ]),
    .target(name: "CommandLineKit"),
    .target(
      name: "RetraceCommands",
      dependencies: [
        "ActionCoding", "ActionLog", "CommandLineKit", "ComposableArchitecture", "Retrace",
      ]),
    .executableTarget(name: "retrace", dependencies: ["RetraceCommands"], path: "Tools/retrace"),

    // The example applications.
    .target(
      name: "EditorCore",
      dependencies: ["ActionLog", "CommandLineKit", "ComposableArchitecture", "Retrace"]),
    .executableTarget(
      name: "editor", dependencies: ["ComposableArchitecture", "EditorCore", "RetraceCommands"],
      path: "Tools/editor"),

    .executableTarget(
      name: "counter", dependencies: ["ComposableArchitecture", "Retrace", "RetraceCommands"],
      path: "Tools/counter", swiftSettings: [.swiftLanguageMode(.v5)]),

    // Tests, and the programs that they run.
    .target(name: "TestSupport", dependencies: ["ConcurrencyExtras"], path: "Tests/TestSupport"),
    .executableTarget(
      name: "chain", dependencies: ["ComposableArchitecture"], path: "Tests/Programs/chain"),
    .executableTarget(
      name: "crasher", dependencies: ["ComposableArchitecture", "Retrace"],
      path: "Tests/Programs/crasher"),
    .executableTarget(
      name: "strain", dependencies: ["ComposableArchitecture"], path: "Tests/Programs/strain"),
    .executableTarget(
      name: "ActionLogTestWriter", dependencies: ["ActionLog"], path: "Tests/ActionLogTestWriter"),

    // The log's proofs: disks in memory that fail and lose power, damage, kills, fuzzing.
    .target(name: "LogSimulation", dependencies: ["ActionLog"], path: "Tests/LogSimulation"),
    .target(
      name: "FuzzTargets",
      dependencies: ["ActionCoding", "ActionLog", "CActionLog", "LogSimulation"],
      path: "Tests/FuzzTargets"),
    .executableTarget(
      name: "torture", dependencies: ["ActionLog", "LogSimulation"], path: "Tools/torture"),
    .executableTarget(name: "fuzz", dependencies: ["FuzzTargets"], path: "Tools/fuzz"),
    .testTarget(
      name: "LogSimulationTests",
      dependencies: ["ActionLog", "ActionLogTestWriter", "LogSimulation"]),
    .testTarget(name: "FuzzTests", dependencies: ["ActionLog", "FuzzTargets"]),
    .testTarget(
      name: "ActionLogTests",
      dependencies: ["ActionLog", "ActionLogTestWriter", "CActionLog", "LogSimulation"]),
    .testTarget(name: "ActionCodingTests", dependencies: ["ActionCoding"]),
    .testTarget(
      name: "RecordableMacroTests", dependencies: ["ActionCoding", "MacroImplementations"],
      swiftSettings: hostSwift, linkerSettings: hostLinker),
    .testTarget(name: "IssueReportingTests", dependencies: ["IssueReporting"]),
    .testTarget(name: "ConcurrencyExtrasTests", dependencies: ["ConcurrencyExtras"]),
    .testTarget(name: "IdentifiedCollectionsTests", dependencies: ["IdentifiedCollections"]),
    .testTarget(
      name: "CustomDumpTests",
      dependencies: ["CustomDump", "IdentifiedCollections", "IssueReporting"]),
    .testTarget(name: "CasePathsTests", dependencies: ["CasePaths", "IssueReporting"]),
    .testTarget(
      name: "ClocksTests",
      dependencies: ["Clocks", "ConcurrencyExtras", "IssueReporting", "TestSupport"]),
    .testTarget(
      name: "DependenciesTests",
      dependencies: [
        "Clocks", "ConcurrencyExtras", "Dependencies", "DependenciesMacros",
        "DependenciesTestSupport", "IssueReporting",
      ]),
    .testTarget(
      name: "DependencyMacroTests", dependencies: ["MacroImplementations"],
      swiftSettings: hostSwift, linkerSettings: hostLinker),
    .testTarget(
      name: "ReducerMacroTests",
      dependencies: ["ComposableArchitecture", "MacroImplementations"], swiftSettings: hostSwift,
      linkerSettings: hostLinker),
    .testTarget(
      name: "CasePathsMacroTests", dependencies: ["CasePaths", "MacroImplementations"],
      swiftSettings: hostSwift, linkerSettings: hostLinker),
    .testTarget(
      name: "PerceptionMacroTests", dependencies: ["MacroImplementations"],
      swiftSettings: hostSwift, linkerSettings: hostLinker),
    .testTarget(
      name: "PerceptionTests", dependencies: ["IssueReporting", "Perception", "TestSupport"]),
    .testTarget(
      name: "SharingTests",
      dependencies: [
        "ConcurrencyExtras", "CustomDump", "Dependencies", "DependenciesTestSupport",
        "IdentifiedCollections", "IssueReporting", "Perception", "Sharing", "TestSupport",
      ]),
    .testTarget(
      name: "SharingStorageTests",
      dependencies: [
        "Clocks", "ConcurrencyExtras", "CustomDump", "Dependencies", "DependenciesTestSupport",
        "IdentifiedCollections", "IssueReporting", "Sharing", "TestSupport",
      ]),
    .testTarget(
      name: "SwiftNavigationTests",
      dependencies: [
        "ActionCoding", "CustomDump", "IssueReporting", "Perception", "SwiftNavigation",
        "TestSupport",
      ]),
    .testTarget(
      name: "PublisherTests",
      dependencies: ["ComposableArchitecture", "IssueReporting", "TestSupport"]),
    .testTarget(
      name: "ReportedBugsTests",
      dependencies: [
        "ActionLog", "ComposableArchitecture", "DependenciesTestSupport", "IssueReporting",
        "Retrace", "TestSupport", "strain",
      ]),
    // The law of replay, tried with features and runs that are generated.
    .target(
      name: "ReplayFeatures",
      dependencies: ["ComposableArchitecture", "Retrace"], path: "Tests/ReplayFeatures"),
    .executableTarget(name: "replays", dependencies: ["ReplayFeatures"], path: "Tools/replays"),
    .testTarget(
      name: "ReplayLawTests",
      dependencies: ["ComposableArchitecture", "ReplayFeatures", "Retrace", "TestSupport"]),
    .testTarget(
      name: "SurfaceTests", dependencies: ["ComposableArchitecture", "IssueReporting"]),
    .testTarget(
      name: "TestStoreTests",
      dependencies: ["ComposableArchitecture", "IssueReporting", "TestSupport"]),
    .testTarget(
      name: "ComposableArchitectureTests",
      dependencies: ["ComposableArchitecture", "IssueReporting", "TestSupport", "chain"]),
    .testTarget(
      name: "RetraceTests",
      dependencies: [
        "ActionCoding", "ActionLog", "ComposableArchitecture", "IssueReporting", "Retrace",
        "TestSupport", "crasher",
      ]),
    .testTarget(name: "CommandLineKitTests", dependencies: ["CommandLineKit"]),
    .testTarget(
      name: "RetraceCommandsTests",
      dependencies: [
        "ActionCoding", "ActionLog", "CommandLineKit", "ComposableArchitecture", "Retrace",
        "RetraceCommands",
      ]),
    .testTarget(
      name: "EditorTests",
      dependencies: [
        "ComposableArchitecture", "EditorCore", "Retrace", "TestSupport", "editor", "retrace",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
  var settings: [SwiftSetting] = target.swiftSettings ?? []
  for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility"] {
    settings.append(.enableUpcomingFeature(feature))
  }
  target.swiftSettings = settings
}
