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
        case .runStarted, .command, .stepsBegan, .step, .note, .runEnded: .harness
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
        case .server(let fact): sentence(fact)
        case .proxy(let fact): fact.summary
        case .command(let sequence, let text): "command \(sequence) to the adapter: \(text)"
        case .session(let event): sentence(event.kind)
        case .adapter(let fact): sentence(fact)
        case .stepsBegan: "step: \(startOfSteps)"
        case .step(let text): "step: \(text)"
        case .note(let note): "note: \(note.text)"
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
        case .packetCounts(let kind, let direction, let packets, let bytes):
            "\(place(kind, direction)), in all: \(packets) packets, \(bytes) bytes"
        case .interfaceChanged(let kind, let text): "\(kind.rawValue): \(text)"
        case .dnsService(let text): "name service: \(text)"
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

    private static func sentence(_ fact: ServerFact) -> String {
        switch fact {
        case .accepted(let connection, let client, let port):
            "connection \(connection) accepted from \(client), port \(port)"
        case .tlsEstablished(let connection, let version, let serverName):
            "connection \(connection): \(version) established"
                + (serverName.map { " for \($0)" } ?? " without a server name")
        case .tlsHello(let connection, let serverName, let alpn):
            "connection \(connection): ClientHello" + (serverName.map { " for \($0)" } ?? " without a server name")
                + (alpn.isEmpty ? ", no ALPN" : ", ALPN \(alpn.joined(separator: " "))")
        case .tlsAgreed(let connection, let agreement): "connection \(connection): \(agreement.description)"
        case .tlsFailed(let connection, let reason): "connection \(connection): TLS failed: \(reason)"
        case .requestHead(let connection, let exchange, let request, let method, let target, let headers):
            "request \(request) (connection \(connection), exchange \(exchange)): \(method) \(target)\(list(headers))"
        case .requestEnded(let request, let bytes, let differsAt, let text):
            "request \(request) complete" + (bytes == 0 ? ", no body" : ", body of \(bytes) bytes")
                + (differsAt.map { ", wrong from byte \($0) on" } ?? "") + (text.map { ": \($0)" } ?? "")
        case .responseHead(let request, let status, let headers):
            "response \(request): status \(status)\(list(headers))"
        case .responseBody(let request, let bytes): "response \(request): \(bytes) body bytes sent so far"
        case .responseEnded(let request, let bytes): "response \(request) complete, \(bytes) body bytes sent"
        case .interim(let request, let status, let headers): "response \(request): interim \(status)\(list(headers))"
        case .surplus(let request, let bytes): "response \(request): \(bytes) bytes after its end"
        case .acknowledged(_, let request, let bytes):
            "response \(request): \(bytes) body bytes acknowledged by the client's kernel"
        case .fault(let connection, let request, let point, let effect):
            "fault on connection \(connection)" + (request.map { ", request \($0)" } ?? "")
                + ": \(effect.text) at \(point)"
        case .closed(let connection, let by):
            "connection \(connection) \(RecordEntryFormat.closing(by, "closed by the"))"
        case .stream(let request, let stream, let priority):
            "request \(request) is stream \(stream)" + (priority.map { " of \($0)" } ?? "")
        case .frame(let connection, let stream, let request, let by, let type, let text):
            "connection \(connection)" + (stream == 0 ? "" : ", stream \(stream)")
                + (request.map { ", request \($0)" } ?? "")
                + ": \(type) from the \(by.rawValue)" + (text.isEmpty ? "" : ": \(text)")
        case .badRequest(let connection, let reason): "connection \(connection): not understood: \(reason)"
        }
    }

    static func closing(_ by: ServerFact.Closing, _ verb: String) -> String {
        switch by {
        case .client, .server: "\(verb) \(by.rawValue)"
        case .reset: "reset"
        }
    }

    private static func list(_ headers: [HeaderField]) -> String {
        headers.isEmpty ? "" : "; " + headers.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
    }

    private static func sentence(_ fact: AdapterFact) -> String {
        switch fact {
        case .started(let pid, let command): "started as process \(pid): \(command)"
        case .standardError(let text): "writes to standard error: \(text)"
        case .violation(let what, let line): "breaks the protocol: \(what): \(line)"
        case .killed(let reason): "ended by the harness: \(reason.text)"
        case .exited(let code): "exits with status \(code)"
        case .signalled(let signal): "ended by \(signalText(signal))"
        case .truncatedOutput(let text): "leaves an unfinished line: \(text)"
        case .leftFiles(let names):
            names.isEmpty ? "has not left any file" : "has left \(names.joined(separator: ", "))"
        case .memory(let peak): "has held at most \(peak / 1024) KiB of memory so far"
        }
    }

    /// Returns the name of a signal that indicates a crash; the numbers are those of Linux on x86 and Arm.
    private static func signalText(_ signal: Int32) -> String {
        let name: String? =
            switch signal {
            case 4: "illegal instruction"
            case 5: "trap"
            case 6: "abort"
            case 7: "bus error"
            case 8: "arithmetic error"
            case 9: "kill"
            case 11: "segmentation fault"
            case 13: "broken pipe"
            case 15: "termination"
            case _: nil
            }
        return "signal \(signal)" + (name.map { " (\($0))" } ?? "")
    }
}
