import LinkEmulator
import Testing
import Units

@Suite struct LinkParametersTests {
    private static let share = Probability(0.02)!

    @Test func `every effect of a condition is taken as requested`() {
        let rate = BitRate(bitsPerSecond: 8_000_000)!
        let rules = [PacketRule(kind: .syn, first: 1)]
        let condition = Condition([
            .rate(rate), .promotion(.milliseconds(250), idle: .seconds(5)),
            .delay(
                .milliseconds(20),
                jitter: .init(amount: .milliseconds(5), distribution: .pareto, allowsReordering: true)),
            .loss(.gilbertElliott(p: Self.share, r: Probability(0.2)!, lossInBad: .certain, lossInGood: .zero)),
            .duplicate(Self.share), .reorder(Self.share), .corrupt(Self.share),
            .queue(bytes: ByteCount(3000), packets: 7),
            .mtu(1400, isAnnounced: false), .outages(every: .seconds(4), lasting: .milliseconds(400)), .filter(rules),
        ])
        var expected = LinkParameters(
            rate: .constant(bitsPerSecond: 8_000_000),
            promotion: .init(delayNanoseconds: 250_000_000, tailNanoseconds: 5_000_000_000), queueBytes: 3000,
            queuePackets: 7, delayNanoseconds: 20_000_000,
            jitter: .init(amountNanoseconds: 5_000_000, distribution: .pareto, allowsReordering: true),
            loss: .gilbertElliott(p: 0.02, r: 0.2, lossInBad: 1, lossInGood: 0), duplicate: 0.02, reorder: 0.02,
            corrupt: 0.02, mtu: 1400, announcesTooBig: false,
            outages: .periodic(everyNanoseconds: 4_000_000_000, lastingNanoseconds: 400_000_000))
        expected.filter = rules
        #expect(LinkParameters(condition) == expected)
        expected.isUp = false
        #expect(LinkParameters(condition, swallowsEverything: true) == expected)
    }

    @Test func `valid parameters are accepted`() throws {
        try LinkParameters.check(.perfect)
        try LinkParameters.check(.down)
        try LinkParameters.check(
            LinkParameters(
                rate: .constant(bitsPerSecond: 1), queueBytes: 1, queuePackets: 1, delayNanoseconds: 5,
                jitter: LinkEffect.Jitter(amountNanoseconds: 3),
                loss: .gilbertElliott(p: 0, r: 1, lossInBad: 1, lossInGood: 0),
                duplicate: 1, reorder: 0.5, corrupt: 0, mtu: 1280,
                outages: LinkEffect.Outages.periodic(everyNanoseconds: 10, lastingNanoseconds: 9)))
    }

    @Test(arguments: [
        (LinkParameters(delayNanoseconds: -1), LinkParameterError.negative(field: "delay", value: -1)),
        (LinkParameters(queuePackets: 0), .mustBePositive(field: "queuePackets", value: 0)),
        (LinkParameters(queueBytes: 0), .mustBePositive(field: "queueBytes", value: 0)),
        (LinkParameters(mtu: -5), .mustBePositive(field: "mtu", value: -5)),
        (
            LinkParameters(outages: LinkEffect.Outages.periodic(everyNanoseconds: 5, lastingNanoseconds: 5)),
            .outageLongerThanPeriod(everyNanoseconds: 5, lastingNanoseconds: 5)
        ),
    ])
    func `invalid parameters are reported`(_ parameters: LinkParameters, _ expected: LinkParameterError) {
        #expect(throws: expected) { try LinkParameters.check(parameters) }
    }

    @Test(arguments: [
        LinkParameters(rate: .bucket(bitsPerSecond: 1000, burstBytes: 1)),
        LinkParameters(rate: .trace(milliseconds: [0, 0, 7, 7])),
        LinkParameters(promotion: LinkEffect.Promotion(delayNanoseconds: 0, tailNanoseconds: 0)),
        LinkParameters(discipline: .headDrop),
        LinkParameters(discipline: .codel),
        LinkParameters(loss: .fourState(p13: 0.3, p31: 0.1, p32: 0.9, p23: 0, p14: 0.7)),
        LinkParameters(loss: .fading(goodMilliseconds: 3_600_000, badMilliseconds: 1, lossInBad: 1, lossInGood: 0)),
        LinkParameters(jitter: LinkEffect.Jitter(amountNanoseconds: 1, distribution: .table([1, 1]))),
        LinkParameters(outages: .windows([])),
        LinkParameters(
            outages: .windows([
                LinkEffect.Outages.Window(fromNanoseconds: 0, lastingNanoseconds: 5),
                LinkEffect.Outages.Window(fromNanoseconds: 5, lastingNanoseconds: 1),
            ])),
        LinkParameters(mtu: 68, announcesTooBig: false), LinkParameters(replay: ReplayedDecisions()),
    ])
    func `every form of an effect is accepted`(_ parameters: LinkParameters) throws {
        try LinkParameters.check(parameters)
    }

