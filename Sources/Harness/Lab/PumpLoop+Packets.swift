import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

extension PumpLoop {
    /// Maximum number of packets, and of bytes, read from one device before the others are served. More bytes would not
    /// stay in the cache.
    private static let burst = (packets: 64, bytes: 512 * 1024)

    func read(from wire: EmulatedWire, _ side: WireDirection, _ buffer: inout [UInt8]) throws(SystemCallError) {
        var taken = 0
        for _ in 0..<PumpLoop.burst.packets where taken < PumpLoop.burst.bytes && !barrier.isHeld {
            var room = buffer.mutableSpan
            guard let (count, header) = try wire.read(side.name, into: &room) else { return }
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
            let isProbe = ProbePacket.isProbe(packet)
            if !isProbe { side.lateness.recordWait(lookedLate) }
            if !isProbe, !side.needsWirePackets, !wire.tracker.needsSinglePackets, packetBreakpoints.isEmpty {
                // The gate only counts: a train passes as a whole.
                _ = wire.tracker.verdict(packet, side.name, index: side.link.nextPacketIndex)
                let fate = side.link.offer(packet, offload, at: now)
                record(fate, of: packet, offload, on: wire, side, at: now)
                continue
            }
            try segmenter.forEach(of: packet, offload) { packet throws(SystemCallError) in
                if isProbe {
                    side.link.offerProbe(packet, at: now)
                } else {
                    try offer(packet, to: wire, side, at: now)
                }
            }
        }
    }

    /// Offers a single packet to the link.
    func offer(_ packet: Span<UInt8>, to wire: EmulatedWire, _ side: WireDirection, at now: LinkTime)
        throws(SystemCallError)
    {
        if barrier.isHeld { return barrier.enqueue(packet, wire, side) }
        guard try passesTracker(packet, wire, side, at: now) else { return }
        let fate = side.link.offer(packet, at: now)
        record(fate, of: packet, .complete, on: wire, side, at: now)
        if case .dropped(.tooBig) = fate.outcome { try replyPacketTooBig(packet, wire, side) }
    }

    private static func isKernelChatter(_ packet: Span<UInt8>) -> Bool {
        // IPv6 to a multicast address (ff00::/8); nothing that a session does on a point-to-point link is multicast.
        packet.count >= 40 && packet[0] >> 4 == 6 && packet[24] == 0xff
    }

    private func replyPacketTooBig(_ packet: Span<UInt8>, _ wire: EmulatedWire, _ side: WireDirection)
        throws(SystemCallError)
    {
        let router = Addressing.interface(wire.kind)
        guard let four = IPv4Address(router.network4), let six = IPv6Address(router.network6),
            let reply = ICMPErrorReply.tooBig(for: packet, mtu: side.link.parameters.mtu ?? 1500, from: four, six)
        else { return }
        try wire.inject(reply.span, side.name)
    }

    /// Releases all packets that are due.
    func release(_ wire: EmulatedWire) throws(SystemCallError) {
        let now = LinkTime(nanoseconds: MonotonicClock.now())
        try release(wire, wire.uplink, now)
        try release(wire, wire.downlink, now)
    }

    private func release(_ wire: EmulatedWire, _ side: WireDirection, _ now: LinkTime) throws(SystemCallError) {
        var failure: SystemCallError?
        side.link.release(
            upTo: now, dropped: { packet, drop in recordLateDrop(drop, of: packet, wire, side) },
            { packet, info in
                // The lateness of probes does not affect the client.
                if !info.isProbe { side.lateness.record(info.lateness) }
                do throws(SystemCallError) {
                    try handOver(packet, info.offload, wire, side)
                } catch {
                    failure = error
                }
            })
        do throws(SystemCallError) { try flushCoalesced(wire, side) } catch { failure = error }
        if let failure { throw failure }
    }

    /// Segments of one connection that leave together are delivered as one train: the system call is the most expensive
    /// step.
    private func handOver(
        _ packet: Span<UInt8>, _ offload: GSOMetadata, _ wire: EmulatedWire, _ side: WireDirection
    ) throws(SystemCallError) {
        if offload == .complete {
            if coalescer.join(packet) { return }
            try flushCoalesced(wire, side)
            if coalescer.join(packet) { return }
        } else {
            try flushCoalesced(wire, side)
        }
        try wire.deliver(packet, TunHeader(offload), side.name)
    }

    private func flushCoalesced(_ wire: EmulatedWire, _ side: WireDirection) throws(SystemCallError) {
        try coalescer.flush { packet, offload throws(SystemCallError) in
            try wire.deliver(packet, TunHeader(offload), side.name)
        }
    }
}
