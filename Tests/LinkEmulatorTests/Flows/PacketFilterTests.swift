import LinkEmulator
import Testing
import Units

/// Each rule is applied to one packet of every kind, to detect both missing and excess matches.
@Suite struct PacketFilterTests {
    private static let flow = FlowPackets()
    private static let zoo: [(name: String, packet: [UInt8])] = [
        ("syn", flow.segment(.uplink, .syn, seq: 1000)),
        ("synAck", flow.segment(.uplink, [.syn, .ack], seq: 1000, ack: 1)),
        ("ack", flow.segment(.uplink, .ack, seq: 1001, ack: 1)),
        ("data", flow.segment(.uplink, [.psh, .ack], seq: 1001, ack: 1, data: 100)),
        ("fin", flow.segment(.uplink, [.fin, .ack], seq: 1101, ack: 1)),
        ("rst", flow.segment(.uplink, [.rst, .ack], seq: 1101, ack: 1)),
        (
            "udp",
            SamplePackets.v4(FlowPackets.client4, FlowPackets.origin4, 17, SamplePackets.udp(5000, 53, [1, 2, 3]))
        ),
        ("icmp", SamplePackets.v4(FlowPackets.client4, FlowPackets.origin4, 1, SamplePackets.echo(8, id: 1))),
        ("icmp6", SamplePackets.v6(FlowPackets.client6, FlowPackets.origin6, 58, SamplePackets.echo(128, id: 1))),
    ]

    private func picked(_ rule: PacketRule) -> [String] {
        Self.zoo.compactMap { name, packet in
            var tracker = FlowPackets.tracker(up: [rule], tracks: false)
            return tracker.verdict(packet, .uplink, index: 0) == .pass ? nil : name
        }
    }

    @Test(arguments: [
        (PacketRule.Kind.syn, ["syn"]), (.synAck, ["synAck"]), (.ack, ["ack"]), (.data, ["data"]), (.fin, ["fin"]),
        (.rst, ["rst"]), (.tcp, ["syn", "synAck", "ack", "data", "fin", "rst"]), (.udp, ["udp"]),
        (.icmp, ["icmp", "icmp6"]),
    ])
    func `a kind selects its own packets and no others`(_ kind: PacketRule.Kind, _ expected: [String]) {
        #expect(picked(PacketRule(kind: kind)) == expected)
    }

    @Test func `ports and addresses are those of the internet's side in both directions`() {
        #expect(picked(PacketRule(port: 53)) == ["udp"])
        #expect(picked(PacketRule(port: 40_000)) == [])
        #expect(picked(PacketRule(host: "2001:db8:113::10")) == ["icmp6"])
        #expect(picked(PacketRule(host: "192.0.2.2")) == [])
        var tracker = FlowPackets.tracker(down: [
            PacketRule(port: 443, host: "203.0.113.10")
        ])
        let reply = Self.flow.segment(.downlink, [.syn, .ack], seq: 1, ack: 1)
        #expect(tracker.verdict(reply, .downlink, index: 0) == .drop(.rule(1, .drop)))
        #expect(tracker.verdict(reply, .uplink, index: 0) == .pass)
    }

    @Test func `a length counts layer 3 and is exclusive`() {
        var tracker = FlowPackets.tracker(up: [PacketRule(longerThan: 1000)], tracks: false)
        #expect(tracker.verdict(Self.flow.segment(.uplink, .ack, seq: 1, data: 960), .uplink, index: 0) == .pass)
        #expect(tracker.verdict(Self.flow.segment(.uplink, .ack, seq: 1, data: 961), .uplink, index: 1) != .pass)
    }

    @Test func `a connection is selected by its number, including a retransmitted SYN`() {
        var tracker = FlowPackets.tracker(up: [PacketRule(connection: 2)], tracks: false)
        #expect(tracker.isTracking == true)
        let (first, second) = (FlowPackets(clientPort: 1), FlowPackets(clientPort: 2))
        tracker.connect(first)
        let syn = second.segment(.uplink, .syn, seq: 9)
        #expect(tracker.judgeAll([(.uplink, syn), (.uplink, syn)]).allSatisfy { $0 == .drop(.rule(1, .drop)) })
        #expect(tracker.verdict(first.segment(.uplink, .ack, seq: 1001, ack: 5001), .uplink, index: 9) == .pass)
    }

