// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as an app's would be. It builds two small products of Crosswind and nothing else of it.
let package = Package(
    name: "swift-sync",
    dependencies: [.package(name: "crosswind", path: "../../..")],
    targets: [
        .target(name: "NoteSync"),
        .testTarget(
            name: "NoteSyncTests",
            dependencies: [
                "NoteSync", .product(name: "CrosswindControl", package: "crosswind"),
                .product(name: "CrosswindTesting", package: "crosswind"),
            ]),
    ]
)
