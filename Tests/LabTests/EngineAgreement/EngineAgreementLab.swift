import FoundationEssentials
import Lab
import InternetAddresses
import LabKernel
import LinkEmulator
@testable import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage
import Synchronization
import Testing

/// A link between two namespaces under a condition that the test selects, made by either engine, with the test's own
/// packets on it.
struct EngineAgreementLab {
    /// Set by scripts/netem-test under a user-mode kernel: its single slow processor does not represent the emulator,
    /// whose half of these tests runs on the machine itself.
    private static let isUserMode = ProcessInfo.processInfo.environment["CROSSWIND_USER_MODE_KERNEL"] == "1"
    static let engines: [EngineChoice] = isUserMode ? [.kernel] : [.emulator, .kernel]
    static let canBuild = Rootless.mayAdminister && MachineCheck.networkNamespaces().isOK && MachineCheck.tun().isOK
    static let hasNetem = MachineCheck.qdisc("netem", required: false, .netem(.init(), bottleneck: nil)).isOK
    /// Set by scripts/netem-test, because without netem every test of the kernel engine would pass without testing
    /// anything.
    static let expectsNetem = ProcessInfo.processInfo.environment["CROSSWIND_EXPECTS_NETEM"] == "1"

    let lab: Lab
    private let facts: FactList

    private final class FactList: Sendable {
        let all = Mutex<[NetworkFact]>([])
        let failures = Mutex<[String]>([])
    }

    /// Returns nil where the kernel engine rightly refuses, after checking that the reason names what is missing.
    static func make(
        _ engine: EngineChoice, up: [LinkEffect] = [], down: [LinkEffect] = []
    ) throws -> EngineAgreementLab? {
        let isRefused = engine == .kernel && !hasNetem && (up + down).contains(where: needsNetem)
        do throws(LabError) {
            let lab = try EngineAgreementLab(engine, up, down)
            #expect(!isRefused, "the kernel engine took a condition that needs netem, which is missing")
            return lab
        } catch {
            guard isRefused, case .cannotExpress(_, engine: "kernel", let reason) = error else { throw error }
            #expect(reason.contains("netem"))
            #expect(!expectsNetem, "CROSSWIND_EXPECTS_NETEM=1 and this kernel lacks netem")
            return nil
        }
    }

    init(_ engine: EngineChoice, _ up: [LinkEffect], _ down: [LinkEffect]) throws(LabError) {
        var plan = NetworkPlan()
        plan.interfaces = [InterfacePlan(kind: .wifi, link: Self.link(up: up, down: down))]
        let facts = FactList()
        self.facts = facts
        lab = try Lab(plan, engine: engine, seed: 7, capture: nil, breakpoints: []) { observation in
            switch observation {
            case .fact(let fact): facts.all.withLock { $0.append(fact) }
            case .packetBreakpoint: break
            // These tests have bounds of their own.
            case .late: break
            case .failed(let reason): facts.failures.withLock { $0.append(reason) }
            }
        }
    }

    /// Must be called at the end of every test: an engine that failed during the test would otherwise look like a lossy
    /// link.
    func finish() {
        lab.stop()
        #expect(facts.failures.withLock { $0 } == [])
    }

    var seen: [NetworkFact] { facts.all.withLock { $0 } }

    static func link(up: [LinkEffect] = [], down: [LinkEffect] = []) -> LinkPlan {
        LinkPlan(name: "custom", downlink: Condition(down), uplink: Condition(up))
    }

    static func needsNetem(_ effect: LinkEffect) -> Bool {
        switch effect {
        case .delay, .loss, .duplicate, .reorder, .corrupt: true
        case .rate, .queue, .mtu, .outages, .promotion, .filter: false
        }
    }
}

// MARK: - Packets

