package import LabKernel
package import LinkEngines
package import NetworkMonitor
package import NIOCore
package import Record
package import ScenarioLanguage
package import TLSTestKit

/// A report about a lab, from any thread, in order.
package enum LabReport: Sendable {
    case fact(RecordEntry.Fact)
    /// Packets left so late that the requested condition was not kept.
    case late(String)
}

/// A lab with its servers, and its loop: for an adapter that plays a scenario, or for a user's program.
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
        package var isolation: ClientIsolation

        package init(
            scenario: Scenario, engine: EngineChoice, seed: UInt64, capture: Capture?,
            decisions: DecisionRecorder = DecisionRecorder(), authority: CertificateAuthority,
            group: any EventLoopGroup, files: [String: [UInt8]], isolation: ClientIsolation = ClientIsolation()
        ) {
            self.scenario = scenario
            self.engine = engine
            self.seed = seed
            self.capture = capture
            self.decisions = decisions
            self.authority = authority
            self.group = group
            self.files = files
            self.isolation = isolation
        }
    }

    package let lab: Lab
    package let servers: LabServers
    private let loop: DriverLoop
    /// The environment of programs inside the lab.
    package let environment: ClientEnvironment
    private var resolver: ResolverFile
    private var power: PowerState
    private let report: @Sendable (LabReport) -> Void

    package var inbox: Inbox<LabMessage> { loop.inbox }

    /// Builds the lab and starts its servers.
    package init(_ settings: Settings, stop: StopSignal, report: @escaping @Sendable (LabReport) -> Void)
        throws(LabError)
    {
        let loop = try DriverLoop(stop: stop)
        let inbox = loop.inbox
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
                    loop.post(fact)
                })
        } catch {
            lab.stop()
            throw error
        }
        environment = ClientEnvironment(
            nameServers: lab.nameServerAddresses, resolver: scenario.network.dns.resolver,
            authorityPEM: servers.authorityPEM, authorityHash: servers.authorityHash, files: settings.files,
            proxies: scenario.proxies, power: scenario.initialPower, clock: scenario.initialClock,
            isLaunched: scenario.hasSeveralProcesses, fillsDisk: scenario.fillsDisk, isolation: settings.isolation)
        power = scenario.initialPower ?? PowerState()
        if let initial = scenario.initialPower { report(.fact(.network(.power(initial)))) }
        resolver = environment.resolverFile
        self.loop = loop
        self.report = report
    }

    /// Waits for the program, the servers, the links, other terminals and the clock until the delegate has ended.
    package func run(_ delegate: some LabDriverDelegate) throws(SystemCallError) {
        try loop.run(delegate) { message in
            if case .event(.breakpoint) = message { lab.resume() }
        }
    }

    /// Makes a change in the lab, its servers and the program's resolver. Returns when it is in force.
    package func apply(_ change: NetworkChange, for process: SpawnedProcess) throws(LabError) {
        if let words = try resolver.setNameServers(lab.nameServerAddresses(after: change), for: process) {
            report(.fact(.network(.dnsService("resolv.conf: \(words)"))))
        }
        try lab.apply(change)
        switch change {
        case .proxy, .faults, .name: try servers.change(change)
        case .program(.clock(let offset)):
            try ClockFile.write(offset, for: process)
            report(.fact(.note(.other("the wall clock is \(ClockPlan.summary(ofOffset: offset))"))))
        case .program(.state(let state)):
            switch state {
            case .stopped: process.suspend()
            case .running: process.resume()
            }
            report(.fact(.note(.other("the program is \(state.rawValue)"))))
        case .power(let change):
            power = change.applied(to: power)
            try PowerSupplyFolder.write(power, for: process)
            report(.fact(.network(.power(power))))
        case .disk(let state):
            switch state {
            case .full: try DiskFiller.fill(for: process)
            case .free: DiskFiller.free(for: process)
            }
            report(.fact(.note(.other("the client's disk is \(state.rawValue)"))))
        case .interfaceState, .link, .renumber, .cost, .connections, .flaps: break
        }
    }

    /// Puts the client behind NAT64, or removes it (nil). Returns when it is in force.
    func setNAT64(_ nat64: NAT64Plan?, for process: SpawnedProcess) throws(LabError) {
        try lab.setNAT64(nat64)
        try servers.setNAT64(nat64)
        if let words = try resolver.setNameServers(lab.nameServerAddresses, for: process) {
            report(.fact(.network(.dnsService("resolv.conf: \(words)"))))
        }
    }

    package func stop() {
        servers.stop()
        lab.stop()
    }
}
