import Foundation
import InternetAddresses
import Lab
import LabKernel
import NetworkMonitor

/// TCP throughput and round trips next to Mahimahi's shells, in the same run.
enum PeerBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let nanoseconds: Int64 = options.isQuick ? 200_000_000 : 1_000_000_000
        let trips: Int64 = options.isQuick ? 100 : 1_000
        var rates: [String: [Double]] = [:]
        var middles: [String: [Double]] = [:]
        let shells = Shell.all.filter { $0.refusal == nil }
        // The measurements alternate, so that all run under the same load.
        for _ in 0..<options.repetitions(3) {
            let lab = try BenchLab(.emulator)
            rates["emulator", default: []].append(try StreamBenchmark.carried(lab, for: nanoseconds))
            let echo = try TCPPeer(in: lab.internet, at: lab.far)
            let taken = try TCPPeer.roundTrips(from: lab.client, to: echo.address, count: trips)
            echo.finish()
            lab.stop()
            middles["emulator", default: []].append(middle(taken))
            for shell in shells {
                rates[shell.name, default: []].append(try shell.carried(for: nanoseconds))
                middles[shell.name, default: []].append(middle(try shell.roundTrips(trips)))
            }
        }
        var measurements: [Measurement] = []
        let own = (rates["emulator"] ?? [], middles["emulator"] ?? [])
        for shell in shells {
            let rate = Measurement("\(shell.name): TCP", .gigabits, rates[shell.name] ?? [])
            let trip = Measurement("\(shell.name): TCP round trip, p50", .microseconds, middles[shell.name] ?? [])
            measurements += [
                Measurement("emulator: TCP, beside \(shell.name)", .gigabits, own.0, against: rate), rate,
                Measurement("emulator: TCP round trip, beside \(shell.name), p50", .microseconds, own.1, against: trip),
                trip,
                Measurement(
                    "emulator over \(shell.name): TCP", .ratio, [own.0, rate.samples].map { $0.sorted() }.quotient,
                    target: .atLeast(8)),
            ]
        }
        if shells.isEmpty {
            measurements += [
                Measurement("emulator: TCP", .gigabits, own.0, target: .atLeast(10)),
                Measurement("emulator: TCP round trip, p50", .microseconds, own.1),
            ]
        }
        return measurements
    }

    /// The peers that could not be measured, each with its reason.
    static var missing: [String] {
        Shell.all.compactMap { shell in shell.refusal.map { "\(shell.name) was not measured: \($0)" } }
    }

    private static func middle(_ values: [Double]) -> Double {
        values.isEmpty ? .nan : values.sorted()[values.count / 2]
    }

    /// One of Mahimahi's shells. It is set-uid root and refuses to be started by root, so it is started as another
    /// user.
    private struct Shell {
        let name: String
        let program: String
        let arguments: [String]

        static let all: [Shell] = {
            // 1,000 opportunities of 1,500 bytes in the first millisecond, repeated: 12 Gbit/s.
            let trace = FileManager.default.temporaryDirectory.appendingPathComponent("crosswind-bench-12gbit.trace")
                .path
            try? String(repeating: "1\n", count: 1_000).write(toFile: trace, atomically: true, encoding: .utf8)
            return [
                Shell(name: "mm-delay 0", program: "mm-delay", arguments: ["0"]),
                Shell(name: "mm-loss uplink 0", program: "mm-loss", arguments: ["uplink", "0"]),
                Shell(name: "mm-link at 12 Gbit/s", program: "mm-link", arguments: [trace, trace]),
            ]
        }()

        var refusal: String? {
            guard ProgramSearch.installed(program) != nil else {
                return "\(program) is not installed (package mahimahi)"
            }
            guard getuid() != 0 || ProgramSearch.installed("setpriv") != nil else {
                return "\(program) refuses root, and setpriv is missing"
            }
            return nil
        }

        private func command(_ role: String, _ port: UInt16, _ amount: Int64) -> [String] {
            let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
            // The shell reports the address of the outside in a variable.
            let inside =
                [program] + arguments + ["sh", "-c", "exec \"$0\" \(role) \"$MAHIMAHI_BASE\" \(port) \(amount)", own]
            return (getuid() == 0 ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : []) + inside
        }

        private func start(_ words: [String]) throws -> (process: Process, output: Pipe) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = words
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            return (process, output)
        }

        func carried(for nanoseconds: Int64) throws -> Double {
            let here = try NetworkNamespace.current()
            let listener = try here.listenTCP(on: SocketAddress(try IPAddress.required("0.0.0.0"), port: 0))
            let port = try listener.localAddress().port
            let sender = try start(command("--stream-to", port, nanoseconds * 2))
            defer { sender.process.waitUntilExit() }
            try listener.withRaw { raw throws(SystemCallError) in
                _ = try Poller.wait(for: raw, .readable, until: MonotonicClock.deadline(after: 5_000_000_000))
            }
            guard let accepted = try listener.accept() else { throw Silence(name: name) }
            return try StreamBenchmark.received(
                by: accepted, until: MonotonicClock.deadline(after: nanoseconds), nanoseconds)
        }

        func roundTrips(_ count: Int64) throws -> [Double] {
            let echo = try TCPPeer(in: try NetworkNamespace.current(), at: try IPAddress.required("0.0.0.0"))
            let pings = try start(command("--ping", echo.address.port, count))
            let text = String(decoding: pings.output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            pings.process.waitUntilExit()
            echo.finish()
            return text.split(separator: "\n").compactMap { Double($0) }
        }
    }

    private struct Silence: Error, CustomStringConvertible {
        let name: String
        var description: String { "no output from \(name) within 5 s" }
    }
}

extension [[Double]] {
    /// The quotient of the two medians.
    fileprivate var quotient: [Double] {
        guard count == 2, !self[0].isEmpty, !self[1].isEmpty else { return [] }
        return [self[0][self[0].count / 2] / self[1][self[1].count / 2]]
    }
}
