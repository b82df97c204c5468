// swift-tools-version: 6.0
import PackageDescription

// One program for each file.
let names = [
    "content-fields-after-303", "folded-field-is-refused", "gzip-of-two-members", "host-field-after-redirect",
    "later-minor-version-is-refused",
    "no-body-is-decoded", "one-of-two-codings-is-decoded", "partial-wildcard", "surplus-bytes-are-the-next-response",
    "trailing-whitespace-in-a-value",
]
let package = Package(
    name: "findings",
    dependencies: [
        .package(url: "https://github.com/swift-server/async-http-client", exact: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.100.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.30.0"),
    ],
    targets: names.map { name in
        .executableTarget(
            name: name,
            dependencies: [
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ], path: ".", exclude: ["run"] + names.filter { $0 != name }.map { "\($0).swift" }, sources: ["\(name).swift"])
    })
