import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests of the keys of a file with their values.
struct KeyValueTests {
    private static func keys(_ text: String) throws -> [String] {
        try KeyValue.all(file: "f.yaml", text: text).map { "\($0.line) \($0.path)=\($0.value)" }
    }

    @Test func `each key has its line, path and value`() throws {
        let text = """
            scenario: A body arrives
            proves: [DATA-01, DATA-02]
            network: { wifi: good-wifi }
            origin:
              /a: { size: 64KiB }
              faults:
                - { at: { responseBody: 1KiB }, do: reset }
            steps:
              - data: /a
                as: first
            expect:
              - completes: { task: first, error: [timedOut, networkConnectionLost] }
            """
        #expect(
            try Self.keys(text) == [
                "1 scenario=A body arrives", "2 proves=DATA-01, DATA-02", "3 network=", "3 network.wifi=good-wifi",
                "4 origin=", "5 origin./a.size=64KiB", "6 origin.faults=", "7 origin.faults.at=",
                "7 origin.faults.at.responseBody=1KiB", "7 origin.faults.do=reset", "8 steps=", "9 steps.data=/a",
                "10 steps.as=first", "11 expect=", "12 expect.completes=", "12 expect.completes.task=first",
                "12 expect.completes.error=timedOut, networkConnectionLost",
            ])
    }

    @Test func `the meaning is the one of the language at this place`() throws {
        let text = "scenario: A\norigin: { /a: { delay: 1s } }\nnetwork: { wifi: { both: { delay: 20ms } } }\n"
        let meanings = try KeyValue.all(file: "f.yaml", text: text).filter { $0.path.hasSuffix("delay") }.map(\.meaning)
        #expect(
            meanings == [
                "Time between the complete request and the response head.",
                "One-way delay; replaces the profile's delay and its jitter.",
            ])
    }

    @Test func `a file with parameters shows the values of its first row`() throws {
        let text = """
            scenario: A
            parameters:
              - { name: early, byte: 4KiB }
              - { name: late, byte: 8KiB }
            origin:
              faults: [{ at: { responseBody: $byte }, do: close }]
            """
        let keys = try Self.keys(text)
        #expect(keys.contains("2 parameters="))
        #expect(keys.contains("3 parameters.name=early"))
        #expect(
            keys.contains("3 origin.faults.at.responseBody=4KiB")
                || keys.contains("6 origin.faults.at.responseBody=4KiB"))
    }

    @Test func `every key of the guide and of the symptoms is found`() throws {
        for file in try ScenarioFiles.find(in: [Sample.scenarios + "/guide", Sample.scenarios + "/symptoms"]) {
            let text = try ScenarioReader.text(ofFile: file)
            let keys = try KeyValue.all(file: file, text: text)
            // Each line that begins with one of the language's keys is the line of an entry.
            let lines = Set(keys.map(\.line))
            for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
            where line.contains(#/^ *(- )?[a-zA-Z]+:/#) && !line.contains(#/^ +(gone\.test|\/)/#) {
                #expect(lines.contains(index + 1), "\(file):\(index + 1)")
            }
        }
    }
}
