extension WireRequest {
    /// Whether the client has called this request more important than the other: by its Priority field (RFC 9218 §4.1, where a
    /// smaller urgency comes first), and between equals by the weight of its HEADERS frame (RFC 7540 §5.3.2).
    func outranks(_ other: WireRequest) -> Bool {
        urgency == other.urgency ? weight > other.weight : urgency < other.urgency
    }

    /// What the client says of this request's importance, in words.
    var rankDescription: String { "urgency \(urgency), weight \(weight)" }

    /// 3 unless said otherwise (RFC 9218 §4.1).
    private var urgency: Int {
        for parameter in (header("Priority") ?? "").split(separator: ",") {
            let words = parameter.split(separator: "=").map { $0.trimmingPrefix { $0 == " " } }
            if words.count == 2, words[0] == "u", let value = Int(words[1]), (0...7).contains(value) { return value }
        }
        return 3
    }

    /// 16 unless said otherwise (RFC 7540 §5.3.5).
    private var weight: Int {
        let words = (priority ?? "").split { $0 == " " || $0 == "," }
        guard let index = words.firstIndex(of: "weight"), index + 1 < words.count else { return 16 }
        return Int(words[index + 1]) ?? 16
    }
}
