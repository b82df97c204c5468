import DNSMessages
import InternetAddresses
package import Record
package import ScenarioLanguage

/// Decides the replies of the lab's name servers: the scenario's rules, the origin's addresses, and synthesis for
/// IPv6-only clients.
///
/// It replies like a recursive resolver (RA set, AA clear). A name's own rule applies first, then `*`; otherwise the
/// names that the scenario uses resolve to the origin, and every other name does not exist.
package struct DNSService: Sendable {
    package typealias Transport = DNSFact.Transport

    /// The decision about one query, and its fact for the record.
    package struct Reply: Hashable, Sendable {
        package var decision: Decision
        package var fact: DNSFact
    }
    package enum Decision: Hashable, Sendable {
        case reply([UInt8])
        case after(Duration, [UInt8])
        /// Like a reply, but from another address than the queried one.
        case fromElsewhere(after: Duration, [UInt8])
        case silent
        /// Resets the TCP connection.
        case reset
    }

    /// The maximum UDP message that we send or announce: the largest that passes the smallest IPv6 path unfragmented,
    /// 1280 − 40 − 8 (RFC 8200 §5).
    static let payloadSize: UInt16 = 1232
    /// Zero: a reply is valid for its own transaction only (RFC 1035 §3.2.1), so that the next query sees a change of a
    /// rule.
    static let timeToLive: UInt32 = 0
    /// `ipv4only.arpa` never changes, and a client that refreshes its prefix before this time ends (RFC 7050 §3) must
    /// not loop.
    static let wellKnownTimeToLive: UInt32 = 600
    /// RFC 7050 §2.2: the name with which a client finds the prefix, and its two addresses.
    static let wellKnownName = "ipv4only.arpa"
    static let wellKnownAddresses: [IPAddress] = [.v4(0xc000_00aa), .v4(0xc000_00ab)]

    /// The key of a rule: its name and, if it is not for all, the network of its server.
    private struct Place: Hashable {
        var host: String
        var interface: InterfaceKind?
    }
    private var rules: [Place: DNSReplySequence] = [:]
    /// The rules as they were given, because the origin's addresses in them depend on NAT64.
    private var written: [Place: DNSRule] = [:]
    private var tallies = QueryTallies()
    private var origin: [IPAddress]
    private let originOfFamilies: [IPAddress]
    private let ipv4Origin: IPAddress
    private let hosts: Set<String>
    /// nil unless AAAA records are synthesised.
    private var synthesis: NAT64Prefix?
    /// The network of each server, by the server's address.
    private let servers: [IPAddress: InterfaceKind]

    /// `hosts` are the names that the scenario uses; `servers` maps each name server's address to its network. With a
    /// NAT64 plan the origin is IPv4-only, whatever `families` is.
    package init(
        plan: DNSPlan, families: AddressFamilies, nat64: NAT64Plan?, hosts: Set<String>, origin4: String,
        origin6: String,
        servers: [String: InterfaceKind] = [:]
    ) throws(DNSServiceError) {
        guard let four = IPAddress(origin4), case .v4 = four else { throw .address(origin4, host: "the origin") }
        guard let six = IPAddress(origin6), case .v6 = six else { throw .address(origin6, host: "the origin") }
        ipv4Origin = four
        originOfFamilies =
            switch families {
            case .ipv4: [four]
            case .ipv6: [six]
            case .both: [four, six]
            }
        origin = nat64 == nil ? originOfFamilies : [four]
        synthesis = try DNSService.synthesis(nat64)
        // An address in place of a name is never queried.
        self.hosts = Set(hosts.filter { IPAddress($0) == nil }.compactMap { DNSName($0)?.folded })
        var places: [IPAddress: InterfaceKind] = [:]
        for (text, kind) in servers {
            guard let address = IPAddress(text) else { throw .address(text, host: "a name server") }
            places[address] = kind
        }
        self.servers = places
        for rule in plan.rules { try change(rule) }
    }

    /// Sets the rule of one host name, or of `*`, beginning with the next query. Its sequence starts again; a rule for
    /// all servers replaces those for single ones.
    package mutating func change(_ rule: DNSRule) throws(DNSServiceError) {
        guard let name = DNSName(rule.host) else { throw .host(rule.host) }
        let host = name.folded
        let usual = host == DNSService.wellKnownName ? DNSService.wellKnownAddresses : origin
        let replies = try DNSReplySequence(rule, origin: usual)
        if rule.interface == nil {
            for kind in InterfaceKind.allCases {
                rules[Place(host: host, interface: kind)] = nil
                written[Place(host: host, interface: kind)] = nil
            }
        }
        rules[Place(host: host, interface: rule.interface)] = replies
        written[Place(host: host, interface: rule.interface)] = rule
        tallies.forget(host)
    }

    /// Replaces all rules, beginning with the next query.
    package mutating func replaceRules(_ all: [DNSRule]) throws(DNSServiceError) {
        for place in rules.keys { tallies.forget(place.host) }
        rules = [:]
        written = [:]
        for rule in all { try change(rule) }
    }

    /// Begins to reply as a network with this NAT64 does, or as one without it.
    package mutating func setNAT64(_ nat64: NAT64Plan?) throws(DNSServiceError) {
        synthesis = try DNSService.synthesis(nat64)
        origin = nat64 == nil ? originOfFamilies : [ipv4Origin]
        // A rule for all servers replaces those for single ones, so it comes first.
        let rules = written.values
        try replaceRules(rules.filter { $0.interface == nil } + rules.filter { $0.interface != nil })
    }

    private static func synthesis(_ nat64: NAT64Plan?) throws(DNSServiceError) -> NAT64Prefix? {
        guard let nat64 else { return nil }
        guard let prefix = NAT64Prefix(nat64.prefix) else { throw .prefix(nat64.prefix) }
        return nat64.dns64 ? prefix : nil
    }

    /// Returns the reply to one message from the wire, which may contain anything. `server` is the queried address.
    package mutating func reply(
        to bytes: [UInt8], from client: String, over transport: Transport, at server: String? = nil
    ) -> Reply {
        var fact = DNSFact(host: "?", type: "?", reply: "", client: client, transport: transport, server: server)
        let query: DNSMessage
        do {
            query = try DNSMessage(parsing: bytes)
        } catch {
            return DNSService.unreadable(bytes, error, fact)
        }
        // Replying to a response could cause an endless loop.
        guard !query.isResponse else {
            fact.reply = "ignored: not a query"
            fact.failure = .ignored
            return Reply(decision: .silent, fact: fact)
        }
        if let question = query.questions.first {
            fact.host = question.name.folded
            fact.type = question.type.description
        }
        if let (code, failure, details) = DNSService.fault(of: query) {
            var response = DNSMessage(answering: query)
            response.responseCode = code
            fact.failure = failure
            fact.reply = failure.rawValue + details + (transport == .tcp ? ", over TCP" : "")
            return Reply(decision: .reply(response.encoded()), fact: fact)
        }
        let question = query.questions[0]
        let (replies, place) = self.replies(
            for: fact.host, at: server.flatMap { IPAddress($0) }.flatMap { servers[$0] })
        let key = QueryTallies.Key(
            rule: place.host, interface: place.interface, host: fact.host, type: question.type.rawValue)
        let turn = replies.hasSequence ? tallies.turn(key, over: transport) : 0
        let answer = replies.reply(turn: turn, for: question.type)
        let reply = carry(out: answer, query, fact)
        if replies.hasSequence, transport == .udp { tallies.note(key, wasTruncated: reply.isTruncated) }
        return Reply(decision: reply.decision, fact: reply.fact)
    }

    private func carry(
        out answer: PreparedDNSReply, _ query: DNSMessage, _ start: DNSFact
    ) -> (decision: Decision, fact: DNSFact, isTruncated: Bool) {
        var fact = start
        let isStream = fact.transport == .tcp
        if isStream {
            switch answer.overTCP {
            case .answered: break
            case .silent:
                fact.reply = "silent, over TCP"
                fact.failure = .silent
                return (.silent, fact, false)
            case .reset:
                fact.reply = "reset, over TCP"
                fact.failure = .reset
                return (.reset, fact, false)
            }
        }
        var response = DNSMessage(answering: query)
        guard let (words, failure) = fill(&response, answer, query) else {
            fact.reply = "silent"
            fact.failure = .silent
            return (.silent, fact, false)
        }
        fact.reply = words
        fact.failure = failure
        fact.timeToLive = (response.answers.first ?? response.authorities.first)?.timeToLive
        let form = DNSReplyEncoder(
            malformation: answer.malformation, isStream: isStream,
            limit: isStream ? 65535 : Int(min(max(query.edns?.payloadSize ?? 512, 512), DNSService.payloadSize)))
        let bytes = form.bytes(of: response)
        let isTruncated = form.isTruncated(bytes)
        if isTruncated { fact.reply += ", truncated" }
        if let words = form.description { fact.reply += ", \(words)" }
        if isStream { fact.reply += ", over TCP" }
        let delay = answer.delay ?? .zero
        if delay > .zero {
            fact.reply += ", after \(delay.nanoseconds / 1_000_000) ms"
            fact.delay = delay.nanoseconds
        }
        let decision: Decision =
            form.isFromElsewhere
            ? .fromElsewhere(after: delay, bytes) : delay > .zero ? .after(delay, bytes) : .reply(bytes)
        return (decision, fact, isTruncated)
    }

    /// Returns the error of a query that is wrong independently of its name.
    private static func fault(of query: DNSMessage) -> (DNSResponseCode, DNSFact.Failure, details: String)? {
        if let edns = query.edns, edns.version > 0 { return (.badVersion, .badvers, "") }
        guard query.operation == 0 else { return (.notImplemented, .notimp, "") }
        // RFC 9619: a query has exactly one question.
        guard query.questions.count == 1, let question = query.questions.first else {
            return (.formatError, .formerr, ": \(query.questions.count) questions")
        }
        guard question.recordClass == DNSRecord.internet || question.recordClass == DNSRecord.anyClass,
            question.type != .axfr, question.type != .ixfr
        else { return (.refused, .refused, "") }
        return nil
    }

    /// Fills the response; returns its description and failure, nil when none is sent.
    private func fill(
        _ response: inout DNSMessage, _ answer: PreparedDNSReply, _ query: DNSMessage
    ) -> (words: String, failure: DNSFact.Failure?)? {
        let question = query.questions[0]
        let standard =
            question.name.folded == DNSService.wellKnownName ? DNSService.wellKnownTimeToLive : DNSService.timeToLive
        let timeToLive = answer.timeToLive ?? standard
        let chain = AliasChain(answer.aliases, from: question, timeToLive: timeToLive)
        switch answer.kind {
        case .silent: return nil
        case .failure(let code, let failure):
            response.responseCode = code
            // RFC 6604 §2.1: the code is about the last name of the chain.
            if code == .nameError {
                response.answers = chain.records
                response.authorities = [authority(for: chain.end, timeToLive)]
            }
            return ((code == .nameError ? chain.description : "") + failure.rawValue, failure)
        case .addresses(let addresses):
            response.answers = chain.records
            if chain.matchesQuestion || chain.isLoop {
                return chain.isLoop ? (chain.description + "a loop", .loop) : (chain.description + "no more", nil)
            }
            // RFC 6147 §5.5: a client that validates by itself (DO and CD) gets the records without synthesis.
            let validates = query.checkingDisabled && query.edns?.dnssecOK == true
            let (found, words) = records(
                of: addresses, for: question.type, synthesis: validates || answer.isFinal ? nil : synthesis)
            response.answers += found.map { DNSRecord(name: chain.end, timeToLive: timeToLive, data: $0) }
            if found.isEmpty { response.authorities = [authority(for: chain.end, timeToLive)] }
            return (chain.description + DNSService.text(words), nil)
        }
    }

    /// Returns the replies for a name at the server of this network, and the key of their rule.
    private func replies(for host: String, at kind: InterfaceKind?) -> (DNSReplySequence, Place) {
        let own = rule(host, kind)
        let everything = rule("*", kind)
        if let own { return own }
        if host == DNSService.wellKnownName || host == "arpa" || host.hasSuffix(".arpa") {
            if let everything, everything.0.isOfServer { return everything }
            let kind: PreparedDNSReply.Kind =
                host == DNSService.wellKnownName
                ? .addresses(DNSService.wellKnownAddresses) : .failure(.nameError, .nxdomain)
            return (DNSReplySequence(PreparedDNSReply(kind, delay: everything?.0.last.delay)), Place(host: host))
        }
        if let everything { return everything }
        if hosts.contains(host) { return (DNSReplySequence(PreparedDNSReply(.addresses(origin))), Place(host: host)) }
        // RFC 8020: NXDOMAIN would mean that nothing below the name exists either.
        let hasNamesBelow = host == "." || hosts.union(rules.keys.map(\.host)).contains { $0.hasSuffix("." + host) }
        return (
            DNSReplySequence(PreparedDNSReply(hasNamesBelow ? .addresses([]) : .failure(.nameError, .nxdomain))),
            Place(host: host)
        )
    }

    private func rule(_ host: String, _ kind: InterfaceKind?) -> (DNSReplySequence, Place)? {
        for place in [Place(host: host, interface: kind), Place(host: host)] {
            if let replies = rules[place] { return (replies, place) }
        }
        return nil
    }

    private func records(
        of addresses: [IPAddress], for type: DNSRecordType, synthesis: NAT64Prefix?
    ) -> (data: [DNSRecord.Data], words: [String]) {
        var data: [DNSRecord.Data] = []
        var words: [String] = []
        for address in addresses {
            switch address {
            case .v4(let four) where type == .a || type == .any: data.append(.a(four))
            case .v6(let six) where type == .aaaa && !(synthesis != nil && six.isIPv4Mapped) || type == .any:
                // A DNS64 ignores ::ffff:0:0/96 among AAAA records (RFC 6147 §5.1.4).
                data.append(.aaaa(six))
            case .v4, .v6: continue
            }
            words.append("\(address)")
        }
        // RFC 6147 §5.1: only when the name does not have an AAAA of its own.
        guard type == .aaaa, data.isEmpty, let synthesis else { return (data, words) }
        for case .v4(let four) in addresses {
            let made = synthesis.embed(four)
            data.append(.aaaa(made))
            words.append("\(made) synthesised from \(four)")
        }
        return (data, words)
    }

    /// The record lists the first addresses; a long list would hide the rest of its line.
    private static func text(_ words: [String]) -> String {
        if words.isEmpty { return "no records" }
        let shown = words.prefix(8).joined(separator: " ")
        return words.count > 8 ? "\(shown) and \(words.count - 8) more" : shown
    }

    /// The SOA of a negative reply (RFC 2308 §2); every top-level domain is one zone of the lab.
    private func authority(for name: DNSName, _ timeToLive: UInt32) -> DNSRecord {
        let zone = name.topLevel
        return DNSRecord(
            name: zone, timeToLive: timeToLive,
            data: .soa(
                .init(
                    server: DNSName(labels: [Array("ns".utf8)] + zone.labels),
                    mailbox: DNSName(labels: [Array("hostmaster".utf8)] + zone.labels), serial: 1, refresh: 3600,
                    retry: 600,
                    expire: 86400, minimum: timeToLive)))
    }

    private static func unreadable(_ bytes: [UInt8], _ error: DNSMessageError, _ start: DNSFact) -> Reply {
        var fact = start
        guard bytes.count >= DNSMessage.headerLength, bytes[2] & 0x80 == 0 else {
            fact.reply = "ignored: \(error)"
            fact.failure = .ignored
            return Reply(decision: .silent, fact: fact)
        }
        fact.reply = "formerr: \(error)"
        fact.failure = .formerr
        var response = DNSMessage()
        response.identifier = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        response.isResponse = true
        response.operation = bytes[2] >> 3 & 0xf
        response.recursionDesired = bytes[2] & 1 != 0
        response.recursionAvailable = true
        response.responseCode = .formatError
        return Reply(decision: .reply(response.encoded()), fact: fact)
    }
}

extension DNSMessage {
    /// The empty response: identifier, question as sent, and EDNS when the query had it (RFC 6891 §6.1.1).
    fileprivate init(answering query: DNSMessage) {
        self.init()
        identifier = query.identifier
        isResponse = true
        operation = query.operation
        recursionDesired = query.recursionDesired
        recursionAvailable = true
        checkingDisabled = query.checkingDisabled
        // More than one question is an error already; one is enough to name it and keeps the reply no longer than the
        // query.
        questions = Array(query.questions.prefix(1))
        edns = query.edns.map { EDNS(payloadSize: DNSService.payloadSize, dnssecOK: $0.dnssecOK) }
    }
}
