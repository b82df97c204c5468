import ScenarioLanguage
import Foundation
import InternetAddresses
import Lab
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor

/// The allocations of the whole emulator while packets pass through it, including the sockets of the benchmark.
enum MemoryBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        let packets = options.isQuick ? 20_000 : 100_000
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("crosswind-bench-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: log) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = [role, "\(packets)"]
        process.environment = ProcessInfo.processInfo.environment.merging(AllocationTrace.environment(logTo: log.path))
        { $1 }
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let carried =
            Double(String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).dropLast()) ?? 0
        process.waitUntilExit()
        guard process.terminationStatus == 0, carried > 0 else {
            throw NoTrace(why: "the traced process ended with \(process.terminationStatus)")
        }
        guard let text = try? String(contentsOf: log, encoding: .utf8), text.hasPrefix("= Start") else {
            throw NoTrace(why: "glibc wrote no trace; is libc_malloc_debug.so.0 installed?")
        }
        let count = Double(AllocationTrace.count(inLog: text))
        return [
            Measurement("packets through the emulator, loss and jitter drawn", .count, [carried]),
            Measurement(
                "allocations meanwhile, per 1,000 packets", .count, [count * 1_000 / carried], target: .atMost(1)),
        ]
    }

    static let role = "--traced"

    struct NoTrace: Error, CustomStringConvertible {
        let why: String
        var description: String { why }
    }

    /// Runs in the traced process: sends packets until the link has carried its highest load, then traces the same
    /// number again. Prints the number of packets that passed.
    static func playTraced(_ packets: Int) throws {
        // Drawn for every packet, but rare, because reporting a decision allocates text.
        guard let rare = Probability(0.000_001) else { preconditionFailure("a share") }
        let jitter = LinkEffect.Jitter(amount: .microseconds(100), allowsReordering: true)
        let lab = try BenchLab(
            .emulator,
            up: [
                .delay(.milliseconds(2), jitter: jitter), .loss(.independent(rare)), .duplicate(rare), .reorder(rare),
                .corrupt(rare),
            ])
        defer { lab.stop() }
        let receiver = try lab.internet.bindUDP(on: SocketAddress(lab.far, port: 0))
        let sender = try lab.client.connectUDP(to: try receiver.localAddress())
        let netlink = try NetlinkSocket(in: lab.internet)
        let index = try netlink.link(named: lab.farName).index
        let payload = [UInt8](repeating: 0x55, count: 200)
        func send(_ count: Int, every interval: Int64) throws {
            let begun = MonotonicClock.now()
            for number in 0..<count {
                while MonotonicClock.now() < begun + Int64(number) * interval {}
                _ = try sender.send(payload)
            }
        }
        // As fast as possible first, so that everything that grows with the load has grown.
        try send(packets, every: 0)
        try send(packets / 4, every: 10_000)
        let before = try netlink.link(index).statistics.received.packets
        AllocationTrace.start()
        try send(packets, every: 10_000)
        AllocationTrace.stop()
        print(try netlink.link(index).statistics.received.packets - before)
    }
}
