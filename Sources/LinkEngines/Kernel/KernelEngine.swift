import LabKernel
import LinkEmulator
import NetworkMonitor
import Record
import ScenarioLanguage

/// Realises conditions with veth pairs and the kernel's queueing disciplines.
final class KernelEngine: LinkEngine {
    private struct Ends {
        var client: End
        var network: End

        mutating func begin() throws(NetlinkError) {
            try client.begin()
            try network.begin()
        }
    }

    private var links: [InterfaceKind: Ends] = [:]
    private let observer: LinkObserver
    let name = "kernel"
    let hasNeighbours = true
    /// The probe packets of measurements during the run, excluded from the counts.
    let probes = ProbeTally()
    /// The Ethernet header that a veth adds to each packet; conditions and counts refer to layer 3.
    static let linkHeader: Int32 = 14

    private let capture: KernelCapture?

    init(capture: Capture?, client: NetworkNamespace, observer: @escaping LinkObserver) throws(LabError) {
        self.observer = observer
        do throws(SystemCallError) {
            self.capture = try capture.map { capture throws(SystemCallError) in
                try KernelCapture(into: capture, in: client, observer: observer)
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    func makeLink(
        _ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState
    ) throws(LabError) {
        do throws(NetlinkError) {
            let netlink = try NetlinkSocket(in: client)
            let far = try NetlinkSocket(in: internet)
            try netlink.makeVirtualEthernetPair(
                name: kind.linuxName, peerName: kind.networkName, peerIn: internet, sendsWholePackets: true)
            let near = try netlink.link(named: kind.linuxName)
            var ends = Ends(
                client: End(near.index, netlink), network: End(try far.link(named: kind.networkName).index, far))
            try ends.begin()
            links[kind] = ends
            do throws(SystemCallError) { try capture?.add(kind, index: near.index) } catch { throw .system(error) }
        } catch {
            throw .failed("\(error)")
        }
        try change(kind, link)
    }

    func change(_ kind: InterfaceKind, _ link: LinkState) throws(LabError) {
        guard var ends = links[kind] else { return }
        let up = try EgressQdisc.make(link.plan.uplink, swallowsEverything: link.swallowsEverything)
        let down = try EgressQdisc.make(link.plan.downlink, swallowsEverything: link.swallowsEverything)
        do throws(NetlinkError) {
            try ends.client.apply(up)
            try ends.network.apply(down)
            links[kind] = ends
        } catch {
            let reason: String
            switch error {
            case .missingQdisc(let name): reason = "this kernel lacks \(name); use --engine emulator"
            case .unsupported(let what): reason = "\(what); or use --engine emulator"
            case .refused, .noSuchInterface, .system: throw .failed("\(error)")
            }
            throw .cannotExpress(
                condition: "\(link.plan.name) (up: \(link.plan.uplink.summary); down: \(link.plan.downlink.summary))",
                engine: "kernel", reason: reason)
        }
    }

    /// Does nothing: packet marks are refused, so none is ever reported.
    func addBreakpoint(_ kind: InterfaceKind, _ direction: LinkDirectionName, packetsFromNow count: Int)
        throws(LabError) -> Int
    {
        throw EngineSelection.noSinglePackets
    }
    func resume() {}

    /// Refuses the cut. SOCK_DESTROY aborts a socket on its own side only, which differs from a RST on the wire, and a
    /// filter takes effect only when the next packet is sent.
    func kill(_ cut: ConnectionKillPlan) throws(LabError) {
        throw .cannotExpress(
            condition: cut.summary, engine: "kernel",
            reason:
                "the kernel cannot send a RST on the wire or distinguish connections on a link; use --engine emulator")
    }

    func startCounting() throws(LabError) {
        do throws(NetlinkError) {
            for kind in links.keys { try links[kind]?.begin() }
            probes.forget()
        } catch {
            throw .failed("\(error)")
        }
    }

    func probeObserver(before observer: @escaping LinkObserver) -> LinkObserver { probes.counting(before: observer) }

    let burst: LinkBurst = { TokenBucketQdisc.burstBytes(at: $0) }
    func measure(_ kind: InterfaceKind) {}

    func count() {
        for (kind, ends) in links {
            // The counts of an interface that can no longer be queried are missing from the record.
            reportProperties(kind, .uplink, ends.client)
            reportProperties(kind, .downlink, ends.network)
        }
    }

    func traffic() -> [LinkTraffic] {
        links.flatMap { kind, ends in
            [(LinkDirectionName.uplink, ends.client), (.downlink, ends.network)].compactMap { direction, end in
                traffic(kind, direction, end)
            }
        }
    }

    /// Returns the traffic that came through, without packets dropped by the discipline or waiting in it.
    private func traffic(_ kind: InterfaceKind, _ direction: LinkDirectionName, _ end: End) -> LinkTraffic? {
        guard let carried = try? end.carried else { return nil }
        let disciplines = try? end.netlink.egressStatistics(end.index)
        return LinkTraffic(
            interface: kind, direction: direction, packets: carried.packets, bytes: carried.bytes,
            lost: disciplines?.first?.dropped,
            delays: nil, queuedPackets: disciplines?.first.map { Int(clamping: $0.backlogPackets) },
            queuedBytes: disciplines?.first.map { Int(clamping: $0.backlogBytes) })
    }

    private func reportProperties(_ kind: InterfaceKind, _ direction: LinkDirectionName, _ end: End) {
        guard let offered = try? end.offered else { return }
        observer(
            .fact(
                .packetCounts(
                    kind, direction, packets: probes.leaving(of: offered.packets, kind, direction), bytes: offered.bytes
                )))
    }

    func stop() {
        links = [:]
        capture?.stop()
    }
}
