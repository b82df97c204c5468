import Foundation

/// Puts a session under load and prints measurements as one JSON object; the benchmarks run it next to curl.
@main
enum SessionLoad {
    private static let usage = """
        usage: session-load adaptable|foundation requests URL COUNT AT-A-TIME   small requests
               session-load adaptable|foundation downloads URL COUNT            one after another, to a file
               session-load adaptable|foundation uploads URL COUNT BYTES        one after another, from a file
               session-load adaptable|foundation tasks URL COUNT                all on one session at once
               session-load adaptable|foundation posts URL COUNT PAUSE          one after another, up to PAUSE µs between two
               session-load adaptable stress URL COUNT SEED [LARGE-URL]          random cancellations
               session-load kills COUNT SEED                                     of the transfer daemon and its clients
               session-load queue URL COUNT                                      downloads in the transfer daemon

        Prints one JSON object. Ends with 1 if an exchange failed, or if the random cancellations caused a violation: a second
        completion, a callback after it, a task that never completed, or memory, descriptors or files that were retained.
        """

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        if let word = words.first, ["kills", "background-client", "queue", "queue-create", "queue-run"].contains(word) {
            return background(words)
        }
        guard words.count >= 4, let url = URL(string: words[2]), let count = Int(words[3]), count > 0 else {
            end(usage)
        }
        let number = words.count > 4 ? Int(words[4]).flatMap { $0 >= 0 ? $0 : nil } : nil
        switch words[1] {
        case "requests":
            guard let atATime = number, atATime > 0 else { end(usage) }
            let session = session(words[0], connections: atATime)
            report(Load(count: count) { session.get(url, done: $0) }.run(atATime: atATime), count)
        case "downloads":
            let session = session(words[0], connections: 1)
            report(Load(count: count) { session.download(url, done: $0) }.run(atATime: 1), count)
        case "uploads":
            guard let bytes = number else { end(usage) }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "session-load-\(UUID().uuidString)")
            do {
                try Data().write(to: file)
                try FileHandle(forWritingTo: file).truncate(atOffset: UInt64(bytes))
            } catch { end("session-load: \(error)") }
            let session = session(words[0], connections: 1)
            let result = Load(count: count) { session.upload(file, to: url, done: $0) }.run(atATime: 1)
            try? FileManager.default.removeItem(at: file)
            report(result, count)
        case "tasks":
            let session = session(words[0], connections: 6)
            report(Load(count: count) { session.get(url, done: $0) }.run(atATime: count), count)
        case "posts":
            guard let pause = number else { end(usage) }
            let session = session(words[0], connections: 1)
            let load = Load(count: count) { done in
                usleep(UInt32(clamping: Int.random(in: 0...pause)))
                session.post(url, done: done)
            }
            report(load.run(atATime: 1), count)
        case "stress":
            guard words[0] == "adaptable", let seed = number else { end(usage) }
            let large = words.count > 5 ? URL(string: words[5]) : url
            guard let large else { end(usage) }
            let report = StressReport(url: url, large: large, count: count, seed: UInt64(seed))
            print(report.text)
            for violation in report.violations {
                FileHandle.standardError.write(Data("session-load: \(violation)\n".utf8))
            }
            exit(report.violations.isEmpty ? 0 : 1)
        default: end(usage)
        }
    }

    private static func background(_ words: [String]) {
        if words.count == 6, let generation = Int(words[3]), let first = Int(words[4]), let port = Int(words[5]) {
            SweepClient.play(
                folder: words[1], session: words[2], generation: generation, first: first, port: port)
        }
        if words.count == 3, words[0].hasPrefix("queue"), let url = URL(string: words[1]), let count = Int(words[2]),
            count > 0
        {
            guard words[0] == "queue" else {
                return TransferQueue.play(String(words[0].dropFirst("queue-".count)), url, count)
            }
            do {
                print(try TransferQueue.measure(url, count))
                exit(0)
            } catch { end("session-load: \(error)") }
        }
        guard words.count == 3, words[0] == "kills", let kills = Int(words[1]), kills > 0, let seed = UInt64(words[2])
        else { end(usage) }
        do {
            let sweep = try KillSweep(kills: kills, seed: seed)
            print(try sweep.run())
            for violation in sweep.violations {
                FileHandle.standardError.write(Data("session-load: \(violation)\n".utf8))
            }
            exit(sweep.violations.isEmpty ? 0 : 1)
        } catch { end("session-load: \(error)") }
    }

    private static func session(_ name: String, connections: Int) -> any LoadedSession {
        switch name {
        case "adaptable": AdaptableLoad(connections: connections)
        case "foundation": FoundationLoad(connections: connections)
        default: end(usage)
        }
    }

    private static func report(_ result: (seconds: Double, bytes: Int, failed: Int), _ count: Int) {
        let figures = ProcessStatistics()
        print(
            """
            {"exchanges":\(count),"failed":\(result.failed),"bytes":\(result.bytes),"seconds":\(result.seconds),\
            "peakMiB":\(figures.peakMebibytes),"descriptors":\(figures.descriptors)}
            """)
        exit(result.failed == 0 ? 0 : 1)
    }

    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(2)
    }
}
