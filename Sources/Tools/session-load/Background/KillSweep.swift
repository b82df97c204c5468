import Foundation
import Glibc
import TransferProtocol

/// Kills the transfer daemon and its clients with SIGKILL at random times under load, and compares what every process
/// has seen with the rules: no accepted task is lost, no event is delivered again after its acknowledgement, every file
/// has the server's bytes, and no file remains without an owner.
final class KillSweep {
    private static let sessions = ["one", "two"]

    private let kills: Int
    private let folder: String
    private let server: SweepServer
    private let ledger: SweepLedger
    private var random: SplitMix
    private var clients: [String: Process] = [:]
    private var generation = 0
    private var killed = (daemons: 0, clients: 0)
    /// The tasks whose end was delivered and acknowledged, with the length of the ledger at which that was known.
    private var acknowledged: [Int: Int] = [:]
    private(set) var violations: [String] = []

    init(kills: Int, seed: UInt64) throws {
        self.kills = kills
        random = SplitMix(seed: seed)
        folder = FileManager.default.temporaryDirectory.path + "/kills-\(getpid())"
        for name in ["run", "state", "sources", "tmp"] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
        }
        server = try SweepServer(seed: seed)
        ledger = SweepLedger(folder)
        unsafe setenv(TransferPlaces.socketVariable, folder + "/run/s", 1)
        unsafe setenv(TransferPlaces.stateVariable, folder + "/state", 1)
        // Whatever a process leaves in the usual folder for temporary files is found too.
        unsafe setenv("TMPDIR", folder + "/tmp", 1)
        // Retries come after 50 ms instead of 1 s.
        unsafe setenv("ADAPTABLE_TRANSFER_CLOCK", "scale=20 origin=\(Int(Date().timeIntervalSince1970))", 1)
    }

    /// Runs the sweep; returns a summary.
    func run() throws -> String {
        for session in Self.sessions { try start(session) }
        for _ in 0..<kills {
            usleep(UInt32(random.below(400_000)))
            audit()
            switch random.below(10) {
            case 0..<5: killDaemon()
            case 5..<8: try killClient()
            default:
                killDaemon()
                try killClient()
            }
        }
        _ = FileManager.default.createFile(atPath: folder + "/drain", contents: nil)
        if !drained() { violations.append("after 120 s the daemon still has tasks or events") }
        let summary = judge()
        for client in clients.values { end(client) }
        for part in ["state/current/uploads", "state/current/downloads", "tmp"] {
            let path = folder + "/" + part
            for name in try FileManager.default.contentsOfDirectory(atPath: path) {
                violations.append("a file without an owner: \(path)/\(name)")
            }
        }
        if let process = DaemonView(folder + "/run/s")?.process { kill(process, SIGKILL) }
        if violations.isEmpty { try FileManager.default.removeItem(atPath: folder) }
        return summary + (violations.isEmpty ? "" : "; the files are in \(folder)")
    }

    // MARK: Processes

    private func start(_ session: String) throws {
        generation += 1
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [
            "background-client", folder, session, "\(generation)", "\(generation * 10_000)", "\(server.port)",
        ]
        try process.run()
        clients[session] = process
    }

    private func end(_ client: Process) {
        kill(client.processIdentifier, SIGKILL)
        client.waitUntilExit()
    }

    private func killClient() throws {
        let session = Self.sessions[random.below(Self.sessions.count)]
        guard let client = clients[session] else { return }
        if !client.isRunning { violations.append("the client \(session) ended with \(client.terminationStatus)") }
        end(client)
        killed.clients += 1
        try start(session)
    }

    /// A client starts it again.
    private func killDaemon() {
        // Right after a kill none listens.
        guard let process = view()?.process else { return violations.append("no daemon listens for 10 s") }
        kill(process, SIGKILL)
        killed.daemons += 1
    }

    private func view() -> DaemonView? {
        for _ in 0..<2_000 {
            if let view = DaemonView(folder + "/run/s") { return view }
            usleep(5_000)
        }
        return nil
    }

    // MARK: Judgement

    /// Notes the tasks that the daemon does not know any more although their end was delivered: it deletes them when the
    /// delivery is acknowledged, so from here on nothing of them may be delivered.
    private func audit() {
        let ended = ledger.lines().compactMap { line -> Int? in
            if case .completed = line.entry { line.task } else { nil }
        }
        guard let sessions = view()?.sessions() else { return }
        let known = Set(
            sessions.flatMap(\.tasks).compactMap { Int($0.originalRequest.url.lastPathComponent) })
        let length = ledger.lines().count
        for task in ended where !known.contains(task) && acknowledged[task] == nil { acknowledged[task] = length }
    }

    private func drained() -> Bool {
        for _ in 0..<1_200 {
            if let sessions = view()?.sessions(),
                sessions.allSatisfy({ $0.tasks.isEmpty && $0.undelivered == 0 })
            {
                return true
            }
            usleep(100_000)
        }
        return false
    }

    private func judge() -> String {
        struct Story {
            var isAccepted = false
            var isCancelled = false
            var files: [String: Int] = [:]
            var ends: [String: Int] = [:]
            var isComplete = false
        }
        var stories: [Int: Story] = [:]
        for (place, line) in ledger.lines().enumerated() {
            var story = stories[line.task, default: Story()]
            if let known = acknowledged[line.task], place >= known {
                violations.append("task \(line.task): \(line.entry) after its acknowledgement")
            }
            switch line.entry {
            case .intends: break
            case .accepted: story.isAccepted = true
            case .cancelled: story.isCancelled = true
            case .file(let isRight):
                if !isRight { violations.append("task \(line.task): the file has other bytes") }
                story.files[line.client, default: 0] += 1
            case .completed(let code):
                story.ends[line.client, default: 0] += 1
                if code == 0 { story.isComplete = true }
                if code != 0, !(code == URLError.Code.cancelled.rawValue && story.isCancelled) {
                    violations.append("task \(line.task): ended with \(code)")
                }
            }
            stories[line.task] = story
        }
        for (task, story) in stories.sorted(by: { $0.key < $1.key }) {
            if story.isAccepted, story.ends.isEmpty { violations.append("task \(task): lost") }
            // One process knows what it has received.
            if story.ends.values.contains(where: { $0 > 1 }) || story.files.values.contains(where: { $0 > 1 }) {
                violations.append("task \(task): delivered twice to one process")
            }
            guard story.isComplete else { continue }
            if SweepContent.isUpload(task) {
                if !server.uploads.contains(task) { violations.append("task \(task): the server lacks the upload") }
            } else if story.files.isEmpty {
                violations.append("task \(task): complete without a file")
            }
        }
        for task in server.wrongUploads.sorted() { violations.append("task \(task): uploaded other bytes") }
        let again = stories.values.count { $0.ends.count > 1 }
        return """
            \(killed.daemons) kills of the daemon, \(killed.clients) of clients, \(stories.count) tasks, \
            \(stories.values.count { $0.isComplete }) complete, \(acknowledged.count) seen acknowledged, \
            \(again) ends delivered again before their acknowledgement
            """
    }
}
