import Foundation

/// Puts a session under load and prints figures as one JSON object; the benchmarks run it beside curl.
@main
enum SessionLoad {
    private static let usage = """
        usage: session-load adaptable|foundation requests URL COUNT AT-A-TIME   small requests
               session-load adaptable|foundation downloads URL COUNT            one after another, to a file
               session-load adaptable|foundation tasks URL COUNT                all on one session at once
               session-load adaptable storm URL COUNT SEED                      random cancellations
        """

    static func main() {
        let words = Array(CommandLine.arguments.dropFirst())
        guard words.count >= 4, let url = URL(string: words[2]), let count = Int(words[3]), count > 0 else { end(usage) }
        let number = words.count > 4 ? Int(words[4]) : nil
        switch words[1] {
        case "requests":
            guard let atATime = number, atATime > 0 else { end(usage) }
            let session = session(words[0], connections: atATime)
            report(Load(count: count) { session.get(url, done: $0) }.run(atATime: atATime), count)
        case "downloads":
            let session = session(words[0], connections: 1)
            report(Load(count: count) { session.download(url, done: $0) }.run(atATime: 1), count)
        case "tasks":
            let session = session(words[0], connections: 6)
            report(Load(count: count) { session.get(url, done: $0) }.run(atATime: count), count)
        case "storm":
            guard words[0] == "adaptable", let seed = number else { end(usage) }
            let result = CancellationStorm(url: url, count: count).run(seed: UInt64(seed))
            print(
                """
                {"tasks":\(count),"cancelled":\(result.cancelled),"succeeded":\(result.succeeded),"failed":\(result.failed),\
                "completedTwice":\(result.completedTwice),"residentMiB":\(residentMebibytes),"descriptors":\(descriptors)}
                """)
            exit(result.completedTwice == 0 ? 0 : 1)
        default: end(usage)
        }
    }

    private static func session(_ name: String, connections: Int) -> any LoadedSession {
        switch name {
        case "adaptable": AdaptableLoad(connections: connections)
        case "foundation": FoundationLoad(connections: connections)
        default: end(usage)
        }
    }

    private static func report(_ result: (seconds: Double, bytes: Int, failed: Int), _ count: Int) {
        print(
            """
            {"exchanges":\(count),"failed":\(result.failed),"bytes":\(result.bytes),"seconds":\(result.seconds),\
            "residentMiB":\(residentMebibytes),"descriptors":\(descriptors)}
            """)
        exit(result.failed == 0 ? 0 : 1)
    }

    private static func end(_ message: String) -> Never {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
        exit(2)
    }

    /// The most that this process has held.
    private static var residentMebibytes: Double {
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) } ?? .nan) / 1024
    }

    private static var descriptors: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? -1 }
}
