import FoundationEssentials

/// Reads the trace that a link's `rate:` names: a file of millisecond stamps beside the scenario.
enum TraceReader {
    static func trace(_ rate: Fields, _ findings: inout Findings) -> RateTrace? {
        guard let name = rate.text("trace") else { return nil }
        let place = rate.place(of: "trace")
        let folder = place.file.lastIndex(of: "/").map { place.file[...$0] } ?? ""
        let path = name.hasPrefix("/") ? name : folder + name
        guard let data = FileManager.default.contents(atPath: path) else {
            findings.refuse(place, "the trace `\(name.shortened)` cannot be read; its path is relative to this file")
            return nil
        }
        do throws(RateTraceError) {
            return try RateTrace.parse(String(decoding: data, as: UTF8.self), name: name)
        } catch {
            findings.refuse(place, "the trace `\(name.shortened)` cannot be used: \(error)")
            return nil
        }
    }
}
