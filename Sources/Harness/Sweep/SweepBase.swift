import AdapterProtocol
import Conformance
import InternetAddresses
import LinkEmulator
import Record
package import ScenarioLanguage
import Yams

/// A scenario without its expectations, in the form that a sweep injects faults into: short timeouts, awaits that end
/// with the tasks, properties in place of expectations, and at the end a new task on a good network.
package struct SweepBase {
    package let scenario: Scenario
    /// The base name of the files of its cases.
    package let name: String
    private let tree: ScenarioTree
    private let afterwards: Afterwards

    /// Silence of the server or the network ends a task after this long.
    fileprivate static let requestTimeout = Duration.seconds(2)
    private static let resourceTimeout = Duration.seconds(6)

    package init(_ scenario: Scenario, text: String) throws(SweepError) {
        self.scenario = scenario
        name = scenario.id.replacing("/", with: "--").replacing("[", with: "-").replacing("]", with: "")
            .replacing("@", with: "-on-")
        afterwards = try Afterwards(scenario)
        var tree = try ScenarioTree(text: text)
        for key in ["expect", "dependsOn", "tags", "excludes"] { tree[key] = nil }
        SweepBase.shortenTimeouts(of: scenario, in: &tree)
        SweepBase.loosenAwaits(in: &tree)
        SweepBase.nameTask(of: scenario, in: &tree)
        let tasks = scenario.tasks.map(\.task.text)
        for task in tasks { tree.append(.flow(["consistent": .flow(["task": Node(task)])]), to: "expect") }
        self.tree = tree
    }

    /// Returns the checksum by which shards recognise the same scenario.
    package static func checksum(of text: String) -> String {
        String(UInt64(fnv1a: text), radix: 16)
    }

    /// Returns the run whose record shows the injection points.
    package func points() throws(SweepError) -> String { try tree.text }

    /// Returns a case. Without injections it shows that the properties hold when nothing goes wrong.
    package func text(of injections: [Injection]) throws(SweepError) -> String {
        var tree = tree
        for injection in injections { injection.fault.inject(at: injection.point, of: scenario, into: &tree) }
        let title = injections.map(\.description).joined(separator: ", and ")
        tree["scenario"] = Node(
            "\(scenario.title)\(title.isEmpty ? "" : "; injected: \(title)")", .implicit, .doubleQuoted)
        afterwards.append(
            to: &tree, mayFindDeadConnections: injections.contains { $0.fault.leavesDeadConnections },
            kinds: scenario.network.interfaces.map(\.kind))
        return try tree.text
    }

    /// The moment in a record at which the new task on the good network starts; later injections prove nothing.
    static func end(of entries: [RecordEntry]) -> Int {
        entries.firstIndex { entry in
            if case .command(sequence: _, let text) = entry.fact { Afterwards.starts.contains(text) } else { false }
        } ?? entries.count
    }

    private static func shortenTimeouts(of scenario: Scenario, in tree: inout ScenarioTree) {
        let isSeveral = tree["sessions"] != nil
        // The resource timeout of background transfers runs on the scenario's clock, their request timeout does not.
        let resourceTimeout = Self.resourceTimeout * (scenario.clock?.scale ?? 1)
        for session in scenario.sessions {
            let given = session.configuration
            let path = isSeveral ? ["sessions", session.name.text] : ["session"]
            let request = min(given.requestTimeout ?? requestTimeout, requestTimeout)
            let resource = min(given.resourceTimeout ?? resourceTimeout, resourceTimeout)
            if isSeveral {
                tree[path[0], path[1], "requestTimeout"] = .milliseconds(request)
                tree[path[0], path[1], "resourceTimeout"] = .milliseconds(resource)
            } else {
                tree[path[0], "requestTimeout"] = .milliseconds(request)
                tree[path[0], "resourceTimeout"] = .milliseconds(resource)
            }
        }
        // Every task may take its whole resource timeout, and two more follow.
        let needed = (Self.resourceTimeout + .seconds(2)) * (scenario.tasks.count + 2)
        tree["timeout"] = Node("\(max(scenario.limit, .zero + needed).nanoseconds / 1_000_000_000)s")
    }

    /// A case has more tasks than the scenario, so events of a timeline that left out its only task must name it.
    private static func nameTask(of scenario: Scenario, in tree: inout ScenarioTree) {
        guard scenario.tasks.count == 1, let task = scenario.tasks.first?.task, let entries = tree["timeline"]?.sequence
        else { return }
        func named(_ event: Node?) -> Node? {
            event?.string.flatMap { TaskEventName(rawValue: $0) }.map { Node("\(task.text).\($0.rawValue)") }
        }
        let changed = entries.map { entry -> Node in
            guard var mapping = entry.mapping, let when = mapping["when"] else { return entry }
            if let event = named(when) { mapping["when"] = event }
            if var moment = when.mapping, let event = named(moment["event"]) {
                moment["event"] = event
                mapping["when"] = .mapping(moment)
            }
            return .mapping(mapping)
        }
        tree["timeline"] = .sequence(Node.Sequence(changed))
    }

    /// An awaited moment may never come once a fault is injected.
    private static func loosenAwaits(in tree: inout ScenarioTree) {
        guard let steps = tree["steps"]?.sequence else { return }
        let loosened = steps.map { step in
            guard let awaited = step.mapping?["await"], awaited.mapping?["sinceStart"] == nil else { return step }
            return Node.flow(["await": awaited, "orTasksEnd": "true"])
        }
        tree["steps"] = .sequence(Node.Sequence(loosened))
    }
}

