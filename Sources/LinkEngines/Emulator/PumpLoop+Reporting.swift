import LinkEmulator
import NetworkMonitor
import Record

/// Reports of the emulator about packets and measurements.
extension PumpLoop {
    /// Records the fate of a packet; a train is recorded as the packets that a wire would carry.
    func record(
        _ decision: LinkPipeline.Decision, of packet: Span<UInt8>, _ offload: GSOMetadata, on wire: EmulatedWire,
        _ direction: LinkDirectionName, at now: LinkTime
    ) {
        let fate = decision.fate
        let recorded = decision.reason.map { .dropped($0.description) } ?? fate.recorded
        if let capture {
            let comment = recorded == .passes ? nil : recorded.text
            // A complete packet may itself come from the segmenter, which is in use then.
            if offload == .complete {
                capture.packet(
                    packet, interface: wire.kind, direction: direction, at: now.nanoseconds, comment: comment)
            } else {
                segmenter.forEach(of: packet, offload) {
                    capture.packet(
                        $0, interface: wire.kind, direction: direction, at: now.nanoseconds, comment: comment)
                }
            }
        }
        recordDecision(fate, segments: Int(offload.segments), wire, direction)
        switch fate.outcome {
        case .dropped(.loss), .dropped(.outage):
            if PumpLoop.isReset(packet) { observer(.fact(.resetLost(wire.kind, direction))) }
        case .dropped, .delivered, .queued: break
        }
        let isFirst = !wire.sawFirst[direction]
        wire.sawFirst[direction] = true
        guard recorded != .passes || isFirst, factsLeft > 0 else { return }
        factsLeft -= 1
        observer(
            .fact(
                .packet(
                    wire.kind, direction, index: fate.index, length: packet.count, fate: recorded,
                    summary: PumpLoop.summary(of: packet))))
    }

    /// Reports a breakpoint; the network is suspended until it is acknowledged.
    func report(_ breakpoint: LinkBreakpoint, of kind: InterfaceKind) {
        barrier.begin(at: MonotonicClock.now())
        observer(
            .packetBreakpoint(
                PacketBreakpoint(interface: kind, direction: breakpoint.direction, place: breakpoint.place)))
    }

    /// Records a decision. A train is decided as a unit, and its segments are separate packets in the log.
    func recordDecision(_ fate: PacketFate, segments: Int = 1, _ wire: EmulatedWire, _ direction: LinkDirectionName) {
        var decision = PacketDecision(fate)
        for _ in 0..<segments {
            decisions.record(decision, wire.kind, direction)
            decision.index += 1
        }
    }

    /// Records a packet that was dropped after it had entered the queue. The capture already contains it.
    func recordLateDrop(_ drop: LateDrop, of packet: Span<UInt8>, _ wire: EmulatedWire, _ direction: LinkDirectionName)
    {
        guard !drop.isProbe else { return }
        if !drop.isDuplicate {
            decisions.record(PacketDecision(index: drop.index, drop: drop.reason), wire.kind, direction)
        }
        guard factsLeft > 0 else { return }
        factsLeft -= 1
        observer(
            .fact(
                .packet(
                    wire.kind, direction, index: drop.index, length: packet.count, fate: drop.recorded,
                    summary: PumpLoop.summary(of: packet))))
    }

    private static func isReset(_ packet: Span<UInt8>) -> Bool {
        guard let packet = try? PacketSummary(packet), case .tcp(let header, _) = packet.transport else { return false }
        return header.flags.contains(.rst)
    }

    private static func summary(of packet: Span<UInt8>) -> String {
        do throws(PacketError) { return try PacketSummary(packet).description } catch {
            return "not an IP packet: \(error)"
        }
    }

    /// Reports the measurements on the traffic since the last report, for both directions.
    func report(_ wire: EmulatedWire, at now: LinkTime) {
        for direction in PumpLoop.directions {
            let measurement = wire.pipeline.finishMeasurement(direction, at: now)
            let lateness = wire.drainLateness(direction)
            guard measurement.packets > 0 || lateness.released > 0 else { continue }
            var reported = NetworkFact.Measurement(traffic: measurement)
            if let words = lateness.description { reported.text += "; \(words)" }
            observer(.fact(.conditionMeasured(wire.kind, direction, reported)))
            if lateness.isBroken, let words = lateness.description {
                observer(.late("\(wire.kind.linuxName) \(direction.rawValue): \(words)"))
            }
        }
    }

    func reportCounts(_ wire: EmulatedWire, _ direction: LinkDirectionName) {
        let counters = wire.pipeline.links[direction].counters
        observer(.fact(.packetCounts(wire.kind, direction, packets: counters.offered, bytes: counters.bytesIn)))
    }

    static func traffic(_ wire: EmulatedWire, _ direction: LinkDirectionName, at now: LinkTime) -> LinkTraffic {
        let queue = wire.pipeline.queueDepth(direction, at: now)
        let counters = wire.pipeline.links[direction].counters
        return LinkTraffic(
            interface: wire.kind, direction: direction, packets: counters.delivered, bytes: counters.bytesOut,
            lost: counters.dropped, delays: wire.pipeline.links[direction].delays, queuedPackets: queue.packets,
            queuedBytes: queue.bytes)
    }
}
