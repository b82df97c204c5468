import Foundation
import Harness
import NetworkMonitor

/// The overhead of the harness: the duration of the whole suite next to its longest scenario and its CPU time.
enum SuiteBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let home = try InstallLayout.find()
        let program = home.programFolder + "/crosswind"
        guard FileManager.default.isExecutableFile(atPath: program) else { throw SuiteProblem.noProgram(program) }
        var (wall, bound, ratio, processor): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
        for _ in 0..<options.repetitions(3) {
            let run = try Run(program, scenarios: home.folder + (options.isQuick ? "/Scenarios/order" : "/Scenarios"))
            let limit = max(run.longest, run.processorSeconds / Double(ProcessInfo.processInfo.activeProcessorCount))
            wall.append(run.wall)
            bound.append(limit)
            ratio.append(run.wall / limit)
            processor.append(run.processorSeconds * 1_000 / Double(run.scenarios))
        }
        let limit = Measurement("the larger of longest scenario and CPU / processors", .seconds, bound)
        return [
            Measurement("suite, Python adapter: wall time", .seconds, wall, against: limit), limit,
            Measurement("suite: wall time over that limit", .ratio, ratio, target: .atMost(1.2)),
            Measurement("suite: CPU per scenario, adapter included", .milliseconds, processor, target: .atMost(60)),
        ]
    }

    enum SuiteProblem: Error, CustomStringConvertible {
        case noProgram(String)
        case noSummary(String)
        var description: String {
            switch self {
            case .noProgram(let path): "\(path) is not built; run: scripts/build crosswind"
            case .noSummary(let why): "the suite wrote no summary: \(why)"
            }
        }
    }

    private struct Run {
        let wall: Double
        let longest: Double
        let scenarios: Int
        /// CPU time of the program and all children it waited for, including adapters.
        let processorSeconds: Double

        private struct Summary: Decodable {
            struct Scenario: Decodable { let seconds: Double }
            let runs: [Scenario]
        }

        init(_ program: String, scenarios: String) throws {
            let out = FileManager.default.temporaryDirectory.appendingPathComponent(
                "crosswind-bench-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: out) }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: program)
            process.arguments = ["run", scenarios, "--adapter", "python", "--out", out.path]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            let (before, begun) = (try Self.childrenSeconds(), MonotonicClock.now())
            try process.run()
            process.waitUntilExit()
            wall = Double(MonotonicClock.now() - begun) / 1e9
            processorSeconds = try Self.childrenSeconds() - before
            let file = out.appendingPathComponent("summary.json")
            guard let data = try? Data(contentsOf: file) else {
                throw SuiteProblem.noSummary("\(program) ended with status \(process.terminationStatus)")
            }
            let runs = try JSONDecoder().decode(Summary.self, from: data).runs
            guard let longest = runs.map(\.seconds).max(), longest > 0 else {
                throw SuiteProblem.noSummary("no scenario ran")
            }
            self.longest = longest
            self.scenarios = runs.count
        }

        /// Returns the CPU time of reaped children and theirs (proc(5), stat: cutime and cstime, in hundredths of a
        /// second).
        private static func childrenSeconds() throws -> Double {
            let text = try String(contentsOfFile: "/proc/self/stat", encoding: .utf8)
            // The second field is the name in parentheses, which may contain spaces.
            let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
            guard fields.count > 14, let user = Double(fields[14]), let system = Double(fields[15]) else { return .nan }
            return (user + system) / 100
        }
    }
}