/// One fault at one point.
package struct Injection: Hashable, Sendable {
    package var fault: SweepFault
    package var point: InjectionPoint
    package init(_ fault: SweepFault, _ point: InjectionPoint) {
        self.fault = fault
        self.point = point
    }

    package var description: String { "\(fault.rawValue) at \(point.description)" }
}

extension Trigger.Moment {
    fileprivate var isEventOrTime: Bool {
        switch self {
        case .event, .sessionEvent, .sinceStart: true
        default: false
        }
    }

    /// True if the moment comes whatever a fault prevents: at a time, or at the end of all transfers.
    fileprivate var comesWithoutApp: Bool {
        switch self {
        case .sinceStart, .relaunch: true
        default: false
        }
    }
}

/// The steps after the swept ones: all tasks have ended, the network is good, and a new task of the same session
/// succeeds. Downloads with resume data continue.
private struct Afterwards {
    private static let recovery: TaskName = "recovery"
    /// The most connections that a session keeps for one host by default.
    private static let connectionsPerHost = 6
    private static let path = "/after-the-fault"
    private static let body = "recovered"
    /// The commands of which the first one starts the tasks on the good network.
    static let starts = Set([settling(1), recovery].map { AdapterCommand.resume($0).summary })

    /// The last event of each task.
    private let ends: [String]
    private let session: String?
    /// False for a session without a delegate, whose tasks have completion handlers.
    private let hasDelegate: Bool
    /// The URL of the new task, on the server that the first task uses.
    private let url: String
    private let host: String
    /// The URL of the new path on every server that the tasks reach, once for each dead connection that may be left there.
    private let settlingURLs: [String]
    private let proxies: [String]
    /// The timeout of the new tasks if packets may wait so long on the link, as for a radio, that they still stand before
    /// those of the good network; nil: the session's.
    private let timeout: Duration?
    /// The downloads that no step continues, with the paths of their bytes.
    private let downloads: [TaskName]

    init(_ scenario: Scenario) throws(SweepError) {
        let tasks = scenario.tasks
        guard let first = tasks.first(where: { $0.kind != .stream && $0.url.hasPrefix("http") }) else {
            throw .unusable("no task requests an http or https URL")
        }
        if scenario.script.contains(where: { if case .command(.stream) = $0 { true } else { false } }) {
            throw .unusable("a read of a stream task may not end after a fault")
        }
        if scenario.network.nat64?.establishedTimeout != nil {
            throw .unusable("its translator forgets connections, so that no good network can follow")
        }
        var blocking: Set<TaskName> = []
        var isAppAway = false
        for step in scenario.script {
            switch step {
            case .command(.invalidate(first.session, cancelling: _)):
                throw .unusable("its steps invalidate the session, so that no new task can follow")
            case .task(let task, body: _, starts: _) where !task.policies.blockedCallbacks.isEmpty:
                blocking.insert(task.task)
            case .command(.release(let task)): blocking.remove(task)
            // The task that blocks its callback cannot end, so the run would wait for a moment that a fault prevents.
            case .await(let trigger) where !blocking.isEmpty && !trigger.moment.isEventOrTime:
                throw .unusable(
                    "its steps await \(trigger.summary) while a callback is blocked, "
                        + "which may never come after a fault")
            case .app(let action):
                isAppAway = action.ends || action == .suspend || isAppAway && ![.launch, .continue].contains(action)
            // No task of an app that does not run can end, so neither can the wait.
            case .await(let trigger) where isAppAway && !trigger.moment.comesWithoutApp:
                throw .unusable(
                    "its steps await \(trigger.summary) while the app does not run, "
                        + "which may never come after a fault")
            default: break
            }
        }
        ends = tasks.compactMap { task in
            guard task.kind != .stream else { return nil }
            return "\(task.task.text).\(task.delivery == .completionHandler ? "completionHandler" : "didComplete")"
        }
        session = scenario.sessions.count > 1 ? first.session.text : nil
        hasDelegate = scenario.sessions.first { $0.name == first.session }?.configuration.hasDelegate ?? true
        let server = ParsedURL(first.url)
        url = Self.newURL(besides: server)
        host = server.host
        let ofSession = tasks.filter { $0.session == first.session && $0.kind != .stream }
        let redirects = scenario.origin.routes.flatMap(\.contents).compactMap { content in
            if case .redirect(let redirect) = content { redirect.to } else { nil }
        }
        var servers: [String] = []
        // A continued download has the URL of another task, and a redirect may leave out scheme and server.
        for text in ofSession.map(\.url) + redirects.map({ $0.hasPrefix("//") ? "\(server.scheme):\($0)" : $0 })
        where text.hasPrefix("http") {
            let new = Self.newURL(besides: ParsedURL(text))
            if !servers.contains(new) { servers.append(new) }
        }
        // A request that was sent again, as after a 421, leaves two connections.
        let connections = min(2 * ofSession.count, Self.connectionsPerHost)
        settlingURLs = servers.flatMap { Array(repeating: $0, count: connections) }
        proxies = scenario.proxies.map(\.name)
        let late = RoundTripBound(roundTrips: 1).duration(in: scenario)
        timeout = late > SweepBase.requestTimeout / 2 ? SweepBase.requestTimeout + late : nil
        let continued = Set(tasks.compactMap(\.resumesFrom))
        downloads = tasks.filter { task in
            task.kind == .download && !continued.contains(task.task) && (task.method ?? "GET") == "GET"
                && !task.retainsDelivered
        }.map(\.task)
    }

