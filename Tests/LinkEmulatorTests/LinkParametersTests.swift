import LinkEmulator
import Testing

@Suite struct LinkParametersTests {
    @Test func `valid parameters are accepted`() throws {
        try LinkParameters.check(.perfect)
        try LinkParameters.check(.down)
        try LinkParameters.check(
            LinkParameters(
                rate: .constant(bitsPerSecond: 1), queueBytes: 1, queuePackets: 1, delayNanoseconds: 5,
                jitter: JitterModel(amountNanoseconds: 3),
                loss: .gilbertElliott(p: 0, r: 1, lossInBad: 1, lossInGood: 0),
                duplicate: 1, reorder: 0.5, corrupt: 0, mtu: 1280,
                outages: OutagePattern.periodic(everyNanoseconds: 10, lastingNanoseconds: 9)))
    }

    @Test(arguments: [
        (
            LinkParameters(loss: .independent(1.5)),
            LinkParameterError.probabilityOutsideRange(field: "loss", value: 1.5)
        ),
        (LinkParameters(duplicate: -0.1), .probabilityOutsideRange(field: "duplicate", value: -0.1)),
        (
            LinkParameters(loss: .gilbertElliott(p: 0.1, r: 2, lossInBad: 1, lossInGood: 0)),
            .probabilityOutsideRange(field: "loss r", value: 2)
        ),
        (LinkParameters(delayNanoseconds: -1), .negative(field: "delay", value: -1)),
        (LinkParameters(queuePackets: 0), .mustBePositive(field: "queuePackets", value: 0)),
        (LinkParameters(queueBytes: 0), .mustBePositive(field: "queueBytes", value: 0)),
        (LinkParameters(rate: .constant(bitsPerSecond: 0)), .mustBePositive(field: "rate", value: 0)),
        (LinkParameters(mtu: -5), .mustBePositive(field: "mtu", value: -5)),
        (
            LinkParameters(outages: OutagePattern.periodic(everyNanoseconds: 5, lastingNanoseconds: 5)),
            .outageLongerThanPeriod(everyNanoseconds: 5, lastingNanoseconds: 5)
        ),
    ])
    func `invalid parameters are reported`(_ parameters: LinkParameters, _ expected: LinkParameterError) {
        #expect(throws: expected) { try LinkParameters.check(parameters) }
    }

    @Test(arguments: [
        LinkParameters(rate: .bucket(bitsPerSecond: 1000, burstBytes: 1)),
        LinkParameters(rate: .trace(milliseconds: [0, 0, 7, 7])),
        LinkParameters(promotion: IdlePromotion(delayNanoseconds: 0, tailNanoseconds: 0)),
        LinkParameters(discipline: .headDrop),
        LinkParameters(discipline: .codel),
        LinkParameters(loss: .fourState(p13: 0.3, p31: 0.1, p32: 0.9, p23: 0, p14: 0.7)),
        LinkParameters(jitter: JitterModel(amountNanoseconds: 1, distribution: .table([1, 1]))),
        LinkParameters(outages: .windows([])),
        LinkParameters(
            outages: .windows([
                OutageWindow(fromNanoseconds: 0, lastingNanoseconds: 5),
                OutageWindow(fromNanoseconds: 5, lastingNanoseconds: 1),
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
        (LinkParameters(rate: .bucket(bitsPerSecond: 0, burstBytes: 9)), .mustBePositive(field: "rate", value: 0)),
        (
            LinkParameters(rate: .bucket(bitsPerSecond: 8, burstBytes: 3601)),
            .burstTooLong(bytes: 3601, bitsPerSecond: 8)
        ),
        (LinkParameters(rate: .constant(bitsPerSecond: .max)), .rateTooHigh(.max)),
        (LinkParameters(rate: .trace(milliseconds: [])), .traceEmpty),
        (LinkParameters(rate: .trace(milliseconds: [0, 0])), .traceTakesNoTime),
        (LinkParameters(rate: .trace(milliseconds: [1, 3, 2])), .traceOutOfOrder(position: 2)),
        (
            LinkParameters(promotion: IdlePromotion(delayNanoseconds: -1, tailNanoseconds: 0)),
            .negative(field: "promotion delay", value: -1)
        ),
        (
            LinkParameters(promotion: IdlePromotion(delayNanoseconds: 0, tailNanoseconds: 3_600_000_000_001)),
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
            LinkParameters(loss: .fourState(p13: 0, p31: 0, p32: 0, p23: -1, p14: 0)),
            .probabilityOutsideRange(field: "loss p23", value: -1)
        ),
        (LinkParameters(jitter: JitterModel(amountNanoseconds: 1, distribution: .table([1]))), .quantilesTooFew(1)),
        (
            LinkParameters(jitter: JitterModel(amountNanoseconds: 1, distribution: .table([1, 2, 1]))),
            .quantilesOutOfOrder(position: 2)
        ),
        (
            LinkParameters(jitter: JitterModel(amountNanoseconds: 1, distribution: .table([0, .infinity]))),
            .quantileOutsideRange(position: 1, value: .infinity)
        ),
        (
            LinkParameters(
                outages: .windows([
                    OutageWindow(fromNanoseconds: 0, lastingNanoseconds: 5),
                    OutageWindow(fromNanoseconds: 4, lastingNanoseconds: 1),
                ])), .outagesOutOfOrder(position: 1)
        ),
        (
            LinkParameters(outages: .windows([OutageWindow(fromNanoseconds: -4, lastingNanoseconds: 1)])),
            .negative(field: "outage begin", value: -4)
        ),
        (
            LinkParameters(outages: .windows([OutageWindow(fromNanoseconds: 4, lastingNanoseconds: 0)])),
            .mustBePositive(field: "outage", value: 0)
        ),
        (
            LinkParameters(outages: .windows([OutageWindow(fromNanoseconds: 4, lastingNanoseconds: .max)])),
            .durationTooLong(field: "outage", nanoseconds: .max)
        ),
    ])
    func `invalid parameters are reported for every form of an effect`(
        _ parameters: LinkParameters, _ expected: LinkParameterError
    ) {
        #expect(throws: expected) { try LinkParameters.check(parameters) }
        #expect(!expected.description.isEmpty)
    }

    @Test func `NaN is not a valid share`() {
        #expect(throws: LinkParameterError.self) { try LinkParameters.check(LinkParameters(corrupt: .nan)) }
    }

    @Test func `a plain delay lets GSO packets pass whole`() {
        for parameters in [
            LinkParameters(delayNanoseconds: 5), LinkParameters(outages: .windows([])),
            LinkParameters(discipline: .codel),
            LinkParameters(queueBytes: 5, discipline: .headDrop), .down,
        ] {
            #expect(!parameters.needsPerPacketDecision)
        }
        for parameters in [
            LinkParameters(rate: .constant(bitsPerSecond: 5)),
            LinkParameters(jitter: JitterModel(amountNanoseconds: 1)),
            LinkParameters(loss: .packets([3])), LinkParameters(duplicate: 0.1), LinkParameters(reorder: 0.1),
            LinkParameters(corrupt: 0.1), LinkParameters(mtu: 1500), LinkParameters(replay: ReplayedDecisions()),
            LinkParameters(rate: .bucket(bitsPerSecond: 5, burstBytes: 5)),
            LinkParameters(rate: .trace(milliseconds: [1])),
            LinkParameters(promotion: IdlePromotion(delayNanoseconds: 1, tailNanoseconds: 1)),
        ] {
            #expect(parameters.needsPerPacketDecision)
        }
    }
}
