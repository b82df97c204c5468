import DNSMessages

/// The CNAME records between a question and its reply (RFC 1034 §3.6.2).
struct AliasChain {
    private(set) var records: [DNSRecord] = []
    /// The name that the final records belong to.
    private(set) var end: DNSName
    /// True if an alias leads back to an earlier name.
    private(set) var isLoop = false
    /// True if the question is for the CNAME itself, so that the first one ends the chain.
    private(set) var matchesQuestion = false
    private(set) var description = ""

    init(_ aliases: [DNSName], from question: DNSQuestion, timeToLive: UInt32) {
        end = question.name
        var seen: Set<String> = [question.name.folded]
        for alias in aliases {
            records.append(DNSRecord(name: end, timeToLive: timeToLive, data: .cname(alias)))
            description += "alias \(alias) → "
            end = alias
            if question.type == .cname {
                matchesQuestion = true
                return
            }
            if !seen.insert(alias.folded).inserted {
                isLoop = true
                return
            }
        }
    }
}
