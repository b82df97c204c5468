import LinuxNet
import Scenario

/// Makes conditions real with veth pairs and queueing disciplines of this kernel.
final class KernelEngine: LinkEngine {
    private struct Ends {
        var clientIndex: CInt
        var networkIndex: CInt
        var client: NetlinkSocket
        var network: NetlinkSocket
        /// Packets that were there before the client's own, to be left out of the counts.
        var sentBefore: LinkStatistics.Direction
        var receivedBefore: LinkStatistics.Direction
    }

    private var links: [InterfaceKind: Ends] = [:]
    private let observer: LinkObserver
    let hasNeighbours = true
    /// Packets of measurements during the run, to be left out of the counts.
    let probes = ProbeTally()
    /// The Ethernet header that a veth puts before each packet; conditions and counts are about layer 3.
    static let linkHeader: Int32 = 14

    private let capture: KernelCapture?

    init(capture: Capture?, client: NetworkNamespace, observer: @escaping LinkObserver) throws(HarnessError) {
        self.observer = observer
        do throws(SystemCallError) {
            self.capture = try capture.map { capture throws(SystemCallError) in
                try KernelCapture(into: capture, in: client, observer: observer)
            }
        } catch {
            throw .lab("\(error)")
        }
    }

    func makeLink(
        _ kind: InterfaceKind, client: NetworkNamespace, internet: NetworkNamespace, _ link: LinkState
    ) throws(HarnessError) {
        do throws(NetlinkError) {
            let netlink = try NetlinkSocket(in: client)
            let far = try NetlinkSocket(in: internet)
            try netlink.makeVirtualEthernetPair(
                name: kind.linuxName, peerName: kind.networkName, peerIn: internet, sendsWholePackets: true)
            let near = try netlink.link(named: kind.linuxName)
            links[kind] = Ends(
                clientIndex: near.index, networkIndex: try far.link(named: kind.networkName).index, client: netlink,
                network: far, sentBefore: near.statistics.sent, receivedBefore: near.statistics.received)
            do throws(SystemCallError) { try capture?.add(kind, index: near.index) } catch { throw .system(error) }
        } catch {
            throw .lab("\(error)")
        }
        try change(kind, link)
    }

    func change(_ kind: InterfaceKind, _ link: LinkState) throws(HarnessError) {
        guard let ends = links[kind] else { return }
        let up = try EgressQdisc.make(link.plan.up, swallowsEverything: link.swallowsEverything)
        let down = try EgressQdisc.make(link.plan.down, swallowsEverything: link.swallowsEverything)
        do throws(NetlinkError) {
            try ends.client.applyEgress(ends.clientIndex, up)
            try ends.network.applyEgress(ends.networkIndex, down)
        } catch {
            let reason: String
            switch error {
            case .missingQdisc(let name): reason = "this kernel has no \(name); use --engine emulator"
            case .unsupported(let what): reason = "\(what); or use --engine emulator"
            case .refused, .noSuchInterface, .system: throw .lab("\(error)")
            }
            throw .cannotExpress(
                condition: "\(link.plan.name) (up: \(link.plan.up.summary); down: \(link.plan.down.summary))",
                engine: "kernel", reason: reason)
        }
    }

    /// Packet marks are refused, so none is ever told.
    func goOn() {}

    /// SOCK_DESTROY aborts a socket on its own side, which is another thing than a RST on the wire, and a filter acts only on the next
    /// packet that somebody sends.
    func cut(_ cut: ConnectionCut) throws(HarnessError) {
        throw .cannotExpress(
            condition: cut.summary, engine: "kernel",
            reason: "the kernel cannot put a RST on the wire or tell connections apart on a link; use --engine emulator")
    }

    /// Setting up and probing are over: what the interface counts from here on is the client's.
    func startCounting() throws(HarnessError) {
        do throws(NetlinkError) {
            for (kind, ends) in links {
                let statistics = try ends.client.link(ends.clientIndex).statistics
                links[kind]?.sentBefore = statistics.sent
                links[kind]?.receivedBefore = statistics.received
            }
            probes.forget()
        } catch {
            throw .lab("\(error)")
        }
    }

    let burst: LinkBurst = { TokenBucketQdisc.burstBytes(at: $0) }
    func measure(_ kind: InterfaceKind) {}

    func count() {
        for (kind, ends) in links {
            // An interface that cannot be asked any more has no counts; the missing fact says so.
            guard let statistics = try? ends.client.link(ends.clientIndex).statistics else { continue }
            tell(kind, .up, statistics.sent, since: ends.sentBefore)
            tell(kind, .down, statistics.received, since: ends.receivedBefore)
        }
    }

    func traffic() -> [LinkTraffic] {
        var all: [LinkTraffic] = []
        for (kind, ends) in links {
            guard let link = try? ends.client.link(ends.clientIndex) else { continue }
            all.append(traffic(kind, .up, link.statistics.sent, since: ends.sentBefore, ends.client, ends.clientIndex))
            all.append(traffic(kind, .down, link.statistics.received, since: ends.receivedBefore, ends.network, ends.networkIndex))
        }
        return all
    }

    /// The interface counts what has passed its queueing discipline; the discipline knows what it dropped and what waits.
    private func traffic(
        _ kind: InterfaceKind, _ direction: LinkDirectionName, _ now: LinkStatistics.Direction,
        since before: LinkStatistics.Direction, _ sender: NetlinkSocket, _ index: CInt
    ) -> LinkTraffic {
        let packets = now.packets &- before.packets
        let bytes = now.bytes &- before.bytes &- packets &* UInt64(KernelEngine.linkHeader)
        let disciplines = try? sender.egressStatistics(index)
        return LinkTraffic(
            interface: kind, direction: direction, packets: packets, bytes: bytes, lost: disciplines?.first?.dropped, delays: nil,
            queuedPackets: disciplines?.first.map { Int(clamping: $0.backlogPackets) },
            queuedBytes: disciplines?.first.map { Int(clamping: $0.backlogBytes) })
    }

    private func tell(
        _ kind: InterfaceKind, _ direction: LinkDirectionName, _ now: LinkStatistics.Direction,
        since before: LinkStatistics.Direction
    ) {
        let packets = now.packets &- before.packets
        let headers = packets &* UInt64(KernelEngine.linkHeader)
        observer(
            .fact(
                .packetCounts(
                    kind, direction, packets: packets &- probes.count(kind, direction),
                    bytes: now.bytes &- before.bytes &- headers)))
    }

    func stop() {
        links = [:]
        capture?.stop()
    }
}