    @Test func `the first matching rule decides, and first counts the matching packets`() {
        let rules = [PacketRule(kind: .syn, first: 2), PacketRule(kind: .syn, action: .refuse)]
        var tracker = FlowPackets.tracker(up: rules)
        let verdicts = tracker.judgeAll(
            (0..<4).map { (.uplink, Self.flow.segment(.uplink, $0 == 1 ? .ack : .syn, seq: 1, data: 0)) })
        #expect(verdicts[0] == .drop(.rule(1, .drop)) && verdicts[1] == .pass && verdicts[2] == .drop(.rule(1, .drop)))
        guard case .reply(_, .rule(2, .refuse)) = verdicts[3] else {
            Issue.record("\(verdicts[3])")
            return
        }
        // Setting the same rules again changes nothing; other rules start with new counts.
        tracker.set(up: rules, down: [])
        #expect(tracker.verdict(Self.flow.segment(.uplink, .syn, seq: 1), .uplink, index: 9) != .drop(.rule(1, .drop)))
        tracker.set(up: [PacketRule(kind: .syn, first: 1)], down: [])
        #expect(tracker.verdict(Self.flow.segment(.uplink, .syn, seq: 1), .uplink, index: 9) == .drop(.rule(1, .drop)))
    }

    @Test func `a share is drawn by packet index, identically in every run and independently for each rule`() {
        func dropped(_ rules: [PacketRule]) -> [UInt64] {
            var tracker = FlowPackets.tracker(up: rules, tracks: false)
            let packet = Self.zoo[6].packet
            return (0..<4000).filter { tracker.verdict(packet, .uplink, index: $0) != .pass }
        }
        let half = PacketRule(share: Probability(0.5)!)
        let once = dropped([half])
        #expect(once == dropped([half]))
        // 99.999 % interval of the binomial distribution around 2,000, and around 3,000 for two independent halves.
        #expect((1860...2140).contains(once.count))
        #expect((2878...3122).contains(dropped([half, half]).count))
    }

    @Test func `a refusal replies as the other end would, and never to a RST`() {
        var tracker = FlowPackets.tracker(up: [PacketRule(action: .refuse)])
        func reply(_ packet: [UInt8]) -> ResetSeen? {
            guard case .reply(let bytes, _) = tracker.verdict(packet, .uplink, index: 0) else { return nil }
            return ResetSeen(bytes)
        }
        let syn = reply(Self.flow.segment(.uplink, .syn, seq: .max))
        #expect(syn?.sequence == 0 && syn?.acknowledgement == 0 && syn?.from == 443 && syn?.to == 40_000)
        let data = reply(Self.flow.segment(.uplink, .ack, seq: 1001, ack: 5001, data: 7))
        #expect(data?.sequence == 5001 && data?.acknowledgement == nil)
        #expect(tracker.verdict(Self.zoo[5].packet, .uplink, index: 1) == .drop(.rule(1, .refuse)))
        #expect(tracker.verdict(Self.zoo[6].packet, .uplink, index: 2) == .pass)
    }

    @Test(arguments: [(PacketRule.Unreachable.network, 0, 0), (.host, 1, 3), (.port, 3, 4), (.prohibited, 13, 1)])
    func `an ICMP reply has its code, the whole quotation and correct checksums`(
        _ reason: PacketRule.Unreachable, _ code4: Int, _ code6: Int
    ) {
        for isSix in [false, true] {
            let flow = FlowPackets(isSix: isSix)
            var tracker = FlowPackets.tracker(up: [PacketRule(action: .unreachable(reason))])
            let packet = flow.segment(.uplink, .syn, seq: 1, options: [2, 4, 5, 0xB4])
            guard case .reply(let bytes, _) = tracker.verdict(packet, .uplink, index: 0) else {
                Issue.record("no reply")
                return
            }
            #expect(SamplePackets.isIntact(bytes))
            let start = isSix ? 40 : 20
            #expect(bytes[start] == (isSix ? 1 : 3) && bytes[start + 1] == (isSix ? code6 : code4))
            #expect(Array(bytes[(start + 8)...]) == packet)
            #expect(Array(bytes[start + 4..<start + 8]) == [0, 0, 0, 0])
        }
    }
}
