// swift-tools-version: 6.0
import PackageDescription

// A package as its users write them: it sees the products only.
let architecture: [Target.Dependency] = [
  .product(name: "ComposableArchitecture", package: "retrace")
]
let testing: [Target.Dependency] = [
  .product(name: "DependenciesTestSupport", package: "retrace"),
  .product(name: "IssueReporting", package: "retrace"),
  .product(name: "Retrace", package: "retrace"),
  "TemporaryLogs",
]

let package = Package(
  name: "examples",
  dependencies: [.package(name: "retrace", path: "../..")],
  targets: [
    // What the texts on the architecture show, in the language mode in which they were written.
    .target(name: "Texts", dependencies: architecture, swiftSettings: [.swiftLanguageMode(.v5)]),
    .testTarget(
      name: "TextsTests", dependencies: ["Texts"] + testing,
      swiftSettings: [.swiftLanguageMode(.v5)]),

    // A recipe box: a stack of screens, and what is presented over them.
    .target(name: "Cookbook", dependencies: architecture),
    .testTarget(name: "CookbookTests", dependencies: ["Cookbook"] + testing),

    // A form with bindings.
    .target(name: "Registration", dependencies: architecture),
    .testTarget(name: "RegistrationTests", dependencies: ["Registration"] + testing),

    // A list of timers. Its tests are written with XCTest.
    .target(name: "KitchenTimers", dependencies: architecture),
    .testTarget(name: "KitchenTimersTests", dependencies: ["KitchenTimers"] + testing),

    // A search that waits for a pause in the typing.
    .target(name: "PlaceSearch", dependencies: architecture),
    .testTarget(name: "PlaceSearchTests", dependencies: ["PlaceSearch"] + testing),

    // Settings that two features share.
    .target(name: "Reader", dependencies: architecture),
    .testTarget(name: "ReaderTests", dependencies: ["Reader"] + testing),

    // Records a store and replays its log, for the tests.
    .target(
      name: "TemporaryLogs",
      dependencies: architecture + [.product(name: "Retrace", package: "retrace")]),
  ]
)
