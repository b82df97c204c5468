import Record
import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import ScenarioLanguage

extension PumpLoop {
    /// Maximum number of packets, and of bytes, read from one device before the others are served. More bytes would not
    /// stay in the cache.
    private static let burst = (packets: 64, bytes: 512 * 1024)

    func read(
        from wire: EmulatedWire, _ direction: LinkDirectionName, _ buffer: inout [UInt8]
    ) throws(SystemCallError) {
        var taken = 0
        for _ in 0..<PumpLoop.burst.packets where taken < PumpLoop.burst.bytes && !barrier.isHeld {
            var room = buffer.mutableSpan
            guard let (count, header) = try wire.read(direction, into: &room) else { return }
            taken += count
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            let packet = buffer.span.extracting(0..<count)
            // The kernel itself sends IPv6 packets (router solicitations, multicast reports), which are not the
            // client's traffic.
            if PumpLoop.isKernelChatter(packet) { continue }
            guard let offload = GSOMetadata(header, of: packet) else {
                observer(.failed("the kernel's TUN driver handed over a packet that contradicts its header"))
                continue
            }
            if ProbePacket.isProbe(packet) {
                segmenter.forEach(of: packet, offload) { wire.pipeline.offerProbe($0, direction, at: now) }
                continue
            }
            wire.recordWait(lookedLate, direction)
            guard wire.pipeline.needsSinglePackets[direction] else {
                try offer(packet, offload, to: wire, direction, at: now)
                continue
            }
            try segmenter.forEach(of: packet, offload) { packet throws(SystemCallError) in
                try offer(packet, to: wire, direction, at: now)
            }
        }
    }

    /// Offers a packet to the link and performs the decision. The rest of a train is held when the train reaches a
    /// breakpoint.
    func offer(
        _ packet: Span<UInt8>, _ offload: GSOMetadata = .complete, to wire: EmulatedWire,
        _ direction: LinkDirectionName, at now: LinkTime
    ) throws(SystemCallError) {
        if barrier.isHeld { return barrier.enqueue(packet, wire, direction) }
        let decision = wire.pipeline.offer(packet, direction, offload, at: now)
        for breakpoint in decision.breakpoints { report(breakpoint, of: wire.kind) }
        record(decision, of: packet, offload, on: wire, direction, at: now)
        if let reply = decision.reply {
            try inject(reply, direction.opposite, wire, because: decision.reason, at: now)
        }
    }

    /// Delivers directly to the receiver: a packet created on the link itself does not cross it.
    private func inject(
        _ bytes: [UInt8], _ direction: LinkDirectionName, _ wire: EmulatedWire, because reason: FlowDrop?,
        at now: LinkTime
    ) throws(SystemCallError) {
        if let reason {
            capture?.packet(
                bytes.span, interface: wire.kind, direction: direction, at: now.nanoseconds,
                comment: "injected: \(reason.description)")
        }
        try wire.deliver(bytes.span, .complete, direction)
    }

    /// Kills connections and reports which.
    func perform(_ kill: ConnectionKillPlan, on wire: EmulatedWire, at now: LinkTime) throws(SystemCallError) {
        let done = wire.pipeline.kill(connection: kill.connection, kill.manner)
        observer(
            .fact(.interfaceChanged(wire.kind, PumpLoop.description(done.connections, wire.pipeline.connections))))
        for packet in done.packets {
            try inject(
                packet.bytes, packet.direction, wire, because: .killed(connection: packet.connection), at: now)
        }
    }

    private static func description(_ killed: [Int], _ seen: Int) -> String {
        guard !killed.isEmpty else {
            return "no such connection is open (of \(seen) so far); no connection was ended"
        }
        return "ended: "
            + killed.map { $0 == 0 ? "a connection whose start was not seen" : "connection \($0)" }
            .joined(separator: ", ")
    }

    private static func isKernelChatter(_ packet: Span<UInt8>) -> Bool {
        // IPv6 to a multicast address (ff00::/8); nothing that a session does on a point-to-point link is multicast.
        packet.count >= 40 && packet[0] >> 4 == 6 && packet[24] == 0xff
    }

    /// Releases all packets that are due.
    func release(_ wire: EmulatedWire) throws(SystemCallError) {
        let now = LinkTime(nanoseconds: MonotonicClock.now())
        for direction in PumpLoop.directions { try release(wire, direction, now) }
    }

    private func release(
        _ wire: EmulatedWire, _ direction: LinkDirectionName, _ now: LinkTime
    ) throws(SystemCallError) {
        var failure: SystemCallError?
        wire.release(
            direction, upTo: now, dropped: { packet, drop in recordLateDrop(drop, of: packet, wire, direction) },
            { packet, info in
                do throws(SystemCallError) {
                    try handOver(packet, info.offload, wire, direction)
                } catch {
                    failure = error
                }
            })
        do throws(SystemCallError) { try flushCoalesced(wire, direction) } catch { failure = error }
        if let failure { throw failure }
    }

    /// Segments of one connection that leave together are delivered as one train: the system call is the most expensive
    /// step.
    private func handOver(
        _ packet: Span<UInt8>, _ offload: GSOMetadata, _ wire: EmulatedWire, _ direction: LinkDirectionName
    ) throws(SystemCallError) {
        if offload == .complete {
            if coalescer.join(packet) { return }
            try flushCoalesced(wire, direction)
            if coalescer.join(packet) { return }
        } else {
            try flushCoalesced(wire, direction)
        }
        try wire.deliver(packet, TunHeader(offload), direction)
    }

    private func flushCoalesced(_ wire: EmulatedWire, _ direction: LinkDirectionName) throws(SystemCallError) {
        try coalescer.flush { packet, offload throws(SystemCallError) in
            try wire.deliver(packet, TunHeader(offload), direction)
        }
    }
}
