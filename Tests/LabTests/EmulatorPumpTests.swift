import NetworkMonitor
import FoundationEssentials
import Glibc
import LabKernel
import LinkEmulator
import Record
import ScenarioLanguage
import Conformance
import Synchronization
import Testing

@testable import Lab
@testable import LinkEngines

/// The emulator's thread at work between real namespaces. Trains of segments must cross whole where single packets need
/// not be examined, and yet be counted, captured and lost as single packets: the kernel's own counter of the far
/// device, which counts a train as one, is compared with ours. Other tests change the devices during traffic.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct EmulatorPumpTests {
    private static func far(_ lab: Lab) throws -> LinkStatistics {
        try NetlinkSocket(in: lab.internet).link(named: "wlan0-isp").statistics
    }

    @Test func `trains cross whole, and are counted and captured as single packets`() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pump-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("capture.pcapng").path
        let capture = try Capture.create(at: path)
        let link = try PumpLab(capture: capture)
        let count = 1 << 20
        try link.transfer(count)
        let carried = try Self.far(link.lab).received.packets
        link.lab.report()
        link.lab.stop()
        capture.close(keep: true)
        let counted = try #require(link.counts(.uplink))
        let captured = Self.packets(inCapture: [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))))
        #expect(captured.allSatisfy { $0.count <= 1500 && SampleChecks.isIntact($0) })
        let up = captured.filter { Self.isFromClient($0) }
        #expect(up.count == Int(counted.packets))
        #expect(up.reduce(0) { $0 + $1.count } == Int(counted.bytes))
        // 1,448 bytes of payload each, and a few more for the handshake.
        #expect(up.count >= count / 1448)
        #expect(carried * 2 < counted.packets, "the trains did not cross whole")
        #expect(link.failures == [])
    }

    @Test func `under loss a train loses single packets`() throws {
        let link = try PumpLab(up: [.loss(.packets([20, 21, 40]))])
        try link.transfer(1 << 18)
        link.lab.report()
        link.lab.stop()
        let lost = link.facts.compactMap { fact -> (UInt64, Int)? in
            guard case .packet(.wifi, .uplink, let index, let length, .dropped("loss"), _) = fact else { return nil }
            return (index, length)
        }
        #expect(lost.map(\.0) == [20, 21, 40])
        #expect(lost.allSatisfy { $0.1 <= 1500 })
        #expect(link.failures == [])
    }

    @Test func `an interface that is deleted during traffic is reported, and the lab ends cleanly`() throws {
        let link = try PumpLab(both: true)
        defer { link.lab.stop() }
        try link.send(50)
        let netlink = try NetlinkSocket(in: link.lab.client)
        try netlink.deleteLink(try netlink.link(named: "wlan0").index)
        // From the other side, packets are still sent towards the deleted interface.
        try link.sendBack(50)
        link.lab.report()
        #expect(link.facts.contains(.interfaceChanged(.wifi, "wlan0 has been deleted; it no longer carries packets")))
        #expect(link.failures == [])
        // The pump still serves the other interface.
        #expect(try link.carries(over: .cellular))
    }

    @Test func `an interface that is set down during traffic carries packets again once it is up`() throws {
        let link = try PumpLab()
        defer { link.lab.stop() }
        let netlink = try NetlinkSocket(in: link.lab.client)
        let index = try netlink.link(named: "wlan0").index
        for _ in 0..<3 {
            try link.send(20)
            try link.sendBack(20)
            try netlink.setDown(index)
            try link.sendBack(20)
            try netlink.setUp(index)
            try #require(try netlink.waitUntilReady(index, until: MonotonicClock.deadline(after: 5_000_000_000)))
        }
        #expect(try link.carries(over: .wifi))
        #expect(link.failures == [])
    }

    @Test func `packets that overflow a device's queue are counted and reported`() throws {
        let link = try PumpLab()
        defer { link.lab.stop() }
        try Self.starving(threads: 2) {
            let before = try link.offered(.uplink)
            let dropped = try NetlinkSocket(in: link.lab.client).link(named: "wlan0").statistics.sent.dropped
            let sent = try link.send(30_000)
            // The queue has 5,000 places, so once it is empty, each packet has either reached the link or was lost
            // there.
            var (offered, lost) = (0, 0)
            let end = MonotonicClock.deadline(after: 20_000_000_000)
            repeat {
                offered = try link.offered(.uplink) - before
                lost = Int(
                    try NetlinkSocket(in: link.lab.client).link(named: "wlan0").statistics.sent.dropped - dropped)
            } while offered + lost < sent && MonotonicClock.now() < end
            #expect(offered + lost == sent)
            #expect(lost > 0)
        }
        link.lab.report()
        #expect(
            link.facts.contains {
                guard case .interfaceChanged(.wifi, let text) = $0 else { return false }
                return text.contains("lost before the link: the machine was too slow")
            })
        #expect(try link.carries(over: .wifi))
    }

    @Test func `a starved emulator reports that it ran late and did not keep its condition`() throws {
        let link = try PumpLab(up: [.delay(.milliseconds(20), jitter: nil)])
        defer { link.lab.stop() }
        var sent = 0
        try Self.starving(threads: 16 * ProcessInfo.processInfo.activeProcessorCount) {
            sent = try link.send(600, every: 2_000_000)
        }
        // All packets that were sent are released, however late.
        let end = MonotonicClock.deadline(after: 20_000_000_000)
        while try link.delivered(.uplink) < sent, MonotonicClock.now() < end {}
        link.lab.report()
        let measured = try #require(
            link.facts.compactMap { fact -> NetworkFact.Measurement? in
                guard case .conditionMeasured(.wifi, .uplink, let measured) = fact, measured.means == .traffic else {
                    return nil
                }
                return measured
            }.last)
        #expect(measured.text.contains("the machine was too slow for this condition"))
        #expect(link.late.contains { $0.hasPrefix("wlan0 uplink: the machine was too slow for this condition") })
    }

    /// Competing load: as many threads that never sleep, with the emulator's thread at the lowest priority.
    private static func starving(threads: Int, _ body: () throws -> Void) throws {
        let box = StopBox()
        var crowd: [DedicatedThread] = []
        for number in 0..<threads {
            crowd.append(try DedicatedThread(name: "crowd-\(number)") { while !box.stop.load(ordering: .relaxed) {} })
        }
        defer {
            box.stop.store(true, ordering: .relaxed)
            crowd.removeAll()
            setNiceness(0)
        }
        setNiceness(19)
        try body()
    }

    private final class StopBox: Sendable {
        let stop = Atomic(false)
    }

    private static func setNiceness(_ value: CInt) {
        for task in (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? [] {
            let name = try? String(contentsOfFile: "/proc/self/task/\(task)/comm", encoding: .utf8)
            if name == "cw-pump\n", let id = UInt32(task) { _ = setpriority(CInt(PRIO_PROCESS.rawValue), id, value) }
        }
    }

    // MARK: - Captures

    private static func packets(inCapture bytes: [UInt8]) -> [[UInt8]] {
        func word(_ place: Int) -> Int { (0..<4).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) } }
        var found: [[UInt8]] = []
        var place = 0
        while place + 12 <= bytes.count {
            if word(place) == 6 { found.append(Array(bytes[place + 28..<place + 28 + word(place + 20)])) }
            place += word(place + 4)
        }
        return found
    }

    private static func isFromClient(_ packet: [UInt8]) -> Bool { packet[12..<16] == [192, 0, 2, 2] }
}

/// Verifies IPv4 packets without the code under test.
private enum SampleChecks {
    static func sum(_ bytes: some Collection<UInt8>) -> Int {
        var (total, isHigh) = (0, true)
        for byte in bytes {
            total += isHigh ? Int(byte) << 8 : Int(byte)
            isHigh.toggle()
        }
        while total > 0xFFFF { total = (total & 0xFFFF) + total >> 16 }
        return total
    }

    static func isIntact(_ packet: [UInt8]) -> Bool {
        guard packet[0] == 0x45, sum(packet[..<20]) == 0xFFFF, Int(packet[2]) << 8 | Int(packet[3]) == packet.count
        else { return false }
        let transport = packet[20...]
        let pseudo = packet[12..<20] + [0, packet[9], UInt8(transport.count >> 8), UInt8(transport.count & 255)]
        return sum(Array(pseudo) + transport) == 0xFFFF
    }
}
