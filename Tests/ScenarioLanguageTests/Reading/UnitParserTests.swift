import Testing

@testable import ScenarioLanguage

struct UnitParserTests {
    @Test(arguments: [
        ("20ms", Int64(20_000_000)), ("1.5s", 1_500_000_000), ("2min", 120_000_000_000), ("3h", 10_800_000_000_000),
        ("1d", 86_400_000_000_000), ("500us", 500_000), ("7ns", 7), ("0s", 0), ("0.1s", 100_000_000),
    ])
    func `a duration is its number times its unit`(text: String, nanoseconds: Int64) throws {
        #expect(try UnitParser.duration(text).nanoseconds == nanoseconds)
    }

    @Test(arguments: [
        ("8bit/s", UInt64(8)), ("240kbit/s", 240_000), ("1.5Mbit/s", 1_500_000), ("1Gbit/s", 1_000_000_000),
    ])
    func `a rate uses decimal multiples of bits`(text: String, bits: UInt64) throws {
        #expect(try UnitParser.bitRate(text).bitsPerSecond == bits)
    }

    @Test(arguments: [
        ("500B", Int64(500)), ("64KiB", 65536), ("1MiB", 1 << 20), ("1GiB", 1 << 30), ("64kB", 64000),
        ("2MB", 2_000_000),
        ("17", 17),
        ("0.5KiB", 512),
    ])
    func `byte units with an i are binary and others decimal`(text: String, bytes: Int64) throws {
        #expect(try UnitParser.byteCount(text).bytes == bytes)
    }

    @Test(arguments: [("2%", 0.02), ("0.02", 0.02), ("100%", 1), ("0", 0), ("1", 1), ("0.5%", 0.005)])
    func `a probability is a percentage or a share`(text: String, value: Double) throws {
        #expect(abs(try UnitParser.probability(text).value - value) < 1e-12)
    }

    @Test(arguments: [
        "", " ", "s", "20", "20 ms", "-1s", "+1s", "1e3s", "1.s", ".5s", "1..5s", "1,5s", "٣s", "999999999999d",
        "0.1ns", "1S",
        "1sec",
        "99999999999999999999s", "nan", "infs", "0x10s",
    ])
    func `a text that is not a duration is refused with an example`(text: String) {
        let problem = #expect(throws: UnitParser.Problem.self) { try UnitParser.duration(text) }
        #expect((problem?.message.count ?? 0) > 10)
    }

    @Test(arguments: ["0bit/s", "5", "5mbit/s", "5Mb", "-5bit/s", "2000Gbit/s"])
    func `a text that is not a rate is refused`(text: String) {
        #expect(throws: UnitParser.Problem.self) { try UnitParser.bitRate(text) }
    }

    @Test(arguments: ["-1", "1.5", "5K", "5TiB", "99999999999999999999", "1025GiB", "0.1B"])
    func `a text that is not a number of bytes is refused`(text: String) {
        #expect(throws: UnitParser.Problem.self) { try UnitParser.byteCount(text) }
    }

    @Test(arguments: ["101%", "1.01", "-1%", "2", "%", "two", "0x1", "nan"])
    func `a text that is not a probability is refused`(text: String) {
        #expect(throws: UnitParser.Problem.self) { try UnitParser.probability(text) }
    }
}
