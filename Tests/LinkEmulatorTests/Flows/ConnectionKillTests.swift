import LinkEmulator
import Testing

/// A receiver accepts a RST only with exactly the next sequence number it expects (RFC 5961 §3.2), so the numbers are
/// compared one by one. The arguments cover both families, options and the wrap-around of the sequence space.
@Suite struct ConnectionKillTests {
    struct Case: CustomStringConvertible, Sendable {
        var isSix: Bool
        var client: UInt32
        var description: String { "\(isSix ? "IPv6" : "IPv4") from \(client)" }
    }
    static let cases = [
        Case(isSix: false, client: 1000), Case(isSix: true, client: 1000), Case(isSix: false, client: .max - 100),
        Case(isSix: true, client: .max),
    ]

    @Test(arguments: cases)
    func `each end gets a RST with the number it acknowledged last`(_ one: Case) throws {
        let flow = FlowPackets(isSix: one.isSix)
        var tracker = FlowPackets.tracker()
        tracker.connect(flow, client: one.client, origin: one.client)
        let (c, o) = (one.client &+ 1, one.client &+ 1)
        // Both have options (NOP NOP timestamp) and data; everything is acknowledged.
        let options: [UInt8] = [1, 1, 8, 10, 0, 0, 0, 1, 0, 0, 0, 2]
        _ = tracker.judgeAll([
            (.uplink, flow.segment(.uplink, [.psh, .ack], seq: c, ack: o, data: 300, options: options)),
            (.downlink, flow.segment(.downlink, [.ack], seq: o, ack: c &+ 300, data: 1200, options: options)),
            (.uplink, flow.segment(.uplink, [.ack], seq: c &+ 300, ack: o &+ 1200, options: options)),
        ])
        let cut = tracker.kill(connection: 1, .reset(.both))
        #expect(cut.connections == [1] && cut.packets.map(\.direction) == [.downlink, .uplink])
        let seen = try cut.packets.map { try #require(ResetSeen($0.bytes)) }
        #expect(
            seen[0].from == 443 && seen[0].to == 40_000 && seen[0].sequence == o &+ 1200
                && seen[0].acknowledgement == nil)
        #expect(seen[1].from == 40_000 && seen[1].to == 443 && seen[1].sequence == c &+ 300)
    }

    @Test(arguments: [false, true])
    func `data in flight causes RSTs with two numbers, and the reply decides`(_ isSix: Bool) throws {
        let flow = FlowPackets(isSix: isSix)
        var tracker = FlowPackets.tracker()
        tracker.connect(flow)
        _ = tracker.judgeAll([(.downlink, flow.segment(.downlink, .ack, seq: 5001, ack: 1001, data: 1000))])
        let cut = tracker.kill(connection: nil, .reset(.client))
        #expect(cut.packets.compactMap { ResetSeen($0.bytes)?.sequence } == [5001, 6001])
        // A challenge ACK (RFC 5961 §3.2) reveals the number; the other end receives nothing.
        let verdicts = tracker.judgeAll([
            (.uplink, flow.segment(.uplink, .ack, seq: 1001, ack: 5601)),
            (.downlink, flow.segment(.downlink, .ack, seq: 6001, ack: 1001, data: 1000)),
        ])
        guard case .reply(let reset, .killed(connection: 1)) = verdicts[0] else {
            Issue.record("\(verdicts[0])")
            return
        }
        #expect(ResetSeen(reset)?.sequence == 5601)
        #expect(verdicts[1] == .drop(.killed(connection: 1)))
    }

    @Test func `a client without a reply to its SYN gets a RST that acknowledges it`() {
        let flow = FlowPackets()
        var tracker = FlowPackets.tracker()
        _ = tracker.judgeAll([(.uplink, flow.segment(.uplink, .syn, seq: .max))])
        let cut = tracker.kill(connection: 1, .reset(.client))
        #expect(cut.packets.count == 1)
        let seen = ResetSeen(cut.packets[0].bytes)
        #expect(seen?.sequence == 0 && seen?.acknowledgement == 0)
    }

