import LinkEmulator

/// Trace files with the packet opportunities of a link.
struct TracesTarget: FuzzTarget {
    static let name = "traces"
    static let subject = "trace files: a line for each packet opportunity, in milliseconds"

    func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var text = ""
        var stamp = UInt64(random.below(5))
        for _ in 0..<random.below(12) {
            stamp += UInt64(random.below(50))
            text += "\(stamp)" + random.pick(["\n", "\r\n", " \n", "\t\n"])
            if random.happens(oneIn: 20) {
                text += random.pick(["# a comment\n", "\n", "-1\n", "1.5\n", "99999999999\n", "x\n", "4294967295\n"])
            }
        }
        var bytes = Array(text.utf8)
        if random.happens(oneIn: 2) { random.damage(&bytes) }
        let input = String(decoding: bytes, as: UTF8.self)
        let trace: RateTrace
        do throws(RateTraceError) { trace = try RateTrace.parse(input, name: "fuzz") } catch {
            if error.description.isEmpty { throw FuzzFinding("an error without a description", bytes) }
            return false
        }
        guard let again = try? RateTrace.parse(trace.text, name: "fuzz"), again == trace else {
            throw FuzzFinding("writing and reading changes the trace", bytes)
        }
        return true
    }
}
