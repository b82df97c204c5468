import Foundation
import Harness

/// The three programs that are compared: session-load with either session, and curl. Each is started separately for
/// every measurement.
struct SessionPrograms {
    enum Client: String, CaseIterable {
        case adaptable = "AdaptableSession"
        case curl
        case stock = "stock URLSession"

        /// The name of the client on session-load's command line.
        fileprivate var word: String {
            switch self {
            case .adaptable, .curl: "adaptable"
            case .stock: "foundation"
            }
        }
    }

    /// The output of session-load.
    struct Load: Decodable {
        let seconds: Double
        let peakMiB: Double
    }

    private let load: String
    private let crosswind: String
    private let curl: String
    /// The file of the certificates that the clients trust; nil for those of the system. Stock URLSession reads only
    /// the system's.
    var trusted: String?

    init() throws {
        let folder = try InstallLayout.find().programFolder
        (load, crosswind) = (folder + "/session-load", folder + "/crosswind")
        for path in [load, crosswind] where !FileManager.default.isExecutableFile(atPath: path) {
            throw Missing(description: "\(path) is not built; scripts/bench builds it")
        }
        guard let found = InstalledProgram.path("curl") else {
            throw Missing(description: "curl is not installed (package curl)")
        }
        curl = found
    }

    struct Missing: Error, CustomStringConvertible { let description: String }

    // MARK: Measurements

    /// Returns the seconds for this number of small responses.
    func requests(_ client: Client, _ url: String, _ count: Int, atATime: Int, under profile: String? = nil) throws
        -> Double
    {
        switch client {
        case .adaptable, .stock:
            return try load(client, ["requests", url, "\(count)", "\(atATime)"], under: profile).seconds
        case .curl:
            let parallel = atATime > 1 ? ["-Z", "--parallel-max", "\(atATime)"] : []
            return try curl(parallel + ["-o", "/dev/null", "\(url)?[1-\(count)]"], count, under: profile)
        }
    }

    /// Returns the seconds for this number of downloads to a file, one after another.
    func downloads(_ client: Client, _ url: String, _ count: Int, under profile: String? = nil) throws -> Double {
        switch client {
        case .adaptable, .stock: return try load(client, ["downloads", url, "\(count)"], under: profile).seconds
        case .curl:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "crosswind-bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            return try curl(["-o", file.path, "\(url)?[1-\(count)]"], count, under: profile)
        }
    }

    /// Returns the seconds for this number of uploads from a file of zeros, one after another.
    func uploads(_ client: Client, _ url: String, _ count: Int, bytes: Int64) throws -> Double {
        switch client {
        case .adaptable, .stock:
            return try load(client, ["uploads", url, "\(count)", "\(bytes)"]).seconds
        case .curl:
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "crosswind-bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data().write(to: file)
            try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(bytes))
            return try curl(["-o", "/dev/null", "-T", file.path, "\(url)?[1-\(count)]"], count, under: nil)
        }
    }

    func load(_ client: Client, _ words: [String], under profile: String? = nil) throws -> Load {
        let (status, lines) = try run([load, client.word] + words, under: profile)
        guard status == 0, let line = lines.last(where: { $0.hasPrefix("{") }) else {
            throw Missing(
                description: "session-load \(client.word) \(words.joined(separator: " ")) ended with \(status)")
        }
        return try JSONDecoder().decode(Load.self, from: Data(line.utf8))
    }

    /// Runs random cancellations; returns 1 if a violation was found, otherwise 0, and the growth of memory.
    func stress(_ url: String, _ large: String, _ count: Int) throws -> (wrong: Int, grownMiB: Double) {
        struct Report: Decodable {
            struct Moment: Decodable { let residentMiB: Double }
            let first: Moment
            let last: Moment
        }
        let (status, lines) = try run([load, "adaptable", "stress", url, "\(count)", "1", large], under: nil)
        guard let line = lines.last(where: { $0.hasPrefix("{") }) else {
            throw Missing(description: "session-load ended with \(status)")
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
        return (status == 0 ? 0 : 1, report.last.residentMiB - report.first.residentMiB)
    }

    // MARK: Running

    private func curl(_ words: [String], _ count: Int, under profile: String?) throws -> Double {
        // curl reports the time of each transfer but not of all, so a shell in the lab measures it.
        let script =
            "begun=$(date +%s%N); \"$@\"; status=$?; ended=$(date +%s%N); echo $((ended - begun)); exit $status"
        let trust = trusted.map { ["--cacert", $0] } ?? []
        let (status, lines) = try run(
            ["/bin/sh", "-c", script, "sh", curl, "-sS", "--fail", "-w", "%{http_code}\\n"] + trust + words,
            under: profile)
        let answers = lines.count { $0 == "200" }
        guard status == 0, answers == count, let taken = lines.last.flatMap({ Double($0) }) else {
            throw Missing(
                description: "curl \(words.joined(separator: " ")): \(answers) of \(count) responses, status \(status)")
        }
        return taken / 1e9
    }

    /// Runs a program and kills it after two minutes, which none of them needs.
    private func run(_ words: [String], under profile: String?) throws -> (status: Int32, lines: [Substring]) {
        let words = (profile.map { [crosswind, "exec", "--network", $0, "--"] } ?? []) + words
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["120"] + words
        if let trusted {
            process.environment = ProcessInfo.processInfo.environment.merging(["SSL_CERT_FILE": trusted]) { $1 }
        }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, output.split(separator: "\n"))
    }
}
