package import DNSMessages

/// The questions that one link is asked continuously, and the received records (RFC 6762 §5.2). A value: it is given the
/// time and returns the messages to send.
package struct Querier: Sendable {
    private struct Active: Sendable {
        let question: DNSQuestion
        var users = 1
        var next: Nanoseconds
        /// The time until the query after the next one; doubles up to an hour.
        var interval: Nanoseconds = .seconds(1)
        var isFirst = true

        mutating func sent(at now: Nanoseconds) {
            isFirst = false
            next = now + interval
            interval = min(interval * 2, longestInterval)
        }
    }

    /// A question that is due within this time counts as asked when another host asks it.
    private static let plannedTime: Nanoseconds = .milliseconds(900)
    private static let longestInterval: Nanoseconds = .seconds(3_600)
    /// More known answers follow in further messages (§7.2); this number fits into a datagram without fragments.
    private static let answersPerMessage = 24

    package private(set) var cache = RecordCache()
    private var active: [RecordKey: Active] = [:]
    private var random: SeededGenerator

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Starts asking. Each call needs its own `stop`.
    package mutating func ask(_ name: DNSName, _ type: DNSRecordType, at now: Nanoseconds) {
        let key = RecordKey(name, type)
        if let users = active[key]?.users {
            active[key]?.users = users + 1
            return
        }
        let delay = Nanoseconds.milliseconds(Int64.random(in: 20...120, using: &random))
        active[key] = Active(question: DNSQuestion(name: name, type: type), next: now + delay)
    }

    package mutating func stop(_ name: DNSName, _ type: DNSRecordType) {
        let key = RecordKey(name, type)
        guard let users = active[key]?.users else { return }
        if users > 1 { active[key]?.users = users - 1 } else { active[key] = nil }
    }

    /// The time of the next `tick`; nil when there is nothing to do.
    package var deadline: Nanoseconds? {
        let refreshes = active.keys.lazy.flatMap { cache.entries[$0] ?? [] }.compactMap(\.refresh)
        return [cache.deadline, active.values.lazy.map(\.next).min(), refreshes.min()].compactMap { $0 }.min()
    }

    /// Takes in the records of a response and the questions of another host. Returns true if the cache changed.
    package mutating func received(_ message: DNSMessage, at now: Nanoseconds) -> Bool {
        if !message.isResponse { suppressDuplicates(of: message, at: now) }
        guard message.isResponse, message.responseCode == .noError, message.operation == 0 else { return false }
        return cache.add(message.answers + message.additionals, at: now)
    }

    /// Leaves out the questions that another host has just asked, because the responses are multicast (§7.3). Not those
    /// whose known answers suppress a record that is missing here. The next time of a question that this host has sent
    /// itself, which the kernel returns to it, is at least a second away.
    private mutating func suppressDuplicates(of query: DNSMessage, at now: Nanoseconds) {
        // The known answers of a truncated query are not complete.
        guard query.operation == 0, !query.isTruncated else { return }
        for question in query.questions where !question.prefersUnicast {
            let key = RecordKey(question.name, question.type)
            guard let entry = active[key], entry.next - now <= Self.plannedTime else { continue }
            let known = cache.known(key, at: now).map(\.data)
            let isLess = query.answers.contains { RecordKey($0.name, $0.type) == key && !known.contains($0.data) }
            if !isLess { active[key]?.sent(at: now) }
        }
    }

    /// Removes expired records and returns the queries that are due, and true if the cache changed.
    package mutating func tick(at now: Nanoseconds) -> (queries: [DNSMessage], hasChanged: Bool) {
        let hasChanged = cache.expire(at: now)
        var due: [DNSQuestion] = []
        var known: [DNSRecord] = []
        for (key, var entry) in active.sorted(by: { $0.key.name < $1.key.name }) {
            let refreshes = cache.takeRefreshes(key, at: now)
            guard entry.next <= now || refreshes else { continue }
            var question = entry.question
            // The first query accepts unicast, so that the other hosts do not have to process the responses (§5.4).
            if entry.isFirst { question.recordClass |= 0x8000 }
            due.append(question)
            known += cache.known(key, at: now)
            if entry.next <= now {
                entry.sent(at: now)
                active[key] = entry
            }
        }
        guard !due.isEmpty else { return ([], hasChanged) }
        var messages: [DNSMessage] = []
        repeat {
            var message = DNSMessage()
            message.questions = messages.isEmpty ? due : []
            message.answers = Array(known.prefix(Self.answersPerMessage))
            known.removeFirst(message.answers.count)
            message.isTruncated = !known.isEmpty
            messages.append(message)
        } while !known.isEmpty
        return (messages, hasChanged)
    }
}
