import AdapterProtocol
import LinkEmulator
package import Record
import ScenarioLanguage

/// A run as lanes on one time axis: the network conditions, the server's events and the delegate callbacks of each
/// task.
package struct RunTimeline: Hashable, Sendable {
    /// The severity of a stretch or a mark; the page assigns a colour to each.
    package enum Tone: String, CaseIterable, Hashable, Sendable { case good, degraded, bad, neutral, waiting }

    /// A state with a duration; times in nanoseconds since the start of the run.
    package struct Segment: Hashable, Sendable {
        package var from: Int64
        package var to: Int64
        package var label: String
        package var tone: Tone
    }

    /// A single event.
    package struct Marker: Hashable, Sendable {
        package var at: Int64
        package var label: String
        package var tone: Tone
        /// A word or two that the picture shows beside the marker where there is room.
        package var short = ""
        /// True for an end that the peer must not expect: a reset, a crash, a killed process.
        package var isBreak = false
    }

    package struct Lane: Hashable, Sendable {
        package var title: String
        package var segments: [Segment] = []
        package var markers: [Marker] = []
    }

    package private(set) var lanes: [Lane] = []
    /// Changes of the network and of DNS after the steps began; the picture draws a line through all lanes for each.
    package private(set) var changes: [Marker] = []
    package let length: Int64

    private let start: Int64

    package init(_ record: [RecordEntry]) {
        start = record.first?.time ?? 0
        length = max(1, (record.map(\.time).max() ?? 0) - start)
        var script = Lane(title: "steps")
        var names = Lane(title: "DNS")
        var proxies = Lane(title: "proxies")
        for entry in record {
            switch entry.fact {
            case .stepsBegan: script.markers.append(marker(entry, RecordEntryFormat.startOfSteps, .neutral, "begin"))
            case .step(let text): script.markers.append(marker(entry, text, .neutral, text))
            case .name(let fact):
                names.markers.append(
                    marker(
                        entry, "\(fact.host) \(fact.type): \(fact.reply)", fact.failure != nil ? .bad : .neutral,
                        "\(fact.type) \(fact.host)"))
            case .proxy(let fact): proxies.markers.append(marker(entry, fact.summary, fact.isRefusal ? .bad : .neutral))
            default: continue
            }
        }
        lanes.append(script)
        addChanges(record)
        for kind in InterfaceKind.allCases { addInterface(kind, record) }
        if !names.markers.isEmpty { lanes.append(names) }
        if !proxies.markers.isEmpty { lanes.append(proxies) }
        addAdapter(record)
        addConnections(record)
        addTasks(record)
    }

    private func marker(_ entry: RecordEntry, _ label: String, _ tone: Tone, _ short: String = "") -> Marker {
        Marker(at: entry.time - start, label: label, tone: tone, short: short)
    }

    /// Returns the timeline with at most this many lanes and markers in each; markers that are not neutral come first.
    package func reduced(lanes most: Int, markers: Int) -> RunTimeline {
        var smaller = self
        smaller.lanes = Array(lanes.prefix(most))
        for index in smaller.lanes.indices where smaller.lanes[index].markers.count > markers {
            let all = smaller.lanes[index].markers
            let notable = all.filter { $0.tone != .neutral || $0.isBreak }.prefix(markers)
            let others = all.filter { $0.tone == .neutral && !$0.isBreak }
            let room = markers - notable.count
            let kept = (0..<min(room, others.count)).map { others[$0 * others.count / max(1, min(room, others.count))] }
            smaller.lanes[index].markers = (notable + kept).sorted { $0.at < $1.at }
        }
        smaller.changes = Array(changes.prefix(markers))
        return smaller
    }

    // MARK: - Changes and the adapter

    private mutating func addChanges(_ record: [RecordEntry]) {
        let causes = FailureCause.all(in: record)
        // The lanes of the interfaces show the states at the start.
        let begin = record.firstIndex { entry in
            switch entry.fact {
            case .stepsBegan, .step: true
            default: false
            }
        }
        for (index, entry) in record.enumerated() where index > begin ?? record.count {
            guard case .network(let fact) = entry.fact, let cause = causes[index], [.network, .dns].contains(cause)
            else { continue }
            // Both directions of a link change at once; one line is enough.
            if case .conditionRequested(_, .uplink, _) = fact { continue }
            let line = RecordEntryFormat.line(entry.fact)
            let short: String =
                switch fact {
                case .interfaceState(let kind, let state): "\(kind.rawValue) \(state.rawValue)"
                case .conditionRequested(let kind, _, let requested): "\(kind.rawValue) \(requested.text)"
                case .interfaceChanged(let kind, let text): "\(kind.rawValue) \(text)"
                case .dnsService(let text): text
                case .power(let state): state.description
                case .conditionMeasured, .packet, .resetLost, .packetCounts: ""
                }
            changes.append(marker(entry, line, .degraded, short))
        }
        if !changes.isEmpty { lanes.append(Lane(title: "changes", markers: changes)) }
    }

    private mutating func addAdapter(_ record: [RecordEntry]) {
        let causes = FailureCause.all(in: record)
        var lane = Lane(title: "adapter")
        for (index, entry) in record.enumerated() where causes[index] == .adapter {
            var mark = marker(entry, RecordEntryFormat.line(entry.fact), .bad)
            switch entry.fact {
            case .adapter(.signalled(let number)): (mark.short, mark.isBreak) = ("signal \(number)", true)
            case .adapter(.exited(let code)): (mark.short, mark.isBreak) = ("exit \(code)", true)
            case .adapter(.killed): (mark.short, mark.isBreak) = ("killed", true)
            case .adapter(.violation): mark.short = "protocol"
            default: mark.short = "error"
            }
            lane.markers.append(mark)
        }
        if !lane.markers.isEmpty { lanes.append(lane) }
    }

    // MARK: - Network

    private mutating func addInterface(_ kind: InterfaceKind, _ record: [RecordEntry]) {
        var lane = Lane(title: kind.rawValue)
        var condition = ""
        var isThere = false
        for entry in record {
            guard case .network(let fact) = entry.fact else { continue }
            let at = entry.time - start
            switch fact {
            case .interfaceState(kind, let state):
                isThere = true
                close(&lane, at: at)
                lane.segments.append(
                    Segment(
                        from: at, to: length, label: RunTimeline.description(state, condition),
                        tone: RunTimeline.tone(state)))
            case .conditionRequested(kind, .downlink, let requested):
                condition = requested.text
                close(&lane, at: at)
                let tone = lane.segments.last?.tone ?? .good
                let isClear = requested.word == .perfect
                lane.segments.append(
                    Segment(from: at, to: length, label: condition, tone: tone == .good && !isClear ? .degraded : tone))
            case .packet(kind, let direction, let index, _, let fate, let summary) where fate != .passes:
                let tone: Tone = if case .dropped = fate { .bad } else { .degraded }
                lane.markers.append(
                    marker(entry, "\(direction.rawValue) packet \(index) \(fate.text): \(summary)", tone))
            case .interfaceChanged(kind, let text): lane.markers.append(marker(entry, text, .degraded))
            default: continue
            }
        }
        if isThere { lanes.append(lane) }
    }

    private func close(_ lane: inout Lane, at time: Int64) {
        guard let last = lane.segments.indices.last else { return }
        if lane.segments[last].from == time || lane.segments[last].label.isEmpty { lane.segments[last].to = time }
        lane.segments[last].to = time
    }

    private static func tone(_ state: InterfaceState) -> Tone {
        switch state {
        case .up: .good
        case .noIPv4Route, .noIPv6Route: .degraded
        case .down, .noRoute, .noAddress, .noCarrier, .blackhole: .bad
        }
    }

    private static func description(_ state: InterfaceState, _ condition: String) -> String {
        switch state {
        case .up: condition
        case .down, .noRoute, .noIPv4Route, .noIPv6Route, .noAddress, .noCarrier, .blackhole: state.rawValue
        }
    }

    // MARK: - Server

    private mutating func addConnections(_ record: [RecordEntry]) {
        var all: [Int: Lane] = [:]
        var opened: [Int: Int64] = [:]
        var requests: [Int: (connection: Int, from: Int64, label: String, status: Int?)] = [:]
        for entry in record {
            guard case .server(let fact) = entry.fact else { continue }
            let at = entry.time - start
            switch fact {
            case .accepted(let connection, _, _):
                all[connection] = Lane(title: "connection \(connection)")
                opened[connection] = at
            case .tlsEstablished(let connection, let version, _):
                all[connection]?.markers.append(Marker(at: at, label: "TLS \(version)", tone: .neutral, short: "TLS"))
            case .tlsFailed(let connection, let reason):
                all[connection]?.markers.append(
                    Marker(at: at, label: "TLS failed: \(reason)", tone: .bad, short: "TLS failed"))
            case .requestHead(let connection, _, let request, let method, let target, _):
                requests[request] = (connection, at, "\(request): \(method) \(target)", nil)
            case .responseHead(let request, let status, _): requests[request]?.status = status
            case .responseEnded(let request, let bytes):
                guard let known = requests.removeValue(forKey: request) else { continue }
                all[known.connection]?.segments.append(
                    Segment(
                        from: known.from, to: at,
                        label: "\(known.label) → \(known.status.map(String.init) ?? "?"), \(bytes) bytes",
                        tone: .good))
            case .fault(let connection, _, let point, let effect):
                all[connection]?.markers.append(
                    Marker(
                        at: at, label: "fault: \(effect) at \(point)", tone: .bad, short: effect,
                        isBreak: [.reset, .resetStream].contains(Labelled<Fault.Effect.Word>(text: effect).word)))
            case .closed(let connection, let by):
                all[connection]?.markers.append(
                    Marker(
                        at: at, label: by.text("closed by"), tone: by == .reset ? .bad : .neutral,
                        short: by == .reset ? "reset" : "closed", isBreak: by == .reset))
                for (number, request) in requests where request.connection == connection {
                    requests[number] = nil
                    all[connection]?.segments.append(Self.unended(request.from, at, request.label, request.status))
                }
                if let from = opened.removeValue(forKey: connection) {
                    all[connection]?.segments.insert(Segment(from: from, to: at, label: "", tone: .neutral), at: 0)
                }
            case .badRequest(let connection, let reason):
                all[connection]?.markers.append(
                    Marker(at: at, label: "bad request: \(reason)", tone: .bad, short: "bad request"))
            case .frame(let connection, _, _, let by, let type, let text)
            where type == "GOAWAY" || type == "RST_STREAM":
                all[connection]?.markers.append(
                    Marker(at: at, label: "\(type) by \(by.rawValue): \(text)", tone: .neutral, short: type))
            default: continue
            }
        }
        for (_, request) in requests {
            all[request.connection]?.segments.append(Self.unended(request.from, length, request.label, request.status))
        }
        for (connection, from) in opened {
            all[connection]?.segments.insert(Segment(from: from, to: length, label: "", tone: .neutral), at: 0)
        }
        lanes += all.sorted { $0.key < $1.key }.map(\.value)
    }

    private static func unended(_ from: Int64, _ to: Int64, _ label: String, _ status: Int?) -> Segment {
        Segment(
            from: from, to: to, label: "\(label) → \(status.map(String.init) ?? "no response"), never ended", tone: .bad
        )
    }

    // MARK: - Session

    private mutating func addTasks(_ record: [RecordEntry]) {
        var order: [TaskName] = []
        var all: [TaskName: Lane] = [:]
        var waitingSince: [TaskName: Int64] = [:]
        for entry in record {
            guard case .session(let event) = entry.fact, case .task(let task, let reported) = event.kind else {
                continue
            }
            let at = entry.time - start
            if all[task] == nil {
                order.append(task)
                all[task] = Lane(title: task.text)
            }
            if let since = waitingSince.removeValue(forKey: task) {
                all[task]?.segments.append(
                    Segment(from: since, to: at, label: "waits for connectivity", tone: .waiting))
            }
            if reported.name == .taskIsWaitingForConnectivity { waitingSince[task] = at }
            let tone: Tone =
                switch reported {
                case .didComplete(let failure, _), .completionHandler(_, let failure, _): failure == nil ? .good : .bad
                default: .neutral
                }
            all[task]?.markers.append(
                Marker(
                    at: at, label: RecordEntryFormat.line(entry.fact), tone: tone, short: reported.name.rawValue))
        }
        for (task, since) in waitingSince {
            all[task]?.segments.append(
                Segment(from: since, to: length, label: "waits for connectivity", tone: .waiting))
        }
        for task in order {
            guard var lane = all[task] else { continue }
            if let first = lane.markers.first?.at, let last = lane.markers.last?.at {
                lane.segments.insert(Segment(from: first, to: last, label: "", tone: .neutral), at: 0)
            }
            lanes.append(lane)
        }
    }
}