    @Test func `a server whose SYN-ACK was not acknowledged gets the number it expects`() {
        let flow = FlowPackets()
        var tracker = FlowPackets.tracker()
        _ = tracker.judgeAll([
            (.uplink, flow.segment(.uplink, .syn, seq: 1000)),
            (.downlink, flow.segment(.downlink, [.syn, .ack], seq: 5000, ack: 1001)),
        ])
        let cut = tracker.kill(connection: 1, .reset(.server))
        #expect(cut.packets.map { ResetSeen($0.bytes)?.sequence } == [1001] && cut.packets[0].direction == .uplink)
    }

    @Test
    func `a silent cut drops both directions and retransmissions, but not the next connection between the same ports`()
    {
        let flow = FlowPackets()
        var tracker = FlowPackets.tracker()
        tracker.connect(flow)
        #expect(tracker.needsSinglePackets == false)
        let cut = tracker.kill(connection: nil, .silently)
        #expect(cut.packets.isEmpty && cut.connections == [1] && tracker.needsSinglePackets)
        let data = flow.segment(.uplink, [.psh, .ack], seq: 1001, ack: 5001, data: 10)
        let swallowed = FlowVerdict.drop(.killed(connection: 1))
        let verdicts = tracker.judgeAll([
            (.uplink, data), (.uplink, data), (.downlink, flow.segment(.downlink, .ack, seq: 5001, ack: 1001, data: 5)),
            (.uplink, flow.segment(.uplink, .rst, seq: 1001)), (.uplink, flow.segment(.uplink, .syn, seq: 90_000)),
            (.uplink, flow.segment(.uplink, .ack, seq: 90_001, ack: 1)),
        ])
        #expect(verdicts == [swallowed, swallowed, swallowed, swallowed, .pass, .pass])
        #expect(tracker.connections == 2)
    }

    @Test func `a cut by number affects only that connection, and none that has ended or never existed`() {
        var tracker = FlowPackets.tracker()
        let flows = (1...3).map { FlowPackets(isSix: $0 == 2, clientPort: 40_000 + $0) }
        for flow in flows { tracker.connect(flow) }
        // The third ends by FIN from both ends, each acknowledged.
        _ = tracker.judgeAll([
            (.uplink, flows[2].segment(.uplink, [.fin, .ack], seq: 1001, ack: 5001)),
            (.downlink, flows[2].segment(.downlink, [.fin, .ack], seq: 5001, ack: 1002)),
            (.uplink, flows[2].segment(.uplink, .ack, seq: 1002, ack: 5002)),
        ])
        #expect(tracker.kill(connection: 3, .silently).connections == [])
        #expect(tracker.kill(connection: 9, .silently).connections == [])
        #expect(tracker.kill(connection: 2, .silently).connections == [2])
        #expect(tracker.judgeAll([(.uplink, flows[0].segment(.uplink, .ack, seq: 1001, ack: 5001))]) == [.pass])
        #expect(tracker.kill(connection: nil, .silently).connections == [1])
    }

    @Test func `a retransmitted SYN is not a second connection, a SYN with another number is`() {
        let flow = FlowPackets()
        var tracker = FlowPackets.tracker()
        let syn = flow.segment(.uplink, .syn, seq: 1000)
        _ = tracker.judgeAll([
            (.uplink, syn), (.uplink, syn), (.downlink, flow.segment(.downlink, [.syn, .ack], seq: 5000, ack: 1001)),
            (.uplink, syn),
        ])
        #expect(tracker.connections == 1)
        _ = tracker.judgeAll([(.uplink, flow.segment(.uplink, .syn, seq: 77_000))])
        #expect(tracker.connections == 2)
    }

    @Test func `a full table removes ended connections before open ones, and a cut connection stays cut`() {
        var tracker = FlowPackets.tracker(mostConnections: 3)
        let flows = (1...4).map { FlowPackets(clientPort: 40_000 + $0) }
        for flow in flows[..<3] { tracker.connect(flow) }
        _ = tracker.kill(connection: 1, .silently)
        _ = tracker.judgeAll([(.downlink, flows[2].segment(.downlink, .rst, seq: 5001))])
        tracker.connect(flows[3])
        let ack: (FlowPackets) -> (LinkDirectionName, [UInt8]) = {
            (.uplink, $0.segment(.uplink, .ack, seq: 1001, ack: 5001))
        }
        #expect(tracker.judgeAll([ack(flows[0])]) == [.drop(.killed(connection: 1))])
        #expect(tracker.kill(connection: nil, .silently).connections == [2, 4])
    }
}