extension EngineAgreementLab {
    /// Uses another port than the lab's own probes, so these packets are traffic.
    func probe(_ direction: LinkDirectionName, ipv6: Bool = false) throws -> LinkProbe {
        let plan = Addressing.interface(.wifi)
        let near = try #require(IPAddress(ipv6 ? plan.client6 : plan.client4))
        let far = try #require(IPAddress(ipv6 ? plan.network6 : plan.network4))
        return switch direction {
        case .uplink: try .make(from: lab.client, source: near, device: "wlan0", to: lab.internet, destination: far)
        case .downlink: try .make(from: lab.internet, source: far, to: lab.client, destination: near)
        }
    }

    func measure(
        _ direction: LinkDirectionName, packets: Int, bytes: Int = 100, interval: Int64 = 0, patience: Int64 = 300,
        ipv6: Bool = false
    ) throws -> LinkProbe.Measurement {
        let train = LinkProbe.Train(
            packets: packets, payloadBytes: bytes - (ipv6 ? 48 : 28), interval: interval, patience: patience * 1_000_000
        )
        return try probe(direction, ipv6: ipv6).measure(train, until: MonotonicClock.deadline(after: 20_000_000_000))
    }

    /// Transfers `count` bytes by TCP and returns the rate at which they arrived, in bits of payload per second, after
    /// the first quarter.
    func transfer(_ direction: LinkDirectionName, bytes count: Int) throws -> Double {
        let plan = Addressing.interface(.wifi)
        let target = try #require(IPAddress(direction == .uplink ? plan.network4 : plan.client4))
        let (from, to) = direction == .uplink ? (lab.client, lab.internet) : (lab.internet, lab.client)
        let listener = try to.listenTCP(on: SocketAddress(target, port: 0))
        let sender = try from.connectTCP(to: try listener.localAddress())
        let receiver = try Self.accepted(listener)
        var poller = try Poller.make(capacity: 2)
        try receiver.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: 0) }
        try sender.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .writable, token: 1) }
        let block = [UInt8](repeating: 0x5A, count: 65_536)
        let deadline = MonotonicClock.deadline(after: 20_000_000_000)
        var (sent, received) = (0, 0)
        var first: (moment: Int64, bytes: Int)?
        while received < count {
            while sent < count, let taken = try sender.send(Array(block.prefix(count - sent))) { sent += taken }
            if sent >= count {
                try sender.withRaw { raw throws(SystemCallError) in try poller.modify(raw, for: [], token: 1) }
            }
            while let bytes = try receiver.receive(), !bytes.isEmpty { received += bytes.count }
            if first == nil, received * 4 > count { first = (MonotonicClock.now(), received) }
            guard received < count else { break }
            guard try poller.wait(until: deadline, { _ in }) > 0 else { throw TooSlow(received: received) }
        }
        let start = try #require(first)
        return Double((received - start.bytes) * 8) * 1e9 / Double(max(MonotonicClock.now() - start.moment, 1))
    }

    private static func accepted(_ listener: borrowing OwnedDescriptor) throws -> OwnedDescriptor {
        let deadline = MonotonicClock.deadline(after: 5_000_000_000)
        while true {
            if let connection = try listener.accept() { return connection }
            let readiness = try listener.withRaw { raw throws(SystemCallError) in
                try Poller.wait(for: raw, .readable, until: deadline)
            }
            if readiness.isEmpty { throw TooSlow(received: 0) }
        }
    }

    struct TooSlow: Error { var received: Int }
}

// MARK: - Facts

extension EngineAgreementLab {
    func requested(_ direction: LinkDirectionName) -> [String] {
        seen.compactMap { fact in
            guard case .conditionRequested(.wifi, direction, let requested) = fact else { return nil }
            return requested.text
        }
    }

    func measured(_ direction: LinkDirectionName) -> [NetworkFact.Measurement] {
        seen.compactMap { fact in
            guard case .conditionMeasured(.wifi, direction, let measurement) = fact else { return nil }
            return measurement
        }
    }

    func counts(_ direction: LinkDirectionName) -> [(packets: UInt64, bytes: UInt64)] {
        seen.compactMap { fact in
            guard case .packetCounts(.wifi, direction, let packets, let bytes) = fact else { return nil }
            return (packets, bytes)
        }
    }
}
