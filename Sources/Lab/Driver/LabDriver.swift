package import LabKernel
package import NetworkMonitor
package import NIOCore
package import Record
package import ScenarioLanguage
package import TLSTestKit

/// An event of a lab's servers or links, which may reach a trigger.
package enum LabEvent: Hashable, Sendable {
    case server(ServerFact)
    case name(DNSFact)
    case proxy(ProxyFact)
    /// A packet that a trigger names reached its link, and the network waits.
    case breakpoint(PacketBreakpoint)
}

/// Messages from other threads to the thread of a lab.
package enum LabMessage: Sendable {
    case event(LabEvent)
    /// A request from another terminal.
    case control(ControlRequest, ControlServer.Reply)
    /// The harness itself failed.
    case failed(String)
    /// The lab has to end: Ctrl-C was pressed, or the terminal was closed.
    case stopped
}

/// A report about a lab, from any thread, in order.
package enum LabReport: Sendable {
    case fact(RecordEntry.Fact)
    /// Packets left so late that the requested condition was not kept.
    case late(String)
}

/// The program inside a lab and the rules that it is driven by.
package protocol LabDriverDelegate: AnyObject {
    var hasEnded: Bool { get }
    /// The time by which `tick` must be called.
    var nextDeadline: Int64 { get }
    /// Adds the program's own descriptors; their tokens are lower than `LabDriver.inboxToken`.
    func register(in poller: borrowing Poller) throws(SystemCallError)
    func handle(_ event: Poller.Event, in poller: borrowing Poller) throws(SystemCallError)
    /// Handles a message; every change that it causes must be in force on return.
    func handle(_ message: LabMessage)
    /// Handles the passing of time. Called after all messages and events that were ready.
    func tick(_ now: Int64, in poller: borrowing Poller) throws(SystemCallError)
}

/// A lab with its servers, and the loop of the one thread that changes it: for an adapter that plays a scenario, or for
/// a user's program.
package final class LabDriver {
    package struct Settings {
        package var scenario: Scenario
        package var engine: EngineChoice
        package var seed: UInt64
        package var capture: Capture?
        package var decisions: DecisionRecorder
        package var authority: CertificateAuthority
        package var group: any EventLoopGroup
        /// Files for the program's private folder.
        package var files: [String: [UInt8]]

        package init(
            scenario: Scenario, engine: EngineChoice, seed: UInt64, capture: Capture?,
            decisions: DecisionRecorder = DecisionRecorder(), authority: CertificateAuthority,
            group: any EventLoopGroup, files: [String: [UInt8]]
        ) {
            self.scenario = scenario
            self.engine = engine
            self.seed = seed
            self.capture = capture
            self.decisions = decisions
            self.authority = authority
            self.group = group
            self.files = files
        }
    }

    package let lab: Lab
    package let servers: LabServers
    package let inbox: Inbox<LabMessage>
    /// The environment of programs inside the lab.
    package let environment: ClientEnvironment
    private var resolver: ResolverFile
    private let stopSignal: StopSignal
    private let report: @Sendable (LabReport) -> Void

    package static let inboxToken: UInt64 = 100

    /// Builds the lab and starts its servers.
    package init(_ settings: Settings, stop: StopSignal, report: @escaping @Sendable (LabReport) -> Void)
        throws(LabError)
    {
        let inbox: Inbox<LabMessage>
        do throws(SystemCallError) { inbox = try Inbox() } catch { throw .failed("\(error)") }
        let scenario = settings.scenario
        lab = try Lab(
            scenario.network, engine: settings.engine, seed: settings.seed, capture: settings.capture,
            breakpoints: scenario.packetBreakpoints, decisions: settings.decisions,
            observer: { observation in
                switch observation {
                case .fact(let fact): report(.fact(.network(fact)))
                case .packetBreakpoint(let breakpoint): inbox.post(.event(.breakpoint(breakpoint)))
                case .late(let reason): report(.late(reason))
                case .failed(let reason): inbox.post(.failed(reason))
                }
            })
        do throws(LabError) {
            servers = try LabServers(
                scenario: scenario, lab: lab, seed: settings.seed, authority: settings.authority,
                group: settings.group, capture: settings.capture,
                record: { fact in
                    report(.fact(fact))
                    if let event = LabEvent(fact) { inbox.post(.event(event)) }
                })
        } catch {
            lab.stop()
            throw error
        }
        environment = ClientEnvironment(
            nameServers: lab.nameServerAddresses, resolver: scenario.network.dns.resolver,
            authorityPEM: servers.authorityPEM, authorityHash: servers.authorityHash, files: settings.files,
            proxies: scenario.proxies)
        resolver = environment.resolverFile
        self.inbox = inbox
        self.report = report
        stopSignal = stop
        stop.register(inbox)
    }

    /// Waits for the program, the servers, the links, other terminals and the clock until the delegate has ended.
    package func run(_ delegate: some LabDriverDelegate) throws(SystemCallError) {
        var poller = try Poller.make()
        try inbox.register(in: poller, token: LabDriver.inboxToken)
        try delegate.register(in: poller)
        try delegate.tick(MonotonicClock.now(), in: poller)
        while !delegate.hasEnded {
            var ready: [Poller.Event] = []
            try poller.wait(until: delegate.nextDeadline) { ready.append($0) }
            for event in ready {
                guard event.token == LabDriver.inboxToken else {
                    try delegate.handle(event, in: poller)
                    continue
                }
                for message in inbox.drain() {
                    delegate.handle(message)
                    if case .event(.breakpoint) = message { lab.resume() }
                }
            }
            try delegate.tick(MonotonicClock.now(), in: poller)
        }
    }

    /// Makes a change in the lab, its servers and the program's resolver. Returns when it is in force.
    package func apply(_ change: NetworkChange, for process: SpawnedProcess) throws(LabError) {
        if let words = try resolver.setNameServers(lab.nameServerAddresses(after: change), for: process) {
            report(.fact(.network(.dnsService("resolv.conf: \(words)"))))
        }
        try lab.apply(change)
        switch change {
        case .proxy(let change): servers.change(change)
        case .name(let rule): try servers.change(rule)
        case .program(let state):
            switch state {
            case .stopped: process.suspend()
            case .running: process.resume()
            }
            report(.fact(.note(.other("the program is \(state.rawValue)"))))
        case .interfaceState, .link, .renumber, .cost, .connections, .flaps: break
        }
    }

    package func stop() {
        stopSignal.forget(inbox)
        servers.stop()
        lab.stop()
    }
}

extension LabEvent {
    fileprivate init?(_ fact: RecordEntry.Fact) {
        switch fact {
        case .server(let fact): self = .server(fact)
        case .name(let fact): self = .name(fact)
        case .proxy(let fact): self = .proxy(fact)
        default: return nil
        }
    }
}
