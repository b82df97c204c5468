package import InternetAddresses
package import LabKernel
import LinkEmulator
import NetworkMonitor
package import Record
package import ScenarioLanguage
import Synchronization

/// A measurement of a link's actual behaviour with a few probe packets, recorded beside the requested condition.
package struct LinkMeasuring: Sendable {
    package let kind: InterfaceKind
    /// The plan of the link; nil for a black hole, through which nothing may arrive.
    package let link: LinkPlan?
    package let client: NetworkNamespace
    package let internet: NetworkNamespace
    package let near: IPAddress
    package let far: IPAddress
    /// The number of bytes that the link lets through at once, which are skipped when the rate is measured.
    package let burst: LinkBurst
    package var observer: LinkObserver

    package init(
        kind: InterfaceKind, link: LinkPlan?, client: NetworkNamespace, internet: NetworkNamespace, near: IPAddress,
        far: IPAddress, burst: @escaping LinkBurst, observer: @escaping LinkObserver
    ) {
        self.kind = kind
        self.link = link
        self.client = client
        self.internet = internet
        self.near = near
        self.far = far
        self.burst = burst
        self.observer = observer
    }

    /// Measures both directions at the same time; they are independent of each other.
    package func run() throws(LabError) {
        let failure = Mutex<String?>(nil)
        do throws(SystemCallError) {
            let up = try LinkProbe.make(
                from: client, source: near, device: kind.linuxName, to: internet, destination: far,
                port: ProbePacket.port)
            let down = try LinkProbe.make(
                from: internet, source: far, device: kind.networkName, to: client, destination: near,
                port: ProbePacket.port)
            let box = ProbeBox(probe: down)
            var other: DedicatedThread? = try DedicatedThread(name: "cw-probe") {
                do throws(SystemCallError) {
                    observer(.fact(try Self.measure(box.probe, kind, .downlink, RequestedLink(link?.downlink, burst))))
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
            observer(.fact(try Self.measure(up, kind, .uplink, RequestedLink(link?.uplink, burst))))
            withExtendedLifetime(other) {}
            other = nil
        } catch {
            throw .failed("the link \(kind.linuxName) could not be measured: \(error)")
        }
        if let text = failure.withLock({ $0 }) {
            throw .failed("the link \(kind.linuxName) could not be measured: \(text)")
        }
    }

    private final class ProbeBox: Sendable {
        let probe: LinkProbe
        init(probe: consuming LinkProbe) { self.probe = probe }
    }

    private static func measure(
        _ probe: borrowing LinkProbe, _ kind: InterfaceKind, _ direction: LinkDirectionName, _ requested: RequestedLink
    ) throws(SystemCallError) -> NetworkFact {
        let measured = try probe.measure(requested.train, until: MonotonicClock.deadline(after: requested.longest))
        // Jitter changes the spacing of a train's packets, which then does not show the rate.
        let bytesPerSecond =
            requested.showsRate ? measured.receivedBytesPerSecond(skipping: requested.packetsInBurst) : nil
        let rate = bytesPerSecond.map { UInt64($0 * 8) }
        // Filters apply to the client's packets; probes bypass them, which the text states.
        var words = requested.hasFilter ? "past the packet filters " : ""
        words += "\(measured.distinctArrivals) of \(measured.sent + measured.refused) probes arrived"
        if let median = measured.medianDelay { words += ", delay \(Milliseconds(median))" }
        if let rate { words += ", \(rate / 1000) kbit/s" }
        return .conditionMeasured(
            kind, direction,
            .init(
                means: .probe, packets: measured.sent + measured.refused, lost: measured.lost + measured.refused,
                delayMinimum: measured.delays.first, delayMedian: measured.medianDelay,
                delayMaximum: measured.delays.last,
                bitsPerSecond: rate, isPastFilters: requested.hasFilter,
                text: "asked \(requested.description), got \(words)"))
    }

    /// The expectations from a condition, and the train that measures it without delaying the run for long.
    private struct RequestedLink {
        private var rate: BitRate?
        private var delay: Int64 = 0
        private var hasJitter = false
        private(set) var hasFilter = false
        private var burstBytes = 0
        /// A train that exceeds the queue would lose packets because of the measurement itself.
        private var queuedBytes = Int.max
        private var queuedPackets = Int.max
        var description: String

        init(_ condition: Condition?, _ burst: LinkBurst) {
            description = condition?.summary ?? "black hole"
            let effects = condition?.effects ?? []
            for effect in effects { delay += effect.longestDelay.nanoseconds }
            for case .rate(let requested) in effects {
                switch requested {
                case .constant(let requested): (rate, burstBytes) = (requested, burst(requested))
                case .bucket(let requested, let burst): (rate, burstBytes) = (requested, Int(burst.bytes))
                // The rate of a trace varies, so a short train of probes does not measure it.
                case .trace: break
                }
            }
            for case .delay(_, let jitter) in effects { hasJitter = jitter != nil }
            for case .queue(let queue) in effects {
                queuedBytes = queue.bytes.map { Int($0.bytes) } ?? .max
                queuedPackets = queue.packets ?? .max
            }
            for case .filter in effects { hasFilter = true }
        }

        var showsRate: Bool { rate != nil && !hasJitter }

        /// Large packets where the line is fast enough to measure their spacing; few and small ones where each takes
        /// long.
        var train: LinkProbe.Train {
            let room = min(queuedPackets, queuedBytes / (payloadBytes + 48))
            return LinkProbe.Train(
                packets: packetsInBurst + max(2, min(spacedPackets, room)), payloadBytes: payloadBytes,
                patience: delay + serialisation(payloadBytes) + 250_000_000)
        }

        /// At least a few packets, and ten milliseconds' worth where that is more: a timer that fires a millisecond
        /// late must not change the result.
        private var spacedPackets: Int {
            guard showsRate, let rate, !isSlow else { return isSlow ? 3 : 6 }
            return min(max(6, Int(clamping: rate.bitsPerSecond / 800) / payloadBytes), 250)
        }

        var packetsInBurst: Int { showsRate ? (burstBytes + payloadBytes - 1) / payloadBytes : 0 }

        private var isSlow: Bool { rate.map { $0.bitsPerSecond < 1_000_000 } ?? false }
        private var payloadBytes: Int { isSlow ? 200 : 1000 }

        private func serialisation(_ bytes: Int) -> Int64 {
            self.rate.map { Int64(Double(bytes * 8) * 1e9 / Double($0.bitsPerSecond)) } ?? 0
        }

        /// The upper limit of a measurement's duration.
        var longest: Int64 { 10_000_000_000 }
    }
}
