import DNSMessages
import InternetAddresses
import Record
import ScenarioLanguage

/// A rule with its names and addresses parsed: its replies in sequence.
struct DNSReplySequence: Sendable {
    private var sequence: [(replies: PerType, times: Int)] = []
    private var stays: PerType

    /// A reply, and the replies for single types that differ.
    private struct PerType: Sendable {
        var usual: PreparedDNSReply
        var exceptions: [DNSRecordType: PreparedDNSReply] = [:]
    }

    init(_ answer: PreparedDNSReply) { stays = PerType(usual: answer) }

    init(_ rule: DNSRule, origin: [IPAddress]) throws(DNSServiceError) {
        stays = try DNSReplySequence.read(rule.reply, host: rule.host, origin)
        for turn in rule.sequence {
            sequence.append((try DNSReplySequence.read(turn.reply, host: rule.host, origin), max(turn.times, 0)))
        }
    }

    private static func read(_ reply: DNSReply, host: String, _ origin: [IPAddress]) throws(DNSServiceError) -> PerType
    {
        var result = PerType(usual: try PreparedDNSReply(reply, host: host, origin: origin))
        for (type, exception) in reply.exceptions {
            var answer = try PreparedDNSReply(exception, host: host, origin: origin)
            // The rule gives this type explicitly, so nothing is synthesised in place of missing records. The origin's
            // own addresses are not explicit.
            answer.isFinal = exception.content != .origin
            switch type {
            case .a: result.exceptions[.a] = answer
            case .aaaa: result.exceptions[.aaaa] = answer
            }
        }
        return result
    }

    var hasSequence: Bool { !sequence.isEmpty }
    var last: PreparedDNSReply { stays.usual }
    /// True if the rule is about the server rather than about names, so that as `*` it applies to the well-known names
    /// as well.
    var isOfServer: Bool { stays.usual.isOfServer }

    /// Returns a reply; `turn` counts the queries from 0.
    func reply(turn: Int, for type: DNSRecordType) -> PreparedDNSReply {
        var left = turn
        for (replies, times) in sequence {
            if left < times { return replies.exceptions[type] ?? replies.usual }
            left -= times
        }
        return stays.exceptions[type] ?? stays.usual
    }
}

/// One reply as the name service sends it.
struct PreparedDNSReply: Sendable {
    enum Kind: Sendable {
        case addresses([IPAddress])
        case failure(DNSResponseCode, DNSFact.Failure)
        case silent
    }
    var kind: Kind
    var delay: Duration?
    var timeToLive: UInt32?
    var aliases: [DNSName] = []
    var malformation: DNSReply.Malformation?
    var overTCP = DNSReply.TCPReply.answered
    /// True if nothing is synthesised from it.
    var isFinal = false

    init(_ kind: Kind, delay: Duration? = nil) {
        self.kind = kind
        self.delay = delay
    }

    init(_ reply: DNSReply, host: String, origin: [IPAddress]) throws(DNSServiceError) {
        switch reply.content {
        case .origin: kind = .addresses(origin)
        case .addresses(let list):
            var addresses: [IPAddress] = []
            for text in list {
                guard let address = IPAddress(text) else { throw .address(text, host: host) }
                addresses.append(address)
            }
            kind = .addresses(addresses)
        case .nxdomain: kind = .failure(.nameError, .nxdomain)
        case .servfail: kind = .failure(.serverFailure, .servfail)
        case .refused: kind = .failure(.refused, .refused)
        case .silent: kind = .silent
        }
        for text in reply.aliases {
            guard let name = DNSName(text) else { throw .host(text) }
            aliases.append(name)
        }
        delay = reply.delay
        timeToLive = reply.timeToLive
        malformation = reply.malformation
        overTCP = reply.overTCP
    }

    var isOfServer: Bool {
        switch kind {
        case .addresses: false
        case .failure(let code, _): code == .serverFailure || code == .refused
        case .silent: true
        }
    }
}
