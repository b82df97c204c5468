import LinkEmulator
import Testing
import Units

@Suite struct PacketDecisionTests {
    @Test(arguments: [
        (PacketDecision(index: 17, drop: .loss), "17 lost"),
        (PacketDecision(index: 20, delayOffset: 1_830_400, duplicated: true), "20 delay+1830400 dup"),
        (PacketDecision(index: 21, delayOffset: -5, mayOvertake: true), "21 delay-5 anyorder"),
        (PacketDecision(index: 22, reordered: true, corruptedBit: 77), "22 early bit=77"),
        (PacketDecision(index: .max), "18446744073709551615 plain"),
        (PacketDecision(index: 1, drop: .down), "1 down"), (PacketDecision(index: 1, drop: .outage), "1 outage"),
        (PacketDecision(index: 1, drop: .queueFull), "1 overflow"), (PacketDecision(index: 1, drop: .codel), "1 codel"),
        (PacketDecision(index: 1, drop: .tooBig), "1 toobig"),
        (PacketDecision(index: 1, drop: .swallowedTooBig), "1 blackhole"),
        (PacketDecision(index: 1, drop: .longerThanSlot), "1 oversize"),
        (PacketDecision(index: 1, drop: .filtered), "1 filtered"),
    ])
    func `a decision is written as one line and parsed back`(_ decision: PacketDecision, _ line: String) throws {
        #expect(decision.line == line)
        #expect(try PacketDecision.parse(line: line, number: 1) == decision)
    }

    @Test(arguments: [
        ("", PacketDecisionError.noIndex(line: 3, found: "")), ("lost", .noIndex(line: 3, found: "lost")),
        ("-1 lost", .noIndex(line: 3, found: "-1 lost")), ("+1 lost", .noIndex(line: 3, found: "+1 lost")),
        ("5", .unknownValue(line: 3, word: "")), ("5 gone", .unknownValue(line: 3, word: "gone")),
        ("5 delay+", .unknownValue(line: 3, word: "delay+")), ("5 delay5", .unknownValue(line: 3, word: "delay5")),
        ("5 delay+9223372036854775807", .unknownValue(line: 3, word: "delay+9223372036854775807")),
        ("5 bit=-3", .unknownValue(line: 3, word: "bit=-3")), ("5 plain dup", .unknownValue(line: 3, word: "plain")),
        ("5 lost dup", .droppedAndMore(line: 3)),
    ])
    func `an invalid line is reported with its number`(_ line: String, _ expected: PacketDecisionError) {
        #expect(throws: expected) { try PacketDecision.parse(line: line, number: 3) }
    }

    @Test func `a log keeps all changes to packets and can be parsed back`() throws {
        let text = "3 lost\n4 plain\n\n12 delay+7 dup\r\n5 early\n12 codel\n9 dup\n9 overflow\n9 overflow\n"
        let replay = try ReplayedDecisions.parse(text)
        // A drop of one of two copies removes one; the second drop removes the packet.
        #expect(replay.text == "3 lost\n5 early\n9 overflow\n12 delay+7\n")
        #expect(try ReplayedDecisions.parse(replay.text).text == replay.text)
        #expect(replay[4].isPlain && replay[99].isPlain && replay[5].reordered)
        #expect(throws: PacketDecisionError.unknownValue(line: 2, word: "x")) {
            try ReplayedDecisions.parse("1 dup\n2 x")
        }
    }
}

// The purpose of a log: whatever the condition drew and its queue dropped, the log alone reproduces it, to the
// nanosecond, under another seed and without random effects.
@Suite struct ReplayTests {
    private static func random(_ random: inout TestRandom) -> LinkParameters {
        func chance(_ most: Double) -> Probability {
            Bool.random(using: &random) ? Probability(Double.random(in: 0...most, using: &random))! : .zero
        }
        var parameters = LinkParameters(delayNanoseconds: Int64.random(in: 0...20_000_000, using: &random))
        parameters.rate =
            [
                nil, .constant(bitsPerSecond: 6_000_001), .bucket(bitsPerSecond: 6_000_000, burstBytes: 4000),
                .trace(milliseconds: [0, 1, 3, 3, 7]),
            ].randomElement(using: &random)!
        parameters.queue.discipline =
            [.dropTail, .headDrop, .codel(targetNanoseconds: 2_000_000, intervalNanoseconds: 20_000_000)].randomElement(
                using: &random)!
        parameters.queue.packets = [5, 1000].randomElement(using: &random)!
        parameters.queue.bytes = [nil, ByteCount(9000)].randomElement(using: &random)!
        parameters.loss =
            [
                nil, .independent(0.1), .gilbertElliott(p: 0.1, r: 0.3, lossInBad: 0.9, lossInGood: 0.05),
                .fourState(p13: 0.05, p31: 0.3, p32: 0.2, p23: 0.4, p14: 0.02), .packets([1, 5, 40]),
            ].randomElement(using: &random)!
        if Bool.random(using: &random) {
            parameters.jitter = LinkEffect.Jitter(
                amountNanoseconds: 6_000_000,
                distribution: [.uniform, .normal, .pareto, .table([-1, 0, 4])].randomElement(using: &random)!,
                allowsReordering: Bool.random(using: &random))
        }
        parameters.duplicate = chance(0.2)
        parameters.reorder = chance(0.2)
        parameters.corrupt = chance(0.2)
        parameters.mtu = [nil, 1400].randomElement(using: &random)!
        parameters.announcesTooBig = Bool.random(using: &random)
        if Bool.random(using: &random) {
            parameters.outages = .periodic(everyNanoseconds: 300_000_000, lastingNanoseconds: 40_000_000)
        }
        if Bool.random(using: &random) {
            parameters.promotion = LinkEffect.Promotion(delayNanoseconds: 8_000_000, tailNanoseconds: 3_000_000)
        }
        return parameters
    }

