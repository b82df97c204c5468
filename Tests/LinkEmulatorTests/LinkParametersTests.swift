import LinkEmulator
import Testing

@Suite struct LinkParametersTests {
    @Test func `what can be is accepted`() throws {
        try LinkParameters.check(.perfect)
        try LinkParameters.check(.down)
        try LinkParameters.check(
            LinkParameters(
                rateBitsPerSecond: 1, queueBytes: 1, queuePackets: 1, delayNanoseconds: 5,
                jitter: JitterModel(amountNanoseconds: 3), loss: .gilbertElliott(p: 0, r: 1, lossInBad: 1, lossInGood: 0),
                duplicate: 1, reorder: 0.5, corrupt: 0, mtu: 1280,
                outages: OutagePattern(everyNanoseconds: 10, lastingNanoseconds: 9)))
    }

    @Test(arguments: [
        (LinkParameters(loss: .independent(1.5)), LinkParameterError.probabilityOutsideRange(field: "loss", value: 1.5)),
        (LinkParameters(duplicate: -0.1), .probabilityOutsideRange(field: "duplicate", value: -0.1)),
        (
            LinkParameters(loss: .gilbertElliott(p: 0.1, r: 2, lossInBad: 1, lossInGood: 0)),
            .probabilityOutsideRange(field: "loss r", value: 2)
        ),
        (LinkParameters(delayNanoseconds: -1), .negative(field: "delay", value: -1)),
        (LinkParameters(queuePackets: 0), .mustBePositive(field: "queuePackets", value: 0)),
        (LinkParameters(queueBytes: 0), .mustBePositive(field: "queueBytes", value: 0)),
        (LinkParameters(rateBitsPerSecond: 0), .mustBePositive(field: "rate", value: 0)),
        (LinkParameters(mtu: -5), .mustBePositive(field: "mtu", value: -5)),
        (
            LinkParameters(outages: OutagePattern(everyNanoseconds: 5, lastingNanoseconds: 5)),
            .outageLongerThanPeriod(everyNanoseconds: 5, lastingNanoseconds: 5)
        ),
    ])
    func `what cannot be is named`(_ parameters: LinkParameters, _ expected: LinkParameterError) {
        #expect(throws: expected) { try LinkParameters.check(parameters) }
    }

    @Test func `not a number is no share`() {
        #expect(throws: LinkParameterError.self) { try LinkParameters.check(LinkParameters(corrupt: .nan)) }
    }

    @Test func `a plain delay lets trains of segments pass whole`() {
        #expect(!LinkParameters(delayNanoseconds: 5).needsPerPacketDecision)
        for parameters in [
            LinkParameters(rateBitsPerSecond: 5), LinkParameters(jitter: JitterModel(amountNanoseconds: 1)),
            LinkParameters(loss: .packets([3])), LinkParameters(duplicate: 0.1), LinkParameters(reorder: 0.1),
            LinkParameters(corrupt: 0.1), LinkParameters(mtu: 1500),
        ] {
            #expect(parameters.needsPerPacketDecision)
        }
    }
}
