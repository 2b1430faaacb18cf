// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "retrace", path: "../..")],
  targets: [
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .product(name: "ComposableArchitecture", package: "retrace"),
        .product(name: "Retrace", package: "retrace"),
        .product(name: "ActionLog", package: "retrace"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
