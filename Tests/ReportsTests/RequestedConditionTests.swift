import LinkEmulator
import Record
import Testing

@testable import Reports

@Suite struct RequestedConditionTests {
    @Test func `a measurement belongs to the condition in force at that time`() {
        func measured(_ means: NetworkFact.Measurement.Means, _ delay: Int64) -> NetworkFact {
            .conditionMeasured(
                .wifi, .downlink,
                .init(means: means, packets: 20, lost: 0, delayMedian: delay, bitsPerSecond: 1_000_000, text: ""))
        }
        let facts: [NetworkFact] = [
            .conditionRequested(.wifi, .downlink, "delay 10 ms"), .conditionRequested(.wifi, .uplink, "delay 1 ms"),
            measured(.probe, 10_000_000), .conditionRequested(.wifi, .downlink, "delay 50 ms"),
            measured(.probe, 50_000_000), measured(.traffic, 51_000_000),
        ]
        let conditions = RequestedCondition.all(in: facts.map { RecordEntry(time: 0, fact: .network($0)) })
        #expect(conditions.map(\.requested) == ["delay 10 ms", "delay 1 ms", "delay 50 ms"])
        #expect(conditions.map(\.probe?.delayMedian) == [10_000_000, nil, 50_000_000])
        #expect(conditions.map(\.traffic?.delayMedian) == [nil, nil, 51_000_000])
    }
}
