import Foundation
import FoundationNetworking
import Harness
import LabKernel
import ScenarioLanguage

/// The transfer daemon next to aria2's: many queued downloads of a small file from the same origin, six at a time.
///
/// aria2 keeps its queue in memory and writes it on demand; the transfer daemon waits for the disk for every task it
/// accepts and every file it delivers, so that a power cut loses none.
enum TransferBenchmark {
    private static let path = "/small"

    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let program = try InstallLayout.find().programFolder + "/session-load"
        guard FileManager.default.isExecutableFile(atPath: program) else {
            throw Missing(description: "\(program) is not built; scripts/bench builds it")
        }
        guard let aria = InstalledProgram.path("aria2c") else {
            throw Missing(description: "aria2c is not installed (package aria2)")
        }
        let origin = try ServedOrigin([(path, .text(String(repeating: "x", count: 1_000)))])
        defer { origin.stop() }
        let url = "http://127.0.0.1:\(origin.port)\(path)"
        let count = options.isQuick ? 500 : 10_000
        var (own, peer) = (Samples(), Samples())
        for _ in 0..<options.repetitions(3) {
            own.add(try transferDaemon(program, url, count))
            peer.add(try Aria(aria, url, count).measure())
        }
        return own.measurements("adaptable-transferd", count, against: peer.measurements("aria2c", count, against: nil))
    }

    struct Missing: Error, CustomStringConvertible { let description: String }

    /// The result of one run.
    struct Figures: Decodable {
        let tasks: Int
        /// Seconds for the creation of all tasks, for the start of the daemon with them, and for their transfers.
        let create: Double
        let start: Double
        let run: Double
        let residentMiB: Double
    }

    private struct Samples {
        private var all: [Figures] = []

        mutating func add(_ figures: Figures) { all.append(figures) }

        func measurements(_ name: String, _ count: Int, against peers: [Measurement]?) -> [Measurement] {
            let rows: [(String, Measurement.Unit, (Figures) -> Double, Measurement.Target?)] = [
                ("tasks accepted per second", .count, { Double(count) / $0.create }, nil),
                ("start with \(count) queued tasks", .seconds, \.start, nil),
                ("memory with \(count) queued tasks", .mebibytes, \.residentMiB, nil),
                ("transfers per second", .count, { Double(count) / $0.run }, nil),
            ]
            return rows.enumerated().map { index, row in
                Measurement("\(name): \(row.0)", row.1, all.map(row.2), target: row.3, against: peers?[index])
            }
        }
    }

    private static func transferDaemon(_ program: String, _ url: String, _ count: Int) throws -> Figures {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
        process.arguments = ["600", program, "queue", url, "\(count)"]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Missing(description: "session-load queue ended with \(process.terminationStatus)")
        }
        return try JSONDecoder().decode(Figures.self, from: output)
    }
}

/// aria2's daemon, driven by JSON-RPC (aria2c(1), RPC INTERFACE).
private final class Aria {
    private let program: String
    private let url: String
    private let count: Int
    private let folder = FileManager.default.temporaryDirectory.path + "/aria-\(getpid())"
    private let port = Int.random(in: 20_000..<30_000)

    init(_ program: String, _ url: String, _ count: Int) {
        (self.program, self.url, self.count) = (program, url, count)
    }

    func measure() throws -> TransferBenchmark.Figures {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let session = folder + "/session"
        _ = FileManager.default.createFile(atPath: session, contents: nil)
        let first = try start(session)
        let begun = ContinuousClock.now
        // One call for each task, as for a program with one task at a time.
        for number in 1...count {
            _ = try call("aria2.addUri", [[url], ["out": "\(number)", "pause": "true"]])
        }
        let created = ContinuousClock.now - begun
        let before = ProcessMemory.mebibytes(.resident, of: first.processIdentifier)
        _ = try call("aria2.saveSession", [])
        kill(first.processIdentifier, SIGKILL)
        first.waitUntilExit()
        let restarted = ContinuousClock.now
        let second = try start(session)
        defer {
            kill(second.processIdentifier, SIGKILL)
            second.waitUntilExit()
        }
        try wait("aria2c reads its queue", every: 0) { try number("numWaiting") == count }
        let started = ContinuousClock.now - restarted
        let after = ProcessMemory.mebibytes(.resident, of: second.processIdentifier)
        let ran = ContinuousClock.now
        _ = try call("aria2.unpauseAll", [])
        try wait("aria2c ends its transfers", every: 20_000) { try number("numActive") + number("numWaiting") == 0 }
        let run = ContinuousClock.now - ran
        let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/files").count
        guard files == count else {
            throw TransferBenchmark.Missing(description: "aria2c made \(files) of \(count) files")
        }
        return TransferBenchmark.Figures(
            tasks: count, create: created / .seconds(1), start: started / .seconds(1), run: run / .seconds(1),
            residentMiB: max(before, after))
    }

    /// Starts it and returns once it responds.
    private func start(_ session: String) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--no-conf", "--enable-rpc", "--rpc-listen-port=\(port)", "--dir=\(folder)/files", "--quiet",
            "--input-file=\(session)", "--save-session=\(session)", "--max-concurrent-downloads=6", "--split=1",
            "--max-connection-per-server=6", "--file-allocation=none", "--max-download-result=\(count)",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        for _ in 0..<60_000 {
            if (try? call("aria2.getVersion", [])) != nil { return process }
            usleep(1_000)
        }
        throw TransferBenchmark.Missing(description: "aria2c does not answer")
    }

    /// Waits until the condition holds, for ten minutes at most.
    private func wait(_ what: String, every microseconds: UInt32, _ condition: () throws -> Bool) throws {
        let end = ContinuousClock.now + .seconds(600)
        while try !condition() {
            guard ContinuousClock.now < end else {
                throw TransferBenchmark.Missing(description: "in 600 s not: \(what)")
            }
            if microseconds > 0 { usleep(microseconds) }
        }
    }

    private func number(_ name: String) throws -> Int {
        let status = try call("aria2.getGlobalStat", []) as? [String: Any]
        return (status?[name] as? String).flatMap { Int($0) } ?? 0
    }

    private func call(_ method: String, _ parameters: [Any]) throws -> Any {
        guard let url = URL(string: "http://127.0.0.1:\(port)/jsonrpc") else { preconditionFailure("a URL") }
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = try JSONSerialization.data(
            withJSONObject: ["jsonrpc": "2.0", "id": "1", "method": method, "params": parameters])
        let ended = DispatchSemaphore(value: 0)
        let result = Reply()
        URLSession.shared.dataTask(with: request) { data, _, _ in
            result.data = data
            ended.signal()
        }.resume()
        ended.wait()
        guard let data = result.data, let object = try JSONSerialization.jsonObject(with: data) as? [String: Any],
            let value = object["result"]
        else { throw TransferBenchmark.Missing(description: "aria2c refuses \(method)") }
        return value
    }

    /// The semaphore orders the two accesses.
    private final class Reply: @unchecked Sendable { var data: Data? }
}
