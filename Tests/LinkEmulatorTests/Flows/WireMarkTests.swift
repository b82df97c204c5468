import LinkEmulator
import Testing

/// Byte n is in the packet that raises the count to n; one byte less must not reach the breakpoint.
@Suite struct WireMarkTests {
    @Test func `all traffic of one direction counts towards a breakpoint without a connection`() {
        let mark = WireMark(direction: .down, bytes: 200, connection: nil)
        var gate = FlowPackets.gate(tracks: false, marks: [mark])
        #expect(!gate.isTracking && gate.needsPerPacketDecision)
        let udp = SamplePackets.v4(FlowPackets.origin4, FlowPackets.client4, 17, SamplePackets.udp(53, 9, [UInt8](repeating: 0, count: 72)))
        #expect(udp.count == 100)
        _ = gate.judgeAll([(.down, udp), (.up, udp), (.up, udp)])
        #expect(gate.takeReachedMarks() == [])
        _ = gate.judgeAll([(.down, udp)])
        #expect(gate.takeReachedMarks() == [mark] && gate.takeReachedMarks() == [] && !gate.needsPerPacketDecision)
    }

    @Test(arguments: [false, true])
    func `a breakpoint of one connection counts only its packets, including retransmissions and headers`(_ isSix: Bool) {
        let header = isSix ? 60 : 40
        let mark = WireMark(direction: .up, bytes: Int64(4 * header + 38), connection: 2)
        var gate = FlowPackets.gate(tracks: false, marks: [mark])
        let (first, second) = (FlowPackets(isSix: isSix, clientPort: 1), FlowPackets(isSix: isSix, clientPort: 2))
        gate.connect(first)
        _ = gate.judgeAll([(.up, first.segment(.up, .ack, seq: 1001, ack: 5001, data: 1000))])
        gate.connect(second)
        #expect(gate.takeReachedMarks() == [])
        _ = gate.judgeAll([(.up, second.segment(.up, .ack, seq: 1001, ack: 5001, data: 19))])
        #expect(gate.takeReachedMarks() == [])
        _ = gate.judgeAll([(.up, second.segment(.up, .ack, seq: 1001, ack: 5001, data: 19))])
        #expect(gate.takeReachedMarks() == [mark])
    }

    @Test func `without rules, breakpoints and tracking packets are not examined`() {
        var gate = FlowPackets.gate(tracks: false)
        gate.connect(FlowPackets())
        #expect(gate.connections == 0 && !gate.isTracking && !gate.needsPerPacketDecision)
    }

    @Test func `bytes that are not a packet pass`() {
        var gate = FlowPackets.gate(up: [FilterRule()])
        for bytes: [UInt8] in [[], [0x45], [0x60, 0, 0], [0xFF, 1, 2], [UInt8](repeating: 0x45, count: 30)] {
            #expect(gate.verdict(bytes, .up, index: 0) == .pass)
        }
    }
}
