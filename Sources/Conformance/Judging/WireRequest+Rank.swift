extension WireRequest {
    /// Returns true if the client gave this request a higher priority than the other: by its Priority field (RFC 9218
    /// §4.1, where a smaller urgency comes first), and for equal urgency by the weight in its HEADERS frame (RFC 7540
    /// §5.3.2).
    func outranks(_ other: WireRequest) -> Bool {
        urgency == other.urgency ? weight > other.weight : urgency < other.urgency
    }

    /// A description of the request's priority.
    var rankDescription: String { "urgency \(urgency), weight \(weight)" }

    /// The urgency; default 3 (RFC 9218 §4.1).
    private var urgency: Int {
        for parameter in (header("Priority") ?? "").split(separator: ",") {
            let words = parameter.split(separator: "=").map { $0.trimmingPrefix { $0 == " " } }
            if words.count == 2, words[0] == "u", let value = Int(words[1]), (0...7).contains(value) { return value }
        }
        return 3
    }

    /// The weight; default 16 (RFC 7540 §5.3.5).
    private var weight: Int {
        let words = (priority ?? "").split { $0 == " " || $0 == "," }
        guard let index = words.firstIndex(of: "weight"), index + 1 < words.count else { return 16 }
        return Int(words[index + 1]) ?? 16
    }
}
