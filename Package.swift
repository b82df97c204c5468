// swift-tools-version: 6.2
import PackageDescription

// Arrows only point down (see Sources/README.md, "Modules"); scripts/check refuses an import that the manifest does not name.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

// A debug build of the packet path takes 100 µs for a packet, and a link that is late by milliseconds is not the one that was asked for.
let prompt = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

// The optimizer takes two thirds of the time to compile these modules, and runs hardly get faster by it. CONTRIBUTING.md has the table.
let unhurried = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded: Target.Dependency = .product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let hpack: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let yams: Target.Dependency = .product(name: "Yams", package: "Yams")
let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let arguments: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

// Only scripts/docs sets this variable, so an ordinary build does not fetch the plugin.
let documentation: [Package.Dependency] =
    Context.environment["CROSSWIND_DOCS"] == "1"
    ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")] : []

let package = Package(
    name: "crosswind",
    products: [
        .executable(name: "crosswind", targets: ["crosswind"]),
        .executable(name: "foundation-adapter", targets: ["foundation-adapter"]),
        .executable(name: "adaptable-adapter", targets: ["adaptable-adapter"]),
        .executable(name: "adaptable-download", targets: ["adaptable-download"]),
        .executable(name: "adaptable-transferd", targets: ["adaptable-transferd"]),
        .executable(name: "adaptable-transfers", targets: ["adaptable-transfers"]),
        .library(name: "AdaptableSession", targets: ["AdaptableSession"]),
        .library(name: "LocalServices", targets: ["LocalServices"]),
        // For test suites that run in a lab: neither links anything of the lab or of NIO.
        .library(name: "CrosswindControl", targets: ["CrosswindControl"]),
        .library(name: "CrosswindTesting", targets: ["CrosswindTesting"]),
        .executable(name: "crosswind-bench", targets: ["crosswind-bench"]),
        .executable(name: "crosswind-fuzz", targets: ["crosswind-fuzz"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        // The transfer daemon's store; nothing else links it.
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    ] + documentation,
    targets: [
        // 0 system libraries
        // glibc keeps its reader of name servers' messages in a library of its own.
        .target(name: "CLinux", linkerSettings: [.linkedLibrary("resolv")]),
        .target(name: "CLabKernel", dependencies: ["CLinux"]),
        .systemLibrary(name: "CNetlink", pkgConfig: "libnl-route-3.0", providers: [.apt(["libnl-route-3-dev"])]),
        .systemLibrary(name: "COpenSSL", pkgConfig: "openssl", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", pkgConfig: "libbrotlidec", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CBrotliEncoder", pkgConfig: "libbrotlienc", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CNGHTTP2", pkgConfig: "libnghttp2", providers: [.apt(["libnghttp2-dev"])]),
        .systemLibrary(name: "CPublicSuffix", pkgConfig: "libpsl", providers: [.apt(["libpsl-dev"])]),
        // 1 ground
        // The syntax of HTTP fields, which client, server and reports share.
        .target(name: "HTTPFields", swiftSettings: strict),
        // 1 leaves
        .target(name: "InternetAddresses", swiftSettings: prompt),
        // Messages of the DNS and of multicast DNS, as bytes and as values.
        .target(name: "DNSMessages", dependencies: ["InternetAddresses"], swiftSettings: strict),
        // 2 ground
        // Lines and JSON, byte by byte: apart from the protocol's own values, which need no optimizer.
        .target(name: "JSON", swiftSettings: strict),
        .target(name: "AdapterProtocol", dependencies: ["JSON"], swiftSettings: unhurried),
        // A client that is a command, without a program of its own that speaks the protocol.
        .target(name: "CommandAdapter", dependencies: ["AdapterProtocol", "LabKernel"], swiftSettings: unhurried),
        .target(name: "Units", swiftSettings: prompt),
        // The bytes of bodies, millions in a run: apart from the language, which needs no optimizer.
        .target(name: "GeneratedBodies", dependencies: ["Units"], swiftSettings: prompt),
        .target(name: "LinkEmulator", dependencies: ["InternetAddresses", "Units"], swiftSettings: prompt),
        // A program that links AdaptableSession gets routes and the resolver, and nothing of LabKernel.
        .target(
            name: "NetworkMonitor", dependencies: ["CLinux", "CNetlink", "InternetAddresses"], swiftSettings: prompt),
        .target(
            name: "LabKernel",
            dependencies: ["CLabKernel", "CLinux", "CNetlink", "InternetAddresses", "NetworkMonitor"],
            swiftSettings: prompt),
        // A client's TLS. An ordinary server's side stays here too, because both sides share the SSL object, its callbacks
        // and the NIO handler.
        .target(name: "OpenSSLTLS", dependencies: ["COpenSSL", "InternetAddresses", nioCore], swiftSettings: strict),
        .target(name: "Decompression", dependencies: ["CZlib", "CBrotli"], swiftSettings: strict),
        // Of the peer alone: no client links an encoder.
        .target(name: "Compression", dependencies: ["CZlib", "CBrotliEncoder"], swiftSettings: strict),
        // Certificates, OCSP responses and TLS faults, for the peer and the tests: no client links them.
        .target(
            name: "TLSTestKit", dependencies: ["OpenSSLTLS", "COpenSSL", "InternetAddresses", nioCore],
            swiftSettings: strict),
        // 3 domain
        .target(
            name: "AdaptableSession",
            dependencies: [
                "OpenSSLTLS", "InternetAddresses", "NetworkMonitor", "Decompression", nioCore, nioPosix, nioHTTP1,
                nioHTTP2, hpack, "HTTPFields", "CPublicSuffix", "TransferProtocol",
            ],
            swiftSettings: strict),
        // The messages between a program with a background session and the transfer daemon.
        .target(name: "TransferProtocol", dependencies: ["CLinux"], swiftSettings: strict),
        .target(
            name: "TransferDaemon", dependencies: ["TransferProtocol", "AdaptableSession", "CLinux", grdb],
            swiftSettings: strict),
        .target(
            name: "LocalServices",
            dependencies: [
                "AdaptableSession", "DNSMessages", "InternetAddresses", "NetworkMonitor", nioCore, nioPosix,
            ],
            swiftSettings: strict),
        .target(name: "ImageLoader", dependencies: ["AdaptableSession"], swiftSettings: strict),
        // The client of the control protocol. CrosswindTesting is apart, because only tests can link Testing.
        .target(name: "CrosswindControl", dependencies: ["AdapterProtocol"], swiftSettings: strict),
        .target(
            name: "CrosswindTesting", dependencies: ["CrosswindControl"], swiftSettings: strict),
        .target(name: "Record", dependencies: ["AdapterProtocol", "LinkEmulator"], swiftSettings: strict),
        // Reads a scenario with checks that it knows by their words; Conformance judges them.
        .target(
            name: "ScenarioLanguage",
            dependencies: ["Record", "AdapterProtocol", "InternetAddresses", yams, "LinkEmulator", "Units"],
            swiftSettings: unhurried),
        .target(
            name: "Conformance",
            dependencies: ["GeneratedBodies", "ScenarioLanguage", "Record", "AdapterProtocol", "LinkEmulator", yams],
            swiftSettings: unhurried),
        // 4 the peer
        .target(
            name: "TestServer",
            dependencies: [
                "GeneratedBodies", "ScenarioLanguage", "Record", "AdapterProtocol", "InternetAddresses", "OpenSSLTLS",
                "TLSTestKit", "Compression", nioCore, nioPosix, "CNGHTTP2", "HTTPFields", "DNSMessages",
            ],
            swiftSettings: unhurried),
        // 5 the lab and the run
        // The path of the packets, which needs the optimizer, and nothing else.
        .target(
            name: "LinkEngines",
            dependencies: [
                "ScenarioLanguage", "Record", "InternetAddresses", "LinkEmulator", "NetworkMonitor", "LabKernel",
                "Units",
            ], swiftSettings: prompt),
        .target(
            name: "Lab",
            dependencies: [
                "LinkEngines", "TestServer", "ScenarioLanguage", "Record", "AdapterProtocol", "InternetAddresses",
                "LinkEmulator",
                "NetworkMonitor", "LabKernel", "OpenSSLTLS", "TLSTestKit", nioCore, nioPosix, "Units",
            ], swiftSettings: unhurried),
        .target(
            name: "Harness",
            dependencies: [
                "LinkEngines", "GeneratedBodies", "Lab", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol",
                "InternetAddresses",
                "LinkEmulator", "NetworkMonitor", "LabKernel", "OpenSSLTLS", "TLSTestKit", nioCore, nioPosix, yams,
                "CommandAdapter",
            ], swiftSettings: unhurried),
        .target(
            name: "Reports",
            dependencies: [
                "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "HTTPFields", "LinkEmulator",
            ],
            swiftSettings: unhurried),
        // 6 programs
        .executableTarget(
            name: "crosswind",
            dependencies: [
                "LinkEngines",
                "Harness", "Lab", "Reports", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", arguments,
                "LinkEmulator", "CommandAdapter",
            ],
            swiftSettings: unhurried),
        .target(name: "AdapterSupport", dependencies: ["AdapterProtocol"], swiftSettings: unhurried),
        .executableTarget(
            name: "foundation-adapter", dependencies: ["AdapterSupport", "AdapterProtocol"], swiftSettings: strict),
        .executableTarget(
            name: "adaptable-adapter", dependencies: ["AdapterSupport", "AdapterProtocol", "AdaptableSession"],
            swiftSettings: strict),
        .executableTarget(name: "adaptable-download", dependencies: ["AdaptableSession"], swiftSettings: strict),
        .executableTarget(
            name: "adaptable-transferd", dependencies: ["TransferDaemon", "TransferProtocol", arguments],
            swiftSettings: strict),
        .executableTarget(
            name: "adaptable-transfers", dependencies: ["TransferProtocol", arguments], swiftSettings: strict),
        // tools for work on the project: measurements, fuzzing, load
        .executableTarget(
            name: "session-load",
            dependencies: ["AdaptableSession", "LabKernel", "NetworkMonitor", "TransferProtocol"],
            path: "Sources/Tools/session-load",
            swiftSettings: strict),
        .executableTarget(
            name: "crosswind-bench",
            dependencies: [
                "LinkEngines",
                "Harness", "Lab", "InternetAddresses", "NetworkMonitor", "LabKernel", "LinkEmulator",
                "ScenarioLanguage",
                "Record", "TestServer",
                nioCore, nioPosix,
            ],
            path: "Sources/Tools/crosswind-bench",
            swiftSettings: strict),
        .executableTarget(
            name: "crosswind-fuzz",
            dependencies: [
                "AdaptableSession", "LinkEmulator", "ScenarioLanguage", "Record", "TestServer", "AdapterProtocol",
                nioCore, "HTTPFields",
                nioHTTP1, "Units", "InternetAddresses", "DNSMessages", "LocalServices",
            ],
            path: "Sources/Tools/crosswind-fuzz",
            swiftSettings: strict),
        // tests
        // One delegate for each spelling that URLSession's documentation has, compiled in both language modes.
        .target(
            name: "DelegatesInSwift5", dependencies: ["AdaptableSession"], path: "Tests/DelegateSpellings/Swift5",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        .target(
            name: "DelegatesInSwift6", dependencies: ["AdaptableSession"], path: "Tests/DelegateSpellings/Swift6",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        // A program for URLSession with the file of type names that the migration page shows.
        .target(
            name: "MigrationSample", dependencies: ["AdaptableSession"], path: "Tests/MigrationSample",
            swiftSettings: strict),
        .testTarget(
            name: "AdaptableSessionTests",
            dependencies: [
                "AdaptableSession", "DelegatesInSwift5", "DelegatesInSwift6", "MigrationSample", "Compression",
                "OpenSSLTLS", "COpenSSL", "TLSTestKit", "InternetAddresses", "NetworkMonitor", "LabKernel", nioCore,
                nioPosix, nioEmbedded, nioHTTP1, nioHTTP2, hpack, "HTTPFields",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "AdapterProtocolTests", dependencies: ["AdapterProtocol"], exclude: ["Golden"], swiftSettings: strict),
        .testTarget(
            name: "AdapterSupportTests", dependencies: ["AdapterSupport", "AdapterProtocol"], swiftSettings: strict),
        .testTarget(
            name: "CommandAdapterTests", dependencies: ["CommandAdapter", "AdapterProtocol"], swiftSettings: strict),
        .testTarget(
            name: "CrosswindControlTests", dependencies: ["CrosswindControl", "CrosswindTesting", "AdapterProtocol"],
            swiftSettings: strict),
        .testTarget(name: "HTTPFieldsTests", dependencies: ["HTTPFields"], swiftSettings: strict),
        .testTarget(name: "InternetAddressesTests", dependencies: ["InternetAddresses"], swiftSettings: strict),
        .testTarget(name: "GeneratedBodiesTests", dependencies: ["GeneratedBodies"], swiftSettings: strict),
        .testTarget(
            name: "LinkEmulatorTests", dependencies: ["LinkEmulator", "InternetAddresses", "Units"],
            swiftSettings: strict),
        .testTarget(
            name: "NetworkMonitorTests", dependencies: ["NetworkMonitor", "InternetAddresses"], swiftSettings: strict),
        .testTarget(
            name: "LabKernelTests", dependencies: ["LabKernel", "NetworkMonitor", "InternetAddresses"],
            swiftSettings: strict),
        .testTarget(name: "OpenSSLTLSTests", dependencies: ["OpenSSLTLS"], swiftSettings: strict),
        .testTarget(
            name: "TLSTestKitTests", dependencies: ["TLSTestKit", "OpenSSLTLS", "COpenSSL", nioCore, nioEmbedded],
            swiftSettings: strict),
        .testTarget(
            name: "RecordTests", dependencies: ["Record", "AdapterProtocol", "LinkEmulator"], swiftSettings: strict),
        // The samples of the language use the checks of the catalogue.
        .testTarget(
            name: "ScenarioLanguageTests",
            dependencies: ["ScenarioLanguage", "Conformance", "Record", "AdapterProtocol", "LinkEmulator"],
            exclude: ["Reading/Samples"],
            swiftSettings: strict),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "GeneratedBodies", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "LinkEmulator",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TestServerTests",
            dependencies: [
                "GeneratedBodies",
                "TestServer", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "InternetAddresses",
                "OpenSSLTLS", "TLSTestKit",
                "Compression", "Decompression", nioCore, nioPosix, nioEmbedded, hpack, "HTTPFields", "DNSMessages",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "LabTests",
            dependencies: [
                "LinkEngines",
                "Lab", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "InternetAddresses",
                "LinkEmulator", "NetworkMonitor", "LabKernel", "TLSTestKit", nioPosix,
            ], swiftSettings: strict),
        .testTarget(
            name: "HarnessTests",
            dependencies: [
                "LinkEngines",
                "Harness", "Lab", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "LinkEmulator",
                "NetworkMonitor", "LabKernel", "TLSTestKit", "Reports", "CommandAdapter",
            ],
            exclude: ["MiniatureAdapters", "PositiveControl"], swiftSettings: strict),
        .testTarget(
            name: "TransferProtocolTests", dependencies: ["TransferProtocol"], swiftSettings: strict),
        .testTarget(
            name: "TransferDaemonTests",
            dependencies: ["TransferDaemon", "TransferProtocol", "AdaptableSession", "CLinux", grdb],
            swiftSettings: strict),
        .testTarget(
            name: "DNSMessagesTests", dependencies: ["DNSMessages", "InternetAddresses"], swiftSettings: strict),
        .testTarget(
            name: "LocalServicesTests", dependencies: ["LocalServices", "DNSMessages", "InternetAddresses"],
            swiftSettings: strict),
        .testTarget(
            name: "ImageLoaderTests", dependencies: ["ImageLoader", "AdaptableSession"], swiftSettings: strict),
        .testTarget(
            name: "ReportsTests",
            dependencies: ["Reports", "Conformance", "ScenarioLanguage", "Record", "AdapterProtocol", "LinkEmulator"],
            swiftSettings: strict),
    ]
)
