import LinkEmulator
import Testing

/// Byte n is in the packet that raises the count to n; one byte less must not reach the breakpoint.
@Suite struct LinkBreakpointTests {
    @Test func `all traffic of one direction counts towards a breakpoint without a connection`() {
        let breakpoint = LinkBreakpoint(direction: .downlink, place: .bytes(200, connection: nil))
        var tracker = FlowPackets.tracker(tracks: false, breakpoints: [breakpoint])
        #expect(!tracker.isTracking && tracker.needsSinglePackets)
        let udp = SamplePackets.v4(
            FlowPackets.origin4, FlowPackets.client4, 17, SamplePackets.udp(53, 9, [UInt8](repeating: 0, count: 72)))
        #expect(udp.count == 100)
        _ = tracker.judgeAll([(.downlink, udp), (.uplink, udp), (.uplink, udp)])
        #expect(tracker.drainReachedBreakpoints() == [])
        _ = tracker.judgeAll([(.downlink, udp)])
        #expect(
            tracker.drainReachedBreakpoints() == [breakpoint] && tracker.drainReachedBreakpoints() == []
                && !tracker.needsSinglePackets)
    }

    @Test(arguments: [false, true])
    func `a breakpoint of one connection counts only its packets, including retransmissions and headers`(_ isSix: Bool)
    {
        let header = isSix ? 60 : 40
        let breakpoint = LinkBreakpoint(direction: .uplink, place: .bytes(Int64(4 * header + 38), connection: 2))
        var tracker = FlowPackets.tracker(tracks: false, breakpoints: [breakpoint])
        let (first, second) = (FlowPackets(isSix: isSix, clientPort: 1), FlowPackets(isSix: isSix, clientPort: 2))
        tracker.connect(first)
        _ = tracker.judgeAll([(.uplink, first.segment(.uplink, .ack, seq: 1001, ack: 5001, data: 1000))])
        tracker.connect(second)
        #expect(tracker.drainReachedBreakpoints() == [])
        _ = tracker.judgeAll([(.uplink, second.segment(.uplink, .ack, seq: 1001, ack: 5001, data: 19))])
        #expect(tracker.drainReachedBreakpoints() == [])
        _ = tracker.judgeAll([(.uplink, second.segment(.uplink, .ack, seq: 1001, ack: 5001, data: 19))])
        #expect(tracker.drainReachedBreakpoints() == [breakpoint])
    }

    @Test func `without rules, breakpoints and tracking packets are not examined`() {
        var tracker = FlowPackets.tracker(tracks: false)
        tracker.connect(FlowPackets())
        #expect(tracker.connections == 0 && !tracker.isTracking && !tracker.needsSinglePackets)
    }

    @Test func `bytes that are not a packet pass`() {
        var tracker = FlowPackets.tracker(up: [PacketRule()])
        for bytes: [UInt8] in [[], [0x45], [0x60, 0, 0], [0xFF, 1, 2], [UInt8](repeating: 0x45, count: 30)] {
            #expect(tracker.verdict(bytes, .uplink, index: 0) == .pass)
        }
    }
}
