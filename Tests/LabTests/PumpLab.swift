import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Record
import ScenarioLanguage
import Synchronization
import Testing

@testable import Lab
@testable import LinkEngines

/// A lab with the emulator that collects all of its reports, with datagrams that cross it without a receiver.
final class PumpLab {
    let lab: Lab
    private let reported: Reported

    private final class Reported: Sendable {
        let facts = Mutex<[NetworkFact]>([])
        let late = Mutex<[String]>([])
        let breakpoints = Mutex<[PacketBreakpoint]>([])
        let failures = Mutex<[String]>([])
    }

    init(
        up: [LinkEffect] = [], down: [LinkEffect] = [], both: Bool = false, capture: Capture? = nil,
        breakpoints: [PacketBreakpoint] = []
    ) throws {
        var plan = NetworkPlan()
        plan.families = .ipv4
        let link = LinkPlan(name: "custom", downlink: Condition(down), uplink: Condition(up))
        plan.interfaces = [InterfacePlan(kind: .wifi, link: link)]
        if both { plan.interfaces.append(InterfacePlan(kind: .cellular, link: .perfect)) }
        let reported = Reported()
        self.reported = reported
        lab = try Lab(plan, engine: .emulator, seed: 7, capture: capture, breakpoints: breakpoints) { observation in
            switch observation {
            case .fact(let fact): reported.facts.withLock { $0.append(fact) }
            case .packetBreakpoint(let breakpoint): reported.breakpoints.withLock { $0.append(breakpoint) }
            case .late(let words): reported.late.withLock { $0.append(words) }
            case .failed(let reason): reported.failures.withLock { $0.append(reason) }
            }
        }
    }

    var facts: [NetworkFact] { reported.facts.withLock { $0 } }
    var late: [String] { reported.late.withLock { $0 } }
    var breakpoints: [PacketBreakpoint] { reported.breakpoints.withLock { $0 } }
    var failures: [String] { reported.failures.withLock { $0 } }

    func counts(_ direction: LinkDirectionName) -> (packets: UInt64, bytes: UInt64)? {
        facts.compactMap { fact -> (packets: UInt64, bytes: UInt64)? in
            guard case .packetCounts(.wifi, direction, let packets, let bytes) = fact else { return nil }
            return (packets, bytes)
        }.last
    }

    func offered(_ direction: LinkDirectionName) throws -> Int {
        reported.facts.withLock { $0.removeAll() }
        lab.report()
        return Int(try #require(counts(direction)).packets)
    }

    func delivered(_ direction: LinkDirectionName) throws -> Int {
        Int(try #require(lab.traffic().first { $0.interface == .wifi && $0.direction == direction }).packets)
    }

    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    /// Sends datagrams from the client to a port without a listener; returns the number that the kernel accepted.
    @discardableResult
    func send(_ count: Int, every interval: Int64 = 0) throws -> Int {
        let plan = Addressing.interface(.wifi)
        return try send(
            count, every: interval, from: lab.client, to: SocketAddress(try address(plan.network4), port: 9))
    }

    @discardableResult
    func sendBack(_ count: Int) throws -> Int {
        let plan = Addressing.interface(.wifi)
        return try send(count, every: 0, from: lab.internet, to: SocketAddress(try address(plan.client4), port: 9))
    }

    private func send(_ count: Int, every interval: Int64, from namespace: NetworkNamespace, to target: SocketAddress)
        throws -> Int
    {
        let socket = try namespace.connectUDP(to: target)
        let begun = MonotonicClock.now()
        var taken = 0
        for number in 0..<count {
            while MonotonicClock.now() < begun + Int64(number) * interval {}
            // Nothing listens on the port, so a returned ICMP error may be reported instead of sending; then the datagram
            // is sent again.
            for _ in 0..<4 {
                do throws(SystemCallError) {
                    if try socket.send([UInt8](repeating: 1, count: 100)) != nil { taken += 1 }
                    break
                } catch {
                    _ = socket.pendingError()
                }
            }
        }
        return taken
    }

    func carries(over kind: InterfaceKind) throws -> Bool {
        let plan = Addressing.interface(kind)
        let probe = try LinkProbe.make(
            from: lab.client, source: try address(plan.client4), device: kind.linuxName, to: lab.internet,
            destination: try address(plan.network4))
        let train = LinkProbe.Train(packets: 20, interval: 1_000_000, patience: 1_000_000_000)
        return try probe.measure(train, until: MonotonicClock.deadline(after: 10_000_000_000)).lost == 0
    }

    /// Transfers `count` bytes by TCP from the client.
    func transfer(_ count: Int) throws {
        let plan = Addressing.interface(.wifi)
        let listener = try lab.internet.listenTCP(on: SocketAddress(try address(plan.network4), port: 0))
        let sender = try lab.client.connectTCP(to: try listener.localAddress())
        let deadline = MonotonicClock.deadline(after: 20_000_000_000)
        try listener.withRaw { raw throws(SystemCallError) in _ = try Poller.wait(for: raw, .readable, until: deadline)
        }
        let accepted = try #require(Accepted(try listener.accept()))
        let block = [UInt8](repeating: 0x5A, count: 65_536)
        var (sent, received) = (0, 0)
        while received < count {
            if sent < count, let taken = try sender.send(Array(block.prefix(count - sent))) { sent += taken }
            while let bytes = try accepted.socket.receive(), !bytes.isEmpty { received += bytes.count }
            try #require(MonotonicClock.now() < deadline, "only \(received) of \(count) bytes arrived")
        }
    }

    /// A descriptor cannot be passed through the macro.
    private final class Accepted {
        let socket: OwnedDescriptor
        init?(_ socket: consuming OwnedDescriptor?) {
            guard let socket else { return nil }
            self.socket = socket
        }
    }
}
