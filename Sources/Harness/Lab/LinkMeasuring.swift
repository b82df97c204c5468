import LinuxNet
import Scenario
import Synchronization

/// One measurement of what a link really does, with a few packets of the lab's own, recorded beside what was asked.
struct LinkMeasuring: Sendable {
    let kind: InterfaceKind
    /// nil: the link is a black hole, and nothing may arrive.
    let link: LinkPlan?
    let client: NetworkNamespace
    let internet: NetworkNamespace
    let near: IPAddress
    let far: IPAddress
    /// How much of a train the link lets through at once, which says nothing about its rate.
    let burst: LinkBurst
    var observer: LinkObserver

    /// Both directions at the same time; they share nothing but the clock.
    func run() throws(HarnessError) {
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
                    observer(.fact(try Self.measure(box.probe, kind, .down, Asked(link?.down, burst))))
                } catch {
                    failure.withLock { $0 = "\(error)" }
                }
            }
            observer(.fact(try Self.measure(up, kind, .up, Asked(link?.up, burst))))
            withExtendedLifetime(other) {}
            other = nil
        } catch {
            throw .lab("the link \(kind.linuxName) could not be measured: \(error)")
        }
        if let text = failure.withLock({ $0 }) {
            throw .lab("the link \(kind.linuxName) could not be measured: \(text)")
        }
    }

    private final class ProbeBox: Sendable {
        let probe: LinkProbe
        init(probe: consuming LinkProbe) { self.probe = probe }
    }

    private static func measure(
        _ probe: borrowing LinkProbe, _ kind: InterfaceKind, _ direction: LinkDirectionName, _ asked: Asked
    ) throws(SystemCallError) -> NetworkFact {
        let measured = try probe.measure(asked.train, until: MonotonicClock.deadline(after: asked.longest))
        // Jitter moves the packets of a train against each other, so their spacing says nothing about the rate.
        let bytesPerSecond = asked.showsRate ? measured.receivedBytesPerSecond(skipping: asked.packetsInBurst) : nil
        let rate = bytesPerSecond.map { UInt64($0 * 8) }
        // Filters pick what the client sends; what only measures goes past them, and says so.
        var words = asked.hasFilter ? "past the packet filters " : ""
        words += "\(measured.distinctArrivals) of \(measured.sent + measured.refused) probes arrived"
        if let median = measured.medianDelay { words += ", delay \(Milliseconds(median))" }
        if let rate { words += ", \(rate / 1000) kbit/s" }
        return .conditionMeasured(
            kind, direction,
            .init(
                means: .probe, packets: measured.sent + measured.refused, lost: measured.lost + measured.refused,
                delayMinimum: measured.delays.first, delayMedian: measured.medianDelay, delayMaximum: measured.delays.last,
                bitsPerSecond: rate, text: "asked \(asked.words), got \(words)"))
    }

    /// What a condition lets one expect, and the train that shows it without holding the run up for long.
    private struct Asked {
        private var rate: BitRate?
        private var delay: Int64 = 0
        private var hasJitter = false
        private(set) var hasFilter = false
        private var burstBytes = 0
        /// More than the queue takes at once would be lost by our own doing.
        private var queuedBytes = Int.max
        private var queuedPackets = Int.max
        var words: String

        init(_ condition: Condition?, _ burst: LinkBurst) {
            words = condition?.summary ?? "black hole"
            for effect in condition?.effects ?? [] {
                switch effect {
                case .rate(.constant(let asked)):
                    rate = asked
                    burstBytes = burst(asked)
                case .rate(.bucket(let asked, let burst)):
                    rate = asked
                    burstBytes = Int(burst.bytes)
                case .promotion(let wait, idle: _): delay += wait.nanoseconds
                case .delay(let asked, let jitter):
                    delay += asked.nanoseconds + 4 * (jitter?.amount.nanoseconds ?? 0)
                    hasJitter = jitter != nil
                case .queue(let queue):
                    queuedBytes = queue.bytes.map { Int($0.bytes) } ?? .max
                    queuedPackets = queue.packets ?? .max
                // A trace is no steady rate, so a short train of probes says nothing of it.
                case .filter: hasFilter = true
                case .rate(.trace), .loss, .duplicate, .reorder, .corrupt, .mtu, .outages: break
                }
            }
        }

        var showsRate: Bool { rate != nil && !hasJitter }

        /// Large packets where the line is fast enough to tell their spacing, few and small ones where each takes long.
        var train: LinkProbe.Train {
            let room = min(queuedPackets, queuedBytes / (payloadBytes + 48))
            return LinkProbe.Train(
                packets: packetsInBurst + max(2, min(spacedPackets, room)), payloadBytes: payloadBytes,
                patience: delay + serialisation(payloadBytes) + 250_000_000)
        }

        /// Ten milliseconds' worth where that is more than a handful: a timer that fires a millisecond late must not change the figure.
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

        /// Nobody waits longer than this for a measurement.
        var longest: Int64 { 10_000_000_000 }
    }
}
