import Record

extension DNSReply.Content {
    package var summary: String {
        switch self {
        case .origin: "origin"
        case .addresses(let list): list.isEmpty ? "no address" : list.joined(separator: " ")
        case .nxdomain: "nxdomain"
        case .servfail: "servfail"
        case .refused: "refused"
        case .silent: "silent"
        }
    }
}

extension DNSReply {
    /// `origin after 2.0 seconds; AAAA servfail`.
    package var summary: String {
        var words = aliases.map { "alias \($0) → " }.joined() + content.summary
        if let delay { words += " after \(delay)" }
        if let timeToLive { words += ", TTL \(timeToLive) s" }
        if let malformation { words += ", \(malformation.description)" }
        switch overTCP {
        case .answered: break
        case .silent: words += ", silent over TCP"
        case .reset: words += ", reset over TCP"
        }
        for type in QueryType.allCases {
            guard let exception = exceptions[type] else { continue }
            words += "; \(type.rawValue.uppercased()) \(exception.summary)"
        }
        return words
    }
}

extension DNSReply.Malformation {
    package var description: String {
        switch self {
        case .truncated: "truncated"
        case .oversized: "oversized"
        case .fromElsewhere: "from another address"
        case .wrongIdentifier: "with a wrong identifier"
        case .wrongQuestion: "with a wrong question"
        case .malformed: "malformed"
        case .garbage: "garbage"
        }
    }
}

extension DNSRule {
    /// `slow.test on wifi → servfail twice, then origin`.
    package var summary: String {
        let first = sequence.map { "\($0.reply.summary)\($0.times == 1 ? "" : " (\($0.times) times)"), then " }.joined()
        return host + (interface.map { " on \($0.rawValue)" } ?? "") + " → " + first + reply.summary
    }
}
