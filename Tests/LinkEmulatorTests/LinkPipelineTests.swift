import InternetAddresses
import LinkEmulator
import Testing
import Units

/// Packets are numbered the same whatever the stages do with them, so every test compares whole decisions.
@Suite struct LinkPipelineTests {
    private static let flow = FlowPackets()
    private static let near = ConnectionTracker.Router(
        four: IPv4Address("192.0.2.1")!, six: IPv6Address("2001:db8:1::1")!)
    private static let far = ConnectionTracker.Router(four: FlowPackets.client4, six: FlowPackets.client6)

    private func pipeline(
        up: LinkParameters = .perfect, down: LinkParameters = .perfect, breakpoints: [LinkBreakpoint] = []
    ) -> LinkPipeline {
        LinkPipeline(
            seed: 7, stream: 0, parameters: PerDirection(uplink: up, downlink: down), breakpoints: breakpoints,
            routers: PerDirection(uplink: Self.near, downlink: Self.far), longestGSOPacket: 9000)
    }

    private func filter(_ rules: PacketRule...) -> LinkParameters { LinkParameters(Condition([.filter(rules)])) }

    @Test func `a filtered packet has a number and a reason, and later packets keep theirs`() {
        var pipeline = pipeline(up: filter(PacketRule(kind: .syn, first: 1)))
        let syn = Self.flow.segment(.uplink, .syn, seq: 1)
        let dropped = pipeline.offer(syn.span, .uplink, at: ms(0))
        #expect(dropped.fate == PacketFate(index: 1, isProbe: false, outcome: .dropped(.filtered)))
        #expect(dropped.reason == .rule(1, .drop) && dropped.reply == nil)
        let passed = pipeline.offer(syn.span, .uplink, at: ms(1))
        #expect(passed.fate == PacketFate(index: 2, isProbe: false, outcome: .delivered(releaseAt: ms(1))))
        #expect(passed.reason == nil && passed.reply == nil)
        #expect(pipeline.links.uplink.counters.offered == 2)
    }

    @Test func `the loss of later packets does not depend on a filter`() {
        let lossy = LinkEffect.loss(.independent(0.5))
        func fates(_ effects: [LinkEffect]) -> [PacketFate.Outcome] {
            var pipeline = pipeline(up: LinkParameters(Condition(effects)))
            let packets =
                [Self.flow.segment(.uplink, .syn, seq: 1)]
                + (0..<50).map { Self.flow.segment(.uplink, .ack, seq: $0, ack: 1, data: 5) }
            return packets.map { pipeline.offer($0.span, .uplink, at: ms(0)).fate.outcome }
        }
        #expect(fates([lossy]).dropFirst() == fates([lossy, .filter([PacketRule(kind: .syn)])]).dropFirst())
    }

    @Test(arguments: [(LinkDirectionName.uplink, near), (.downlink, far)])
    func `the router on the sender's side sends the error about a packet that is too long`(
        _ direction: LinkDirectionName, _ router: ConnectionTracker.Router
    ) throws {
        let small = LinkParameters(Condition([.mtu(68)]))
        for isSix in [false, true] {
            var pipeline = pipeline(up: small, down: small)
            let packet = FlowPackets(isSix: isSix).segment(direction, .ack, seq: 1, ack: 1, data: 100)
            let decision = pipeline.offer(packet.span, direction, at: ms(0))
            #expect(decision.fate.outcome == .dropped(.tooBig) && decision.reason == nil)
            let reply = try #require(decision.reply)
            #expect(SamplePackets.isIntact(reply))
            switch try IPPacket(reply.span) {
            case .v4(let header): #expect(header.source == router.four)
            case .v6(let header): #expect(header.source == router.six)
            }
        }
    }

    @Test func `each stage can require single packets`() {
        let plain = LinkParameters(Condition([.delay(.milliseconds(5), jitter: nil)]))
        #expect(pipeline(up: plain, down: plain).needsSinglePackets.uplink == false)
        let lossy = pipeline(up: LinkParameters(Condition([.loss(.independent(0.1))])))
        #expect(lossy.needsSinglePackets.uplink && !lossy.needsSinglePackets.downlink)
        // Connections are tracked in both directions, so both are examined.
        let filtered = pipeline(up: filter(PacketRule(kind: .syn)))
        #expect(filtered.needsSinglePackets.uplink && filtered.needsSinglePackets.downlink)
        var killed = pipeline()
        for (direction, flags) in [(LinkDirectionName.uplink, TCPHeader.Flags.syn), (.downlink, [.syn, .ack])] {
            _ = killed.offer(Self.flow.segment(direction, flags, seq: 9, ack: 10).span, direction, at: ms(0))
        }
        #expect(killed.needsSinglePackets.uplink == false)
        #expect(killed.kill(connection: 1, .silently).connections == [1])
        #expect(killed.needsSinglePackets.uplink == true)
    }

    @Test func `the n-th packet of a direction reaches its breakpoint once, also when it is dropped`() {
        let breakpoint = LinkBreakpoint(direction: .uplink, place: .packet(2))
        var pipeline = pipeline(up: filter(PacketRule(kind: .ack)), breakpoints: [breakpoint])
        #expect(pipeline.needsSinglePackets.uplink == true)
        let ack = Self.flow.segment(.uplink, .ack, seq: 1, ack: 1)
        let reached = [(LinkDirectionName.downlink, 0), (.uplink, 1), (.uplink, 2), (.uplink, 3)].map {
            direction, time in
            pipeline.offer(ack.span, direction, at: ms(Int64(time))).breakpoints
        }
        #expect(reached == [[], [], [breakpoint], []])
        _ = pipeline.change(to: PerDirection(uplink: .perfect, downlink: .perfect), at: ms(4))
        #expect(pipeline.needsSinglePackets.uplink == false)
    }

    @Test func `a breakpoint that is added later counts from the packets so far`() {
        var pipeline = pipeline()
        let ack = Self.flow.segment(.uplink, .ack, seq: 1, ack: 1)
        for time in 0..<2 { _ = pipeline.offer(ack.span, .uplink, at: ms(Int64(time))) }
        #expect(pipeline.addBreakpoint(packetsFromNow: 2, .uplink) == 4)
        #expect(pipeline.needsSinglePackets.uplink)
        let reached = (3..<6).map { pipeline.offer(ack.span, .uplink, at: ms($0)).breakpoints.map(\.place) }
        #expect(reached == [[], [.packet(4)], []])
    }

    @Test func `a GSO packet counts as the packets that a wire would carry`() throws {
        var pipeline = pipeline()
        let packet = Self.flow.segment(.uplink, .ack, seq: 1, ack: 1, data: 2500)
        let metadata = GSOMetadata(train: packet.span, .tcp4, segmentLength: 1000, start: 20)
        let train = try #require(metadata)
        #expect(pipeline.offer(packet.span, .uplink, train, at: ms(0)).fate.index == 1)
        #expect(pipeline.offer(packet.span, .uplink, train, at: ms(0)).fate.index == 4)
        #expect(pipeline.links.uplink.counters.offered == 6 && pipeline.connections == 0)
    }
}
