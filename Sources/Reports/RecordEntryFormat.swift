import ScenarioLanguage
import AdapterProtocol
import LinkEmulator
package import Record

/// Formats record entries as sentences, one line each, for excerpts and timelines.
package enum RecordEntryFormat {
    /// The component that recorded an entry; the first column of an excerpt.
    package enum Source: String, CaseIterable, Hashable, Sendable {
        case harness, network, names, server, session, adapter
    }

    package static func source(_ fact: RecordEntry.Fact) -> Source {
        switch fact {
        case .runStarted, .command, .stepsBegan, .step, .note, .notJudged, .runEnded: .harness
        case .network: .network
        case .name: .names
        case .server, .proxy: .server
        case .session: .session
        case .adapter: .adapter
        }
    }

    /// Returns a line such as `+1.234567 s  session  first.didReceiveResponse: …`; the columns are aligned for up to 99
    /// seconds.
    package static func line(_ entry: RecordEntry, start: Int64) -> String {
        let source = source(entry.fact).rawValue
        let time = TimeFormat.sinceStart(entry.time &- start)
        let (before, between) = (max(0, 12 - time.count), 9 - source.count)
        return spaces(before) + time + "  " + source + spaces(between) + line(entry.fact)
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

    package static func line(_ fact: RecordEntry.Fact) -> String { TerminalSanitizer.text(sentence(fact), limit: 240) }

    static let startOfSteps = "the steps begin"

    private static func sentence(_ fact: RecordEntry.Fact) -> String {
        switch fact {
        case .runStarted(let header):
            "run of \(header.scenario) starts: adapter \(header.adapter), \(header.engine) link engine, seed \(header.seed)"
                + (header.repetition > 1 ? ", repetition \(header.repetition)" : "")
        case .network(let fact): sentence(fact)
        case .name(let fact): "\(fact.client) queries \(fact.host) \(fact.type): \(fact.reply)"
        case .server(let fact): fact.summary
        case .proxy(let fact): fact.summary
        case .command(let sequence, let text): "command \(sequence) to the adapter: \(text)"
        case .session(let event): sentence(event.kind)
        case .adapter(let fact): fact.summary
        case .stepsBegan: "step: \(startOfSteps)"
        case .step(let text): "step: \(text)"
        case .note(let note): "note: \(note.text)"
        case .notJudged(let check): "not judged: \(check.check) (line \(check.line)): \(check.summary)"
        case .runEnded(let outcome): "run ends: \(sentence(outcome))"
        }
    }

    private static func sentence(_ outcome: Outcome) -> String {
        switch outcome {
        case .pass: "pass"
        case .fail(let kind, let mismatches):
            "fail (\(kind.rawValue)), \(mismatches.count) \(mismatches.count == 1 ? "mismatch" : "mismatches")"
        case .unsupported(let what): "unsupported, \(what)"
        case .skipped(let after): "skipped, because \(after) did not pass"
        case .error(let cause): "error, \(cause)"
        }
    }

    private static func place(_ kind: InterfaceKind, _ direction: LinkDirectionName) -> String {
        switch direction {
        case .downlink: "\(kind.rawValue) to the client"
        case .uplink: "\(kind.rawValue) from the client"
        }
    }

    private static func sentence(_ fact: NetworkFact) -> String {
        switch fact {
        case .interfaceState(let kind, let state):
            switch state {
            case .up: "\(kind.rawValue) is up"
            case .down: "\(kind.rawValue) is down"
            case .noRoute: "\(kind.rawValue) is up without a route"
            case .noIPv4Route: "\(kind.rawValue) is up without an IPv4 route"
            case .noIPv6Route: "\(kind.rawValue) is up without an IPv6 route"
            case .noAddress: "\(kind.rawValue) is up without an address"
            case .noCarrier: "\(kind.rawValue) is up without a carrier"
            case .blackhole: "\(kind.rawValue) is up and drops every packet"
            }
        case .conditionRequested(let kind, let direction, let requested):
            "\(place(kind, direction)), asked: \(requested.text)"
        case .conditionMeasured(let kind, let direction, let measurement):
            "\(place(kind, direction)), \(sentence(measurement))"
        case .packet(let kind, let direction, let index, let length, let fate, let summary):
            "\(place(kind, direction)), packet \(index) (\(length) bytes, \(summary)): \(fate.text)"
        case .resetLost(let kind, let direction): "\(place(kind, direction)), a RST was lost, which TCP does not repeat"
        case .packetCounts(let kind, let direction, let packets, let bytes):
            "\(place(kind, direction)), in all: \(packets) packets, \(bytes) bytes"
        case .interfaceChanged(let kind, let text): "\(kind.rawValue): \(text)"
        case .dnsService(let text): "name service: \(text)"
        case .power(let state): "power supply: \(state.description)"
        }
    }

    private static func sentence(_ measurement: NetworkFact.Measurement) -> String {
        let means =
            switch measurement.means {
            case .probe: "measured with probe packets"
            case .traffic: "measured on the run's own packets"
            }
        var parts = [measurement.text, "\(measurement.lost) of \(measurement.packets) packets lost"]
        if let minimum = measurement.delayMinimum, let median = measurement.delayMedian,
            let maximum = measurement.delayMaximum
        {
            let delays = [minimum, median, maximum].map(TimeFormat.milliseconds)
            parts.append("delay \(delays[0]) at least, \(delays[1]) median, \(delays[2]) at most")
        }
        if let rate = measurement.bitsPerSecond.flatMap({ BitRate(bitsPerSecond: $0) }) { parts.append("\(rate)") }
        if let lateness = measurement.lateness {
            parts.append("sent late by \(TimeFormat.milliseconds(lateness)) (p99)")
        }
        return "\(means): " + parts.filter { !$0.isEmpty }.joined(separator: "; ")
    }
}
