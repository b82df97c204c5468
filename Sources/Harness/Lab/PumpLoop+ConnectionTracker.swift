import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

/// Packets that are dropped or answered in front of the link, and packets that the gate creates.
extension PumpLoop {
    /// Returns true when the packet continues to the link; otherwise it has been counted, recorded and answered.
    func passesTracker(
        _ packet: Span<UInt8>, _ wire: EmulatedWire, _ side: WireDirection, at now: LinkTime
    ) throws(SystemCallError) -> Bool {
        let verdict = wire.tracker.verdict(packet, side.name, index: side.link.nextPacketIndex)
        if !wire.tracker.reachedBreakpoints.isEmpty { reportBreakpoints(of: wire) }
        switch verdict {
        case .pass: return true
        case .drop(let why):
            record(side.link.passOver(packet), of: packet, .complete, on: wire, side, because: why, at: now)
        case .reply(let reply, let why):
            record(side.link.passOver(packet), of: packet, .complete, on: wire, side, because: why, at: now)
            try inject(reply, side.name.opposite, wire, why.description, at: now)
        }
        return false
    }

    func perform(_ cut: ConnectionKillPlan, on wire: EmulatedWire, at now: LinkTime) throws(SystemCallError) {
        let done = wire.tracker.kill(connection: cut.connection, cut.manner)
        observer(.fact(.interfaceChanged(wire.kind, PumpLoop.description(done.connections, wire.tracker.connections))))
        for packet in done.packets {
            try inject(
                packet.bytes, packet.direction, wire, FlowDrop.killed(connection: packet.connection).description,
                at: now)
        }
    }

    private static func description(_ cut: [Int], _ seen: Int) -> String {
        guard !cut.isEmpty else { return "no such connection is open (of \(seen) so far); no connection was ended" }
        return "ended: "
            + cut.map { $0 == 0 ? "a connection whose start was not seen" : "connection \($0)" }.joined(separator: ", ")
    }

    /// Delivers directly to the receiver: a packet created on the link itself does not cross it.
    private func inject(
        _ bytes: [UInt8], _ direction: LinkDirectionName, _ wire: EmulatedWire, _ words: String, at now: LinkTime
    ) throws(SystemCallError) {
        capture?.packet(
            bytes.span, interface: wire.kind, direction: direction, at: now.nanoseconds, comment: "injected: \(words)")
        try wire.deliver(bytes.span, .complete, direction)
    }

    private func reportBreakpoints(of wire: EmulatedWire) {
        for breakpoint in wire.tracker.drainReachedBreakpoints() {
            report(
                PacketBreakpoint(
                    interface: wire.kind, direction: breakpoint.direction,
                    place: .bytes(breakpoint.bytes, connection: breakpoint.connection)))
        }
    }

    static func wireBreakpoints(_ breakpoints: [PacketBreakpoint], of kind: InterfaceKind) -> [WireBreakpoint] {
        breakpoints.compactMap { breakpoint in
            guard breakpoint.interface == kind, case .bytes(let bytes, let connection) = breakpoint.place else {
                return nil
            }
            return WireBreakpoint(direction: breakpoint.direction, bytes: bytes, connection: connection)
        }
    }
}

extension ConnectionTracker {
    /// Connections are counted from the first packet on, because a change may end one of them by its number at any
    /// time.
    init(seed: UInt64, stream: UInt64, breakpoints: [WireBreakpoint], on kind: InterfaceKind) {
        let plan = Addressing.interface(kind)
        self.init(
            seed: seed, stream: stream, tracks: true, breakpoints: breakpoints,
            near: ConnectionTracker.router(plan.network4, plan.network6),
            // The internet's end drops packets with a source address of its own.
            far: ConnectionTracker.router(plan.client4, plan.client6))
    }

    private static func router(_ four: String, _ six: String) -> Router {
        guard let four = IPv4Address(four), let six = IPv6Address(six) else {
            preconditionFailure("\(four) and \(six) are in the address plan")
        }
        return Router(four: four, six: six)
    }
}
