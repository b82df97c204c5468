import Foundation

/// Compiles programs against the modules that this test was built with, as the compiler of a client does.
enum ClientCompiler {
    struct Failure: Error, CustomStringConvertible { let description: String }

    enum Library: String, CaseIterable, Sendable {
        case foundation, adaptableSession
    }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let aliases = root.appendingPathComponent("Tests/MigrationSample/URLSessionNames.swift")
    private static let products = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent()

    /// Checks the types of files, with the file of type names for AdaptableSession. Returns the lines with errors.
    static func errors(in files: [URL], _ library: Library, swift version: Int) async throws -> [String] {
        let all = files + (library == .adaptableSession ? [aliases] : [])
        let result = try await run(
            ["swiftc", "-typecheck", "-swift-version", "\(version)"] + (await arguments(library)) + all.map(\.path))
        let errors = result.output.split(separator: "\n").filter { $0.contains(" error: ") && !$0.contains(" | ") }
        guard errors.isEmpty == (result.status == 0) else { throw Failure(description: result.output) }
        return errors.map(String.init)
    }

    /// Returns the errors of a program that consists of the imports and `text`.
    static func errors(inText text: String, _ library: Library, swift version: Int) async throws -> [String] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("client-\(UUID().uuidString).swift")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("import Foundation\nimport FoundationNetworking\n\(text)\n".utf8).write(to: file)
        return try await errors(in: [file], library, swift: version)
    }

    /// Returns the public members of a library, as dotted paths, in the compiler's symbol graph.
    static func members(of library: Library) async throws -> Set<String> {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("symbols-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let module = library == .foundation ? "FoundationNetworking" : "AdaptableSession"
        let target = try await run(["swiftc", "-print-target-info"]).output
        let triple = try JSONDecoder().decode(TargetInfo.self, from: Data(target.utf8)).target.triple
        let result = try await run(
            [
                "swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-minimum-access-level",
                "public",
                "-output-dir", folder.path,
            ] + (await arguments(library)))
        guard result.status == 0 else { throw Failure(description: result.output) }
        let data = try Data(contentsOf: folder.appendingPathComponent("\(module).symbols.json"))
        // Members that a type inherits from protocols of the standard library are not its own.
        let symbols = try JSONDecoder().decode(Graph.self, from: data).symbols
            .filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
        return Set(symbols.map { $0.pathComponents.joined(separator: ".") })
    }

    private struct TargetInfo: Decodable {
        struct Target: Decodable { let triple: String }
        let target: Target
    }

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Identifier: Decodable { let precise: String }
            let identifier: Identifier
            let pathComponents: [String]
        }
        let symbols: [Symbol]
    }

    /// The compiler needs the C modules below a Swift module too.
    private static func arguments(_ library: Library) async throws -> [String] {
        guard library == .adaptableSession else { return [] }
        var arguments = ["-I", products.appendingPathComponent("Modules").path]
        let built = try folders(products).filter { $0.pathExtension == "build" }
        var known: Set<String> = []
        for folder in built where has(folder) {
            known.insert(folder.deletingPathExtension().lastPathComponent)
            arguments += moduleMap(folder)
        }
        let packages = root.appendingPathComponent(".build/checkouts")
        for target in try folders(packages).flatMap({ try folders($0.appendingPathComponent("Sources")) }) {
            let include = target.appendingPathComponent("include")
            if has(include), !known.contains(target.lastPathComponent) { arguments += moduleMap(include) }
        }
        for target in try folders(root.appendingPathComponent("Sources")) where target.lastPathComponent.hasPrefix("C")
        {
            if has(target) { arguments += ["-I", target.path] }
            arguments += ["-I", target.appendingPathComponent("include").path]
        }
        let libraries = ["libnl-route-3.0", "openssl", "zlib", "libbrotlidec", "libpsl"]
        let flags = try await run(["pkg-config", "--cflags"] + libraries)
        return arguments + flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
    }

    private static func folders(_ parent: URL) throws -> [URL] {
        guard FileManager.default.fileExists(atPath: parent.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: parent, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    private static func has(_ folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent("module.modulemap").path)
    }

    private static func moduleMap(_ folder: URL) -> [String] {
        ["-Xcc", "-fmodule-map-file=\(folder.appendingPathComponent("module.modulemap").path)"]
    }

    /// Runs a program of PATH and returns its output with its errors. It waits on a thread of its own: the threads of async
    /// code are as few as the processors, and other tests need them.
    private static func run(_ command: [String]) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try wait(for: command) }) }
        }
    }

    private static func wait(for command: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