    /// Returns the URL of the new path on the same server.
    private static func newURL(besides url: ParsedURL) -> String {
        "\(url.scheme)://\(url.host)\(url.port.isEmpty ? "" : ":\(url.port)")\(path)"
    }

    func append(to tree: inout ScenarioTree, mayFindDeadConnections: Bool, kinds: [InterfaceKind]) {
        tree["origin", Self.path] = .flow(["text": Node(Self.body)])
        for end in ends { tree.append(.flow(["await": Node(end), "orTasksEnd": "true"]), to: "steps") }
        tree.append(.flow(["set": goodNetwork(kinds, of: tree)]), to: "steps")
        if mayFindDeadConnections { addSettlingTasks(to: &tree) }
        add(Self.recovery, url, to: &tree)
        addAwait(Self.recovery, to: &tree)
        tree.append(.flow(["completes": .flow(["task": Node(Self.recovery.text), "error": "none"])]), to: "expect")
        tree.append(
            .flow(["body": .flow(["task": Node(Self.recovery.text), "text": Node(Self.body)])]), to: "expect")
        for task in downloads {
            let name = "\(task.text)-continued"
            tree.append(.flow(["download": .flow(["resumeData": Node(task.text)]), "as": Node(name)]), to: "steps")
            tree.append(.flow(["consistent": .flow(["task": Node(name)])]), to: "expect")
            tree.append(.flow(["completes": .flow(["task": Node(name), "error": "none"])]), to: "expect")
        }
    }

    /// Tasks that begin together, so that each takes another one of the connections that ended in silence.
    private func addSettlingTasks(to tree: inout ScenarioTree) {
        let tasks = settlingURLs.enumerated().map { (Self.settling($0.offset + 1), $0.element) }
        for (task, url) in tasks { add(task, url, to: &tree) }
        for (task, _) in tasks {
            addAwait(task, to: &tree)
            tree.append(.flow(["consistent": .flow(["task": Node(task.text)])]), to: "expect")
        }
    }

    private static func settling(_ number: Int) -> TaskName { TaskName("settling-\(number)") }

    private func add(_ task: TaskName, _ url: String, to tree: inout ScenarioTree) {
        var step: [(String, Node)] = [("data", Node(url)), ("as", Node(task.text))]
        if let session { step.append(("session", Node(session))) }
        if let timeout { step.append(("timeout", .milliseconds(timeout))) }
        // The proxy may ask again, and session-level challenges are reported for the newest task with decisions.
        let decisions = tree["steps"]?.sequence?.compactMap { $0.mapping?["challenge"] } ?? []
        let granting = decisions.first { !["cancel", "reject"].contains($0.string) }
        if let decisions = granting ?? decisions.first { step.append(("challenge", decisions)) }
        if !hasDelegate { step.append(("completionHandler", "true")) }
        tree.append(.flow(step), to: "steps")
    }

    private func addAwait(_ task: TaskName, to tree: inout ScenarioTree) {
        let end = hasDelegate ? "didComplete" : "completionHandler"
        tree.append(.flow(["await": Node("\(task.text).\(end)"), "orTasksEnd": "true"]), to: "steps")
    }

    /// The value of `set:` that undoes every change and fault.
    private func goodNetwork(_ kinds: [InterfaceKind], of tree: ScenarioTree) -> Node {
        let named =
            kinds.map(\.rawValue)
            + (tree["network", "cellular"] != nil && !kinds.contains(.cellular) ? ["cellular"] : [])
        let faultless = Node.flow(["faults": "none"])
        var changes: [(String, Node)] = [("origin", faultless)]
        changes += named.map { ($0, .flow(["profile": "perfect", "state": "up"])) }
        let isAddress = IPAddress(host.filter { $0 != "[" && $0 != "]" }) != nil
        if !isAddress { changes.append(("dns", .flow([(host, Node("origin"))]))) }
        if !proxies.isEmpty { changes.append(("proxies", .flow(proxies.map { ($0, faultless) }))) }
        return .flow(changes)
    }
}