    @Test(arguments: [
        (
            LinkParameters(rate: .bucket(bitsPerSecond: 8, burstBytes: 0)),
            LinkParameterError.mustBePositive(field: "burst", value: 0)
        ),
        (
            LinkParameters(rate: .bucket(bitsPerSecond: 8, burstBytes: 3601)),
            .burstTooLong(bytes: 3601, bitsPerSecond: 8)
        ),
        (LinkParameters(rate: .constant(bitsPerSecond: .max)), .rateTooHigh(.max)),
        (
            LinkParameters(promotion: LinkEffect.Promotion(delayNanoseconds: -1, tailNanoseconds: 0)),
            .negative(field: "promotion delay", value: -1)
        ),
        (
            LinkParameters(promotion: LinkEffect.Promotion(delayNanoseconds: 0, tailNanoseconds: 3_600_000_000_001)),
            .durationTooLong(field: "promotion tail", nanoseconds: 3_600_000_000_001)
        ),
        (
            LinkParameters(discipline: .codel(targetNanoseconds: 0, intervalNanoseconds: 5)),
            .mustBePositive(field: "CoDel target", value: 0)
        ),
        (
            LinkParameters(discipline: .codel(targetNanoseconds: 5, intervalNanoseconds: 0)),
            .mustBePositive(field: "CoDel interval", value: 0)
        ),
        (
            LinkParameters(loss: .fourState(p13: 0.5, p31: 1, p32: 0, p23: 1, p14: 0.625)),
            .sharesExceedOne(fields: "loss p13 and p14", sum: 1.125)
        ),
        (
            LinkParameters(loss: .fourState(p13: 0.5, p31: 1, p32: 0.5, p23: 1, p14: 0)),
            .sharesExceedOne(fields: "loss p31 and p32", sum: 1.5)
        ),
        (
            LinkParameters(loss: .fading(goodMilliseconds: 0, badMilliseconds: 5, lossInBad: 1, lossInGood: 0)),
            .periodTooShort(field: "good period", nanoseconds: 0)
        ),
        (
            LinkParameters(loss: .fading(goodMilliseconds: 5, badMilliseconds: 3_600_001, lossInBad: 1, lossInGood: 0)),
            .durationTooLong(field: "bad period", nanoseconds: 3_600_001_000_000)
        ),
        (
            LinkParameters(jitter: LinkEffect.Jitter(amountNanoseconds: 1, distribution: .table([1]))),
            .quantilesTooFew(1)
        ),
        (
            LinkParameters(jitter: LinkEffect.Jitter(amountNanoseconds: 1, distribution: .table([1, 2, 1]))),
            .quantilesOutOfOrder(position: 2)
        ),
        (
            LinkParameters(jitter: LinkEffect.Jitter(amountNanoseconds: 1, distribution: .table([0, .infinity]))),
            .quantileOutsideRange(position: 1, value: .infinity)
        ),
        (
            LinkParameters(
                outages: .windows([
                    LinkEffect.Outages.Window(fromNanoseconds: 0, lastingNanoseconds: 5),
                    LinkEffect.Outages.Window(fromNanoseconds: 4, lastingNanoseconds: 1),
                ])), .outagesOutOfOrder(position: 1)
        ),
        (
            LinkParameters(outages: .windows([LinkEffect.Outages.Window(fromNanoseconds: -4, lastingNanoseconds: 1)])),
            .negative(field: "outage begin", value: -4)
        ),
        (
            LinkParameters(outages: .windows([LinkEffect.Outages.Window(fromNanoseconds: 4, lastingNanoseconds: 0)])),
            .mustBePositive(field: "outage", value: 0)
        ),
        (
            LinkParameters(
                outages: .windows([LinkEffect.Outages.Window(fromNanoseconds: 4, lastingNanoseconds: .max)])),
            .durationTooLong(field: "outage", nanoseconds: .max)
        ),
    ])
    func `invalid parameters are reported for every form of an effect`(
        _ parameters: LinkParameters, _ expected: LinkParameterError
    ) {
        #expect(throws: expected) { try LinkParameters.check(parameters) }
        #expect(!expected.description.isEmpty)
    }

    @Test func `a plain delay lets GSO packets pass whole`() {
        for parameters in [
            LinkParameters(delayNanoseconds: 5), LinkParameters(outages: .windows([])),
            LinkParameters(discipline: .codel),
            LinkParameters(queueBytes: 5, discipline: .headDrop), .down,
        ] {
            #expect(!parameters.needsSinglePackets)
        }
        for parameters in [
            LinkParameters(rate: .constant(bitsPerSecond: 5)),
            LinkParameters(jitter: LinkEffect.Jitter(amountNanoseconds: 1)),
            LinkParameters(loss: .packets([3])), LinkParameters(duplicate: 0.1), LinkParameters(reorder: 0.1),
            LinkParameters(corrupt: 0.1), LinkParameters(mtu: 1500), LinkParameters(replay: ReplayedDecisions()),
            LinkParameters(rate: .bucket(bitsPerSecond: 5, burstBytes: 5)),
            LinkParameters(rate: .trace(milliseconds: [1])),
            LinkParameters(promotion: LinkEffect.Promotion(delayNanoseconds: 1, tailNanoseconds: 1)),
        ] {
            #expect(parameters.needsSinglePackets)
        }
    }
}
