import Harness
import LinuxNet
import Scenario

/// Datagrams per second from end to end, offered as fast as one thread can.
enum PacketFigures {
    static func measure(_ options: BenchOptions) throws -> [Figure] {
        var figures: [Figure] = []
        for bytes in [64, 1_472] {
            var samples: [EngineChoice: [Double]] = [:]
            for _ in 0..<options.repetitions(5) {
                for engine in [EngineChoice.kernel, .emulator] {
                    let lab = try BenchLab(engine)
                    samples[engine, default: []].append(try carried(lab, bytes, for: options.isQuick ? 100_000_000 : 700_000_000))
                    lab.stop()
                }
            }
            let veth = Figure("veth (kernel engine), \(bytes) B datagrams", .thousandPackets, samples[.kernel] ?? [])
            figures += [Figure("emulator, \(bytes) B datagrams", .thousandPackets, samples[.emulator] ?? [], aim: bytes == 64 ? .atLeast(450) : nil, against: veth), veth]
        }
        return figures
    }

    /// Thousands per second that came out of the far interface, as it counts them itself: nobody reads them, so only the link works.
    private static func carried(_ lab: borrowing BenchLab, _ bytes: Int, for nanoseconds: Int64) throws -> Double {
        let receiver = try lab.internet.bindUDP(on: SocketAddress(lab.far, port: 0))
        let sender = try lab.client.connectUDP(to: try receiver.localAddress())
        let netlink = try NetlinkSocket(in: lab.internet)
        let index = try netlink.link(named: lab.farName).index
        let payload = [UInt8](repeating: 0x55, count: bytes)
        let raw = sender.withRaw { $0 }
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
        return Double(after - before) * 1e6 / Double(MonotonicClock.now() - begun)
    }
}
