import Foundation
import InternetAddresses
import Lab
import LabKernel
import LinkEngines
import NetworkMonitor

/// Datagrams per second from end to end, offered as fast as one thread can.
enum PacketBenchmark {
    static func measure(_ options: BenchOptions) throws -> [Measurement] {
        var measurements: [Measurement] = []
        for bytes in [64, 1_472] {
            var samples: [EngineChoice: [Double]] = [:]
            var costs: [Double] = []
            for _ in 0..<options.repetitions(5) {
                for engine in [EngineChoice.kernel, .emulator] {
                    let lab = try BenchLab(engine)
                    let didConsume = try carried(lab, bytes, for: options.isQuick ? 100_000_000 : 700_000_000)
                    lab.stop()
                    samples[engine, default: []].append(didConsume.rate)
                    if let busy = didConsume.pump, busy > 0 { costs.append(didConsume.packets * 1e6 / busy) }
                }
            }
            let veth = Measurement(
                "veth (kernel engine), \(bytes) B datagrams", .thousandPackets, samples[.kernel] ?? [])
            let emulated = Measurement(
                "emulator, \(bytes) B datagrams", .thousandPackets, samples[.emulator] ?? [],
                target: bytes == 64 ? .atLeast(450) : nil, against: veth)
            // If the sender needs more processor time than the emulator, only this shows the emulator's capacity.
            measurements += [
                emulated,
                Measurement("emulator, \(bytes) B datagrams per second of its CPU time", .thousandPackets, costs), veth,
            ]
        }
        return measurements
    }

    struct Carried {
        /// Packets that left the far interface, by its own counter. They are not read, so that only the link works.
        var packets: Double
        /// Thousands of packets per second.
        var rate: Double
        /// Nanoseconds that the emulator's thread ran meanwhile; nil without an emulator.
        var pump: Double?
    }

    /// Sends datagrams of `bytes` from the client to the internet for so long.
    static func carried(_ lab: borrowing BenchLab, _ bytes: Int, for nanoseconds: Int64) throws -> Carried {
        let receiver = try lab.internet.bindUDP(on: SocketAddress(lab.far, port: 0))
        let sender = try lab.client.connectUDP(to: try receiver.localAddress())
        let netlink = try NetlinkSocket(in: lab.internet)
        let index = try netlink.link(named: lab.farName).index
        let payload = [UInt8](repeating: 0x55, count: bytes)
        let raw = sender.withRaw { $0 }
        let pumped = pumpTime()
        let (before, begun) = (try netlink.link(index).statistics.received.packets, MonotonicClock.now())
        let end = begun + nanoseconds
        var now = begun
        while now < end {
            for _ in 0..<64 where try sender.send(payload) == nil {
                _ = try Poller.wait(for: raw, .writable, until: end)
            }
            now = MonotonicClock.now()
        }
        let after = try netlink.link(index).statistics.received.packets
        let packets = Double(after - before)
        let busy = pumpTime().flatMap { end in pumped.map { end - $0 } }
        return Carried(packets: packets, rate: packets * 1e6 / Double(MonotonicClock.now() - begun), pump: busy)
    }

    /// Returns the nanoseconds that the emulator's thread has run so far (/proc, schedstat: the first number); nil if
    /// the thread does not exist.
    private static func pumpTime() -> Double? {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        for task in tasks
        where (try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)) == "cw-pump\n" {
            let words = try? String(contentsOfFile: "/proc/self/task/\(task)/schedstat", encoding: .utf8)
            return words?.split(separator: " ").first.flatMap { Double($0) }
        }
        return nil
    }
}
