/// The CNAME records on the way from a question to its answer (RFC 1034 §3.6.2).
struct AliasChain {
    private(set) var records: [DNSRecord] = []
    /// The name that the answer itself belongs to.
    private(set) var end: DNSName
    /// An alias leads back to a name that was there before.
    private(set) var isLoop = false
    /// The question is for the CNAME itself, which ends the walk at the first.
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
