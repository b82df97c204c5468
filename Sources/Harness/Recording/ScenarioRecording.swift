import AdapterProtocol
package import Lab
package import Record
package import ScenarioLanguage

/// The requests of a program and the changes of its network, from which a scenario file is written: events of an
/// interactive lab are the input, YAML is the output. Times are nanoseconds since the program's start.
package struct ScenarioRecording: Sendable {
    /// A task of the file: a request, with those that followed it because of a redirect.
    struct Task: Hashable, Sendable {
        var url: String
        var method: String
        var headers: [HeaderField]
        var bodyBytes: Int64 = 0
        var hasCredentials: Bool
        /// The number of the last request.
        var request: Int
    }

    /// A request as the origin saw it.
    struct Exchange: Hashable, Sendable {
        var task: Int
        /// The number of the request in a run of the file, in which omitted requests are missing.
        var number: Int
        var connection: Int
        var sent: Int64 = 0
        var acknowledged: Int64 = 0
        var status: Int?
        var location: String?
        var hasEnded = false
        var isClosed = false
        /// The time of the last event.
        var progress: Int64

        /// True while the client can still receive the response.
        var isOpen: Bool { !isClosed && !(hasEnded && acknowledged >= sent) }
    }

    enum Step: Hashable, Sendable {
        case task(Int)
        /// Waits for the end of this task.
        case completion(Int)
        /// Waits for a moment of an earlier request. It may never come for a request that made no progress any more,
        /// so the step also ends with the tasks; the moment of the latest change comes in any case.
        case moment(Trigger, orTasksEnd: Bool)
        case change(JSONValue)
        case comment(String)
    }

    struct Entry: Hashable, Sendable {
        var trigger: Trigger
        var change: JSONValue
    }

    let program: [String]
    let interfaces: [(kind: InterfaceKind, profile: String)]
    let forwards: [String]
    let network: NamedNetwork?
    private(set) var tasks: [Task] = []
    private(set) var exchanges: [Int: Exchange] = [:]
    private(set) var steps: [Step] = []
    private(set) var timeline: [Entry] = []
    /// Changes that a scenario cannot make while it runs.
    private(set) var leftOut: [String] = []
    private(set) var duration: Int64 = 0
    /// The number of changes in the file.
    package private(set) var changeCount = 0
    /// The number of requests that are not in the file.
    private(set) var omittedRequests = 0
    private var secureConnections: Set<Int> = []
    /// The tasks that no step waits for yet.
    private var unsettled: [Int] = []
    private var last: Int?
    /// The last change of the timeline that was made by hand, and the number of requests before it.
    private var latestChange: (trigger: Trigger, time: Int64, requests: Int)?

    /// Maximum number of tasks in a file: a longer one is not a useful test.
    static let mostTasks = 200
    /// Maximum number of comments on requests that are not in the file.
    private static let mostComments = 10
    /// An exchange without an event for this long has stalled.
    private static let stalled: Int64 = 1_000_000_000
    /// Acknowledgements are polled every few milliseconds, so a shorter delay after progress is not a pause.
    private static let pause: Int64 = 50_000_000
    /// Progress that ends so soon after a change was on its way before it.
    private static let inFlight: Int64 = 500_000_000

    /// `interfaces` are those of the start with the names of their profiles, and `forwards` the options as written. `network` is
    /// the network of a file or of the catalogue, which is written in place of the profiles.
    package init(
        program: [String], interfaces: [(kind: InterfaceKind, profile: String)], forwards: [String] = [],
        network: NamedNetwork? = nil
    ) {
        self.program = program
        self.interfaces = interfaces
        self.forwards = forwards
        self.network = network
    }

    package var requestCount: Int { tasks.count }

    package mutating func record(_ observation: LabObservation, at time: Int64) {
        duration = max(duration, time)
        switch observation {
        case .event(.server(let fact)): record(fact, at: time)
        case .event: break
        case .change(let change, let moving): record(change, moving: moving, at: time)
        case .planned(let change, let trigger): add(change, at: trigger)
        case .unreached(let trigger):
            changeCount -= timeline.count
            timeline.removeAll { $0.trigger == trigger }
            changeCount += timeline.count
        case .reset(let moving):
            leaveOut("reset: names and faults of the origin were restored too, if they had been changed")
            let start = interfaces.map { interface -> (String, JSONValue) in
                let state = network?.plan.interfaces.first { $0.kind == interface.kind }?.state ?? .up
                var fields: [String: JSONValue] = ["state": .text(state.rawValue)]
                // A network file may describe a link without a profile.
                if ProfileCatalogue.named(interface.profile) != nil { fields["profile"] = .text(interface.profile) }
                return (interface.kind.rawValue, .object(fields))
            }
            record(.object(Dictionary(start, uniquingKeysWith: { $1 })), moving: moving, at: time)
        case .faults: leaveOut("other faults of the origin: write them under `origin:`, `faults:`")
        }
    }

    private mutating func leaveOut(_ words: String) {
        if !leftOut.contains(words) { leftOut.append(words) }
    }

    // MARK: - Changes

    private mutating func record(_ change: JSONValue, moving: Trigger.Moment?, at time: Int64) {
        guard let change = recordable(change) else { return }
        if let trigger = trigger(at: time, moving: moving) ?? triggerOfLatestChange(at: time) {
            add(change, at: trigger)
            latestChange = (trigger, time, exchanges.count)
        } else {
            settle(at: time)
            steps.append(.change(change))
            changeCount += 1
        }
    }

    private mutating func add(_ change: JSONValue, at trigger: Trigger) {
        guard let change = recordable(change) else { return }
        timeline.append(Entry(trigger: trigger, change: change))
        changeCount += 1
    }

    /// Returns the change without NAT64, which a scenario has from its start or not at all; nil if nothing is left.
    private mutating func recordable(_ change: JSONValue) -> JSONValue? {
        var fields = change.object ?? [:]
        if let isOn = fields.removeValue(forKey: "nat64")?.boolean {
            leaveOut(
                isOn
                    ? "NAT64 on: write `nat64: true` under `network:` to have it from the start"
                    : "NAT64 off: a scenario cannot end it while it runs")
        }
        return fields.isEmpty ? nil : .object(fields)
    }

    /// Returns the progress at this time, the most exact kind first; nil between two requests, where a step makes the
    /// change.
    private func trigger(at time: Int64, moving: Trigger.Moment?) -> Trigger? {
        let latest = exchanges.values.map(\.progress).max() ?? 0
        // The origin does not see the end of a connection whose network is down, so an old one does not show the
        // present progress.
        let open = exchanges.filter { _, exchange in
            exchange.isOpen && (exchange.progress == latest || time - exchange.progress < Self.stalled)
        }.max { ($0.value.progress, $0.key) < ($1.value.progress, $1.key) }
        if let open, open.value.sent > 0 || open.value.acknowledged > 0 {
            return progress(of: open.value, at: time)
        }
        if let moving { return Trigger(moving) }
        if let open { return progress(of: open.value, at: time) }
        // Requests to forwarded servers are not seen, so the program may be in the middle of one.
        return forwards.isEmpty ? nil : Trigger(.sinceStart(.milliseconds(time / 1_000_000)))
    }

    /// Returns a moment after the latest change of the timeline if this one follows at once: a step could overtake it.
    private func triggerOfLatestChange(at time: Int64) -> Trigger? {
        guard let change = latestChange, change.requests == exchanges.count, time - change.time < Self.inFlight else {
            return nil
        }
        return trigger(of: change, at: time)
    }

    private func trigger(of change: (trigger: Trigger, time: Int64, requests: Int), at time: Int64) -> Trigger {
        let since = Duration.milliseconds((time - change.time) / 1_000_000)
        return Trigger(change.trigger.moment, delay: (change.trigger.delay ?? .zero) + since)
    }

    private func progress(of exchange: Exchange, at time: Int64) -> Trigger {
        let passed = time - exchange.progress
        // A run of the file makes the change at its exact moment, after which such progress may never come.
        if let change = latestChange, passed >= Self.pause,
            (change.time..<change.time + Self.inFlight).contains(exchange.progress)
        {
            return trigger(of: change, at: time)
        }
        let delay: Duration? = passed < Self.pause ? nil : .milliseconds(passed / 1_000_000)
        if exchange.acknowledged > 0 {
            return Trigger(.acknowledged(bytes: exchange.acknowledged, request: exchange.number), delay: delay)
        }
        if exchange.sent > 0 {
            return Trigger(.responseSent(bytes: exchange.sent, request: exchange.number), delay: delay)
        }
        return Trigger(.request(exchange.number), delay: delay)
    }

    /// Adds the steps that wait for what has ended or stalled by now.
    private mutating func settle(at time: Int64) {
        for task in unsettled {
            guard let exchange = exchanges[tasks[task].request] else { continue }
            if !exchange.isOpen {
                steps.append(.completion(task))
            } else if time - exchange.progress >= Self.stalled {
                steps.append(.moment(progress(of: exchange, at: time), orTasksEnd: true))
            } else {
                continue
            }
            unsettled.removeAll { $0 == task }
        }
    }

    // MARK: - Requests

    private mutating func record(_ fact: ServerFact, at time: Int64) {
        switch fact {
        case .tlsEstablished(let connection, _, _): secureConnections.insert(connection)
        case .requestHead(let connection, _, let request, let method, let target, let headers):
            // HTTP/1.1 without pipelining: the earlier response on this connection has been read.
            for (number, exchange) in exchanges where exchange.connection == connection {
                exchanges[number]?.isClosed = true
            }
            begin(request, connection, method, target, headers, at: time)
        case .requestEnded(let request, let bytes, _, _):
            edit(request, at: time) { _ in }
            if let task = exchanges[request]?.task { tasks[task].bodyBytes = max(tasks[task].bodyBytes, bytes) }
        case .responseHead(let request, let status, let headers):
            edit(request, at: time) {
                $0.status = status
                $0.location = headers.first { $0.name.lowercased() == "location" }?.value
            }
        case .responseBody(let request, let bytes): edit(request, at: time) { $0.sent = bytes }
        case .responseEnded(let request, let bytes):
            edit(request, at: time) {
                $0.sent = bytes
                $0.hasEnded = true
            }
        case .acknowledged(_, let request, let bytes):
            edit(request, at: time) { $0.acknowledged = max($0.acknowledged, bytes) }
        case .closed(let connection, _):
            for (number, exchange) in exchanges where exchange.connection == connection {
                exchanges[number]?.isClosed = true
            }
        default: break
        }
    }

    private mutating func edit(_ request: Int, at time: Int64, _ body: (inout Exchange) -> Void) {
        guard var exchange = exchanges[request] else { return }
        body(&exchange)
        exchange.progress = time
        exchanges[request] = exchange
    }

    private mutating func begin(
        _ request: Int, _ connection: Int, _ method: String, _ target: String, _ headers: [HeaderField], at time: Int64
    ) {
        let host = headers.first { $0.name.lowercased() == "host" || $0.name == ":authority" }?.value ?? ""
        let url = (secureConnections.contains(connection) ? "https://" : "http://") + host + target
        let hasCredentials = headers.contains { $0.name.lowercased() == "authorization" }
        if let last, let before = exchanges[last], let task = continued(before, url, target, hasCredentials) {
            // The client of the replay follows by itself.
            tasks[task].request = request
            tasks[task].hasCredentials = tasks[task].hasCredentials || hasCredentials
            exchanges[request] = Exchange(
                task: task, number: exchanges.count + 1, connection: connection, progress: time)
            self.last = request
            return
        }
        let previous = last.flatMap { exchanges[$0] }
        last = request
        settle(at: time)
        // A change that was made when the whole response was on its way comes before this request, as it did here.
        if let change = latestChange, change.requests == exchanges.count, previous?.hasEnded == true {
            steps.append(.moment(change.trigger, orTasksEnd: false))
        }
        guard tasks.count < Self.mostTasks, !host.isEmpty, url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
            omittedRequests += 1
            if omittedRequests <= Self.mostComments {
                steps.append(.comment("a request was left out here: \(method) \(url)"))
            }
            return
        }
        let kept = headers.filter { Self.keptHeaders.contains($0.name.lowercased()) }
        steps.append(.task(tasks.count))
        unsettled.append(tasks.count)
        exchanges[request] = Exchange(
            task: tasks.count, number: exchanges.count + 1, connection: connection, progress: time)
        tasks.append(
            Task(url: url, method: method, headers: kept, hasCredentials: hasCredentials, request: request))
    }

    /// Returns the task that this request continues: the target of its redirect, or the same again with credentials.
    private func continued(_ before: Exchange, _ url: String, _ target: String, _ hasCredentials: Bool) -> Int? {
        guard let status = before.status else { return nil }
        if let location = before.location, (300..<400).contains(status) {
            return location == target || location == url ? before.task : nil
        }
        let isSame = tasks[before.task].url == url && !tasks[before.task].hasCredentials
        return status == 401 && hasCredentials && isSame ? before.task : nil
    }

    /// Headers that change the response and are not secret.
    private static let keptHeaders: Set<String> = [
        "content-type", "range", "if-range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
    ]
}
