import Foundation
import Synchronization

/// Starts a worker for each target, as many at a time as there are processors, and reports the result of each.
struct FuzzParent {
    let options: FuzzOptions
    let program: String

    /// An input takes microseconds; if a thousand of them take this long, the target hangs.
    private static let timeout: TimeInterval = 120

    /// Minimum percentage of accepted inputs.
    private static let minimumProcessed = 5.0

    /// The last report of a worker.
    private final class Progress: Sendable {
        struct State {
            var at: UInt64
            var lastProgress = Date()
            var finding: String?
            var taken = 0
            var begun = Date()
        }
        let state: Mutex<State>
        init(_ from: UInt64) { state = Mutex(State(at: from)) }

        func update(_ line: Substring) {
            state.withLock { state in
                state.lastProgress = Date()
                if line.hasPrefix("at "), let number = UInt64(line.dropFirst(3)) {
                    state.at = number
                } else if line.hasPrefix("taken "), let number = Int(line.dropFirst(6)) {
                    state.taken = number
                } else {
                    state.finding = String(line)
                }
            }
        }
    }

    private struct Worker {
        let target: any FuzzTarget.Type
        let process: Process
        let progress: Progress
        let output: Thread
    }

    func run() throws -> Int32 {
        var waiting = options.targets[...]
        var running: [Worker] = []
        var failures = 0
        var lastReported = Date()
        while !waiting.isEmpty || !running.isEmpty {
            while running.count < ProcessInfo.processInfo.activeProcessorCount, let target = waiting.popFirst() {
                running.append(try start(target))
            }
            Thread.sleep(forTimeInterval: 0.05)
            running.removeAll { worker in
                let silence = Date().timeIntervalSince(worker.progress.state.withLock { $0.lastProgress })
                if worker.process.isRunning, silence > FuzzParent.timeout {
                    kill(worker.process.processIdentifier, SIGKILL)
                }
                guard !worker.process.isRunning, worker.output.isFinished else { return false }
                if !reportProgress(worker) { failures += 1 }
                return true
            }
            if Date().timeIntervalSince(lastReported) > 10 {
                lastReported = Date()
                for worker in running {
                    let done = worker.progress.state.withLock { $0.at } - options.from
                    write("\(worker.target.name): \(done) of \(options.count)", to: .standardError)
                }
            }
        }
        return failures == 0 ? 0 : 1
    }

    private func start(_ target: any FuzzTarget.Type) throws -> Worker {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "--worker", target.name, "--count", "\(options.count)", "--seed", "\(options.seed)", "--from",
            "\(options.from)",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        let progress = Progress(options.from)
        try process.run()
        let reading = pipe.fileHandleForReading
        let output = Thread {
            var left = ""
            while case let data = reading.availableData, !data.isEmpty {
                left += String(decoding: data, as: UTF8.self)
                while let end = left.firstIndex(of: "\n") {
                    progress.update(left[..<end])
                    left.removeSubrange(...end)
                }
            }
        }
        output.start()
        return Worker(target: target, process: process, progress: progress, output: output)
    }

    /// Prints the result; returns false if the target has a finding.
    private func reportProgress(_ worker: Worker) -> Bool {
        let state = worker.progress.state.withLock { $0 }
        let end = options.from + options.count
        let seconds = Date().timeIntervalSince(state.begun)
        let name = worker.target.name
        if worker.process.terminationStatus == 0, worker.process.terminationReason == .exit, state.at == end {
            let share = 100 * Double(state.taken) / Double(options.count)
            // Inputs that are rejected immediately do not test anything after the check.
            let isProof = share >= FuzzParent.minimumProcessed
            write(
                "\(isProof ? "ok      " : "FINDING ") \(name): \(options.count) inputs in \(Int(seconds.rounded())) s, \(Int(share)) % of them accepted\(isProof ? "" : ", which is too few: the target's inputs test little")"
            )
            return isProof
        }
        let what =
            state.finding
            ?? (Date().timeIntervalSince(state.lastProgress) > FuzzParent.timeout
                ? "hung"
                : "died with \(worker.process.terminationReason == .exit ? "status" : "signal") \(worker.process.terminationStatus)")
        write("FINDING  \(name): \(what)")
        write(
            "         reproduce: crosswind-fuzz \(name) --seed \(options.seed) --from \(state.at) --count \(FuzzWorker.stretch)"
        )
        return false
    }

    private func write(_ line: String, to handle: FileHandle = .standardOutput) {
        handle.write(Data((line + "\n").utf8))
    }
}