    private static func drive(_ run: inout LinkRun, seed: UInt64) {
        var random = TestRandom(seed)
        var moment: Int64 = 0
        for _ in 0..<250 {
            if Int.random(in: 0..<3, using: &random) == 0 { moment += Int64.random(in: 0...7_000_000, using: &random) }
            run.offer(Int.random(in: 20...1500, using: &random), at: LinkTime(nanoseconds: moment))
            if Bool.random(using: &random) { run.release(upTo: LinkTime(nanoseconds: moment)) }
        }
        run.finish()
    }

    @Test func `a log replayed under another seed, without random effects, gives the same fates`() throws {
        var random = TestRandom(2024)
        var dropped: Set<DropReason> = []
        for number in 0..<60 as Range<UInt64> {
            let parameters = Self.random(&random)
            var first = LinkRun(parameters, seed: number)
            Self.drive(&first, seed: number)
            for reason in DropReason.allCases where first.link.counters.dropped(reason) > 0 { dropped.insert(reason) }

            var second = LinkRun(
                LinkParameters(
                    rate: parameters.rate, promotion: parameters.promotion,
                    delayNanoseconds: parameters.delay.nanoseconds,
                    replay: try ReplayedDecisions.parse(first.log.joined(separator: "\n"))), seed: number &+ 999)
            Self.drive(&second, seed: number)
            let isSame = second.arrivals == first.arrivals
            #expect(isSame, "\(parameters)")
            #expect(second.replay == first.replay)
            #expect(second.link.counters.delivered == first.link.counters.delivered)
        }
        // All drop reasons except the caller's errors, a link that is down and a filter must occur.
        #expect(dropped == Set(DropReason.allCases).subtracting([.down, .longerThanSlot, .filtered]))
    }

    @Test func `the log overrides a condition with random effects`() {
        var run = LinkRun(
            LinkParameters(
                queuePackets: 1, delayNanoseconds: 1_000_000, loss: .independent(1), duplicate: 1,
                replay: ReplayedDecisions([PacketDecision(index: 2, drop: .loss)])))
        for _ in 0..<3 { run.offer(10, at: ms(0)) }
        run.finish()
        #expect(run.arrivals.map(\.index) == [1, 3] && run.arrivals.allSatisfy { $0.planned == ms(1) })
    }

    @Test func `a packet beyond the log passes unchanged, and so does a probe`() {
        var run = LinkRun(
            LinkParameters(
                rate: .constant(bitsPerSecond: 8_000_000), delayNanoseconds: 5_000_000,
                replay: ReplayedDecisions([PacketDecision(index: 1, drop: .loss)])))
        let probe = [UInt8](repeating: 0, count: 1000)
        #expect(run.link.offerProbe(probe.span, at: ms(0)).outcome == .delivered(releaseAt: ms(6)))
        #expect(run.offer(1000, at: ms(0)).outcome == .dropped(.loss))
        #expect(run.offer(1000, at: ms(0)).outcome == .delivered(releaseAt: ms(7)))
    }

    @Test func `a packet that never fits is still dropped in a replay`() {
        var run = LinkRun(LinkParameters(mtu: 1280, announcesTooBig: false, replay: ReplayedDecisions()))
        #expect(run.offer(1281, at: ms(0)).outcome == .dropped(.swallowedTooBig))
        #expect(run.offer(1280, at: ms(0)).outcome == .delivered(releaseAt: ms(0)))
        run.change(to: .init(isUp: false, replay: ReplayedDecisions()), at: ms(1))
        #expect(run.offer(10, at: ms(1)).outcome == .dropped(.down))
    }
}
