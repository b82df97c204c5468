import LinkEmulator
import NetworkMonitor
import Scenario

/// Reports of the emulator about packets and measurements.
extension PumpLoop {
    /// Records the fate of a packet; a train is recorded as the packets that a wire would carry.
    func record(
        _ fate: PacketFate, of packet: Span<UInt8>, _ offload: GSOMetadata, on wire: EmulatedWire,
        _ side: WireDirection,
        because reason: FlowDrop? = nil, at now: LinkTime
    ) {
        let recorded = reason.map { .dropped($0.description) } ?? fate.recorded
        if let capture {
            let comment = recorded == .passes ? nil : recorded.text
            // A complete packet may itself come from the segmenter, which is in use then.
            if offload == .complete {
                capture.packet(
                    packet, interface: wire.kind, direction: side.name, at: now.nanoseconds, comment: comment)
            } else {
                segmenter.forEach(of: packet, offload) {
                    capture.packet(
                        $0, interface: wire.kind, direction: side.name, at: now.nanoseconds, comment: comment)
                }
            }
        }
        recordDecision(fate, segments: Int(offload.segments), wire, side)
        if !packetBreakpoints.isEmpty, offload.segments == 1 { reportBreakpoint(Int(fate.index), wire, side) }
        let isFirst = !side.sawFirst
        side.sawFirst = true
        guard recorded != .passes || isFirst, factsLeft > 0 else { return }
        factsLeft -= 1
        observer(
            .fact(
                .packet(
                    wire.kind, side.name, index: fate.index, length: packet.count, fate: recorded,
                    summary: PumpLoop.summary(of: packet))))
    }

    /// Reports the mark for packet `number` of a direction, counted from 1, if there is one. While marks are left,
    /// every train is split.
    private func reportBreakpoint(_ number: Int, _ wire: EmulatedWire, _ side: WireDirection) {
        let breakpoint = PacketBreakpoint(interface: wire.kind, direction: side.name, place: .packet(number))
        guard let place = packetBreakpoints.firstIndex(of: breakpoint) else { return }
        packetBreakpoints.remove(at: place)
        report(breakpoint)
    }

    /// Reports a mark; the network is suspended until the mark is acknowledged.
    func report(_ breakpoint: PacketBreakpoint) {
        barrier.begin(at: MonotonicClock.now())
        observer(.packetBreakpoint(breakpoint))
    }

    /// Records a decision. A train is decided as a unit, and its segments are separate packets in the log.
    func recordDecision(_ fate: PacketFate, segments: Int = 1, _ wire: EmulatedWire, _ side: WireDirection) {
        var decision = PacketDecision(fate)
        for _ in 0..<segments {
            decisions.record(decision, wire.kind, side.name)
            decision.index += 1
        }
    }

    /// Records a packet that was dropped after it had entered the queue. The capture already contains it.
    func recordLateDrop(_ drop: LateDrop, of packet: Span<UInt8>, _ wire: EmulatedWire, _ side: WireDirection) {
        guard !drop.isProbe else { return }
        if !drop.isDuplicate {
            decisions.record(PacketDecision(index: drop.index, drop: drop.reason), wire.kind, side.name)
        }
        guard factsLeft > 0 else { return }
        factsLeft -= 1
        observer(
            .fact(
                .packet(
                    wire.kind, side.name, index: drop.index, length: packet.count, fate: drop.recorded,
                    summary: PumpLoop.summary(of: packet))))
    }

    private static func summary(of packet: Span<UInt8>) -> String {
        do throws(PacketError) { return try PacketSummary(packet).description } catch {
            return "not an IP packet: \(error)"
        }
    }

    /// Reports the measurements on the traffic since the last report, for both directions.
    func report(_ wire: EmulatedWire, at now: LinkTime) {
        for side in wire.directions {
            let measurement = side.link.finishMeasurement(at: now)
            let lateness = side.lateness
            side.lateness = LatenessTally(side.link.parameters)
            guard measurement.packets > 0 || lateness.released > 0 else { continue }
            var reported = NetworkFact.Measurement(traffic: measurement)
            if let words = lateness.description { reported.text += "; \(words)" }
            observer(.fact(.conditionMeasured(wire.kind, side.name, reported)))
            if lateness.isBroken, let words = lateness.description {
                observer(.late("\(wire.kind.linuxName) \(side.name.rawValue): \(words)"))
            }
        }
    }

    func reportCounts(_ kind: InterfaceKind, _ side: WireDirection) {
        let counters = side.link.counters
        observer(.fact(.packetCounts(kind, side.name, packets: counters.offered, bytes: counters.bytesIn)))
    }

    static func traffic(_ kind: InterfaceKind, _ side: WireDirection, at now: LinkTime) -> LinkTraffic {
        let queue = side.link.queueDepth(at: now)
        let counters = side.link.counters
        return LinkTraffic(
            interface: kind, direction: side.name, packets: counters.delivered, bytes: counters.bytesOut,
            lost: counters.dropped,
            delays: side.link.delays, queuedPackets: queue.packets, queuedBytes: queue.bytes)
    }
}
