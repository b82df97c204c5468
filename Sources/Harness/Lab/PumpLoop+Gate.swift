import LinkEmulator
import LinuxNet
import Scenario

/// Packets that are dropped or answered in front of the link, and packets that the gate creates.
extension PumpLoop {
    /// Returns true when the packet continues to the link; otherwise it has been counted, recorded and answered.
    func passesGate(
        _ packet: Span<UInt8>, _ wire: EmulatedWire, _ side: WireDirection, at now: LinkTime
    ) throws(SystemCallError) -> Bool {
        let verdict = wire.gate.judge(packet, FlowDirection(side.name), index: side.link.nextPacketIndex)
        if !wire.gate.reachedMarks.isEmpty { tellMarks(of: wire) }
        switch verdict {
        case .pass: return true
        case .drop(let why):
            note(side.link.passOver(packet), of: packet, .complete, on: wire, side, because: why, at: now)
        case .answer(let answer, let why):
            note(side.link.passOver(packet), of: packet, .complete, on: wire, side, because: why, at: now)
            try inject(answer, FlowDirection(side.name).opposite, wire, why.words, at: now)
        }
        return false
    }

    func perform(_ cut: ConnectionCut, on wire: EmulatedWire, at now: LinkTime) throws(SystemCallError) {
        let done = wire.gate.cut(connection: cut.connection, FlowCut(cut.manner))
        observer(.fact(.interfaceChanged(wire.kind, PumpLoop.words(done.connections, wire.gate.connections))))
        for packet in done.packets {
            try inject(packet.bytes, packet.direction, wire, FlowDrop.cut(connection: packet.connection).words, at: now)
        }
    }

    private static func words(_ cut: [Int], _ seen: Int) -> String {
        guard !cut.isEmpty else { return "no such connection is open (of \(seen) so far); no connection was ended" }
        return "ended: " + cut.map { $0 == 0 ? "a connection whose start was not seen" : "connection \($0)" }.joined(separator: ", ")
    }

    /// Delivers directly to the receiver: a packet created on the link itself does not cross it.
    private func inject(
        _ bytes: [UInt8], _ direction: FlowDirection, _ wire: EmulatedWire, _ words: String, at now: LinkTime
    ) throws(SystemCallError) {
        let name = LinkDirectionName(direction)
        capture?.packet(bytes.span, interface: wire.kind, direction: name, at: now.nanoseconds, comment: "injected: \(words)")
        try wire.deliver(bytes.span, .complete, name)
    }

    private func tellMarks(of wire: EmulatedWire) {
        for mark in wire.gate.takeReachedMarks() {
            tell(
                PacketMark(
                    interface: wire.kind, direction: LinkDirectionName(mark.direction),
                    place: .bytes(mark.bytes, connection: mark.connection)))
        }
    }

    static func wireMarks(_ marks: [PacketMark], of kind: InterfaceKind) -> [WireMark] {
        marks.compactMap { mark in
            guard mark.interface == kind, case .bytes(let bytes, let connection) = mark.place else { return nil }
            return WireMark(direction: FlowDirection(mark.direction), bytes: bytes, connection: connection)
        }
    }
}

extension FlowGate {
    /// Connections are counted from the first packet on, because a change may end one of them by its number at any
    /// time.
    init(seed: UInt64, stream: UInt64, marks: [WireMark], on kind: InterfaceKind) {
        let plan = Addressing.interface(kind)
        self.init(
            seed: seed, stream: stream, tracks: true, marks: marks, near: FlowGate.router(plan.network4, plan.network6),
            // The internet's end drops packets with a source address of its own.
            far: FlowGate.router(plan.client4, plan.client6))
    }

    private static func router(_ four: String, _ six: String) -> Router {
        guard let four = IPv4Address(four), let six = IPv6Address(six) else {
            preconditionFailure("\(four) and \(six) are in the address plan")
        }
        return Router(four: four, six: six)
    }
}
