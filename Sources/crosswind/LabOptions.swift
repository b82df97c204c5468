import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEngines
import Record
import ScenarioLanguage

/// The options of a lab around a user's program, shared by `shell` and `exec`.
struct LabOptions: ParsableArguments {
    @Option(
        help:
            "A profile, a network or a network file, as of `crosswind run` (default: \(LabOptions.standardNetwork)): \(LabOptions.networkNames.joined(separator: ", "))."
    )
    var network: String?

    static let standardNetwork = "good-wifi"

    /// The profiles and the other built-in networks; most profiles are networks too.
    private static var networkNames: [String] {
        let profiles = ProfileCatalogue.all.map(\.name)
        return profiles + NetworkCatalogue.builtIn.networks.map(\.name).filter { !profiles.contains($0) }
    }

    @Option(help: .hidden)
    var condition: String?

    @Option(
        help: ArgumentHelp(
            "wifi (the default), cellular, wired or vpn; =PROFILE gives it its own profile (may be given several times).",
            valueName: "kind"))
    var interface: [InterfaceChoice] = []

    @Option(
        help: ArgumentHelp(
            "NAME:PORT=HOST:PORT[,tls=passthrough|terminate|terminate-unverified][,protocol=h2]: makes a server on this machine reachable inside the lab under NAME (may be given several times).",
            discussion: """
                TLS passes through unless tls=terminate puts the lab's own certificate in front; then https://HOST:PORT uses \
                TLS to the host, and a plain HOST:PORT does not. HOST must then have a certificate for its name from an authority that this \
                machine trusts, except on loopback, or with tls=terminate-unverified. TLS to the host negotiates HTTP/2 or HTTP/1.1 for \
                both sides; protocol=h2 is for a host without TLS that speaks HTTP/2 only.
                """,
            valueName: "place"))
    var forward: [String] = []

    @Option(
        help: "Play the changes under `timeline:` of this file, counted from the program's start.", completion: .file())
    var timeline: String?

    @Option(help: "auto, emulator or kernel.")
    var engine: EngineChoice = .auto

    @Option(help: "Seed of every random decision.")
    var seed: UInt64 = 1

    @Option(help: "Write a packet capture (pcapng) to this file.", completion: .file())
    var capture: String?

    @OptionGroup var isolation: IsolationOptions

    func validate() throws {
        if let condition { throw ValidationError("--condition is now --network: write --network \(condition)") }
        // A file is read when the command runs: its errors name their lines.
        if let network, !Self.isFile(network), try namedNetwork() != nil { try validateBesideNetwork(network) }
        if let network, Self.isFile(network) { try validateBesideNetwork(network) }
        for case let name? in interface.map(\.profile) { _ = try profile(name) }
        let kinds = interface.map(\.kind)
        if Set(kinds).count != kinds.count {
            throw ValidationError("--interface: a lab has at most one interface of each kind; leave the second out")
        }
        _ = try forwards()
    }

    private func profile(_ name: String) throws -> LinkProfile {
        guard let profile = ProfileCatalogue.named(name) else {
            throw ValidationError(
                "the profile `\(name)` does not exist; choose one of \(ProfileCatalogue.all.map(\.name).joined(separator: ", "))"
            )
        }
        return profile
    }

    private static func isFile(_ network: String) -> Bool {
        network.contains("/") || network.hasSuffix(".yaml") || network.hasSuffix(".yml")
    }

    /// Returns the network of --network; nil if it is a profile, which every interface can have, or not given.
    private func namedNetwork() throws -> NamedNetwork? {
        guard let network, ProfileCatalogue.named(network) == nil else { return nil }
        var catalogue = NetworkCatalogue.builtIn
        do throws(ScenarioErrors) {
            if let home = try? InstallLayout.find() { try catalogue.addFolders(beside: [home.folder + "/Scenarios"]) }
        } catch {
            throw ValidationError("\(error)")
        }
        let selection: NetworkSelection
        do throws(NetworkSelectionError) {
            selection = try NetworkSelection([network], catalogue: catalogue)
        } catch {
            switch error {
            case .unknown: throw ValidationError(error.description)
            case .file: throw stop(Status.usage, error.description, isBare: true)
            }
        }
        guard selection.networks.count == 1, !selection.includesOwn else {
            throw ValidationError("--network \(network): a lab has one network; name it")
        }
        return selection.networks[0]
    }

    private func validateBesideNetwork(_ network: String) throws {
        if !interface.isEmpty {
            throw ValidationError("the network \(network) has its interfaces already; leave --interface out")
        }
    }

    /// Refuses the options that a scenario replaces.
    func validateBesideScenario() throws {
        let given = [
            ("--network", network != nil), ("--interface", !interface.isEmpty), ("--timeline", timeline != nil),
        ]
        if let option = given.first(where: \.1)?.0 {
            throw ValidationError("the scenario has a network and a timeline already; leave \(option) out")
        }
    }

    /// Reads a scenario whose steps are not played.
    static func read(_ file: String) throws -> Scenario {
        switch ScenarioReader.read(path: file) {
        case .success(let scenario): return scenario
        case .failure(let found):
            for error in found.errors { Terminal.writeError("\(error)") }
            throw Status.usage
        }
    }

    private func forwards() throws -> ForwardPlan {
        do {
            return try ForwardPlan(try forward.map { text throws(ForwardError) in try Forward(parsing: text) })
        } catch {
            throw ValidationError("\(error)")
        }
    }

    /// Runs a program with these options, or in the lab of a scenario, and exits with its status.
    func perform(
        _ program: (InteractiveLabPlan) throws -> InteractiveLabProgram, in scenario: Scenario? = nil,
        timeout: Duration? = nil,
        reportingMeasurements: Bool, recording: RecordingFile? = nil
    ) throws -> Never {
        let makePlan = try planMaker(scenario)
        let (host, forwards) = try enter()
        var plan = makePlan(forwards)
        plan.timeout = timeout
        plan.isolation = isolation.isolation
        let program = try program(plan)
        recording?.start(plan)
        let stopSignal = StopSignal()
        let interrupt = Interrupt { stopSignal.raise() }
        let end = try stopping {
            try InteractiveLab.perform(
                plan, program, host: host, stop: stopSignal,
                log: { Self.log($0, withMeasurements: reportingMeasurements) },
                observe: recording.map { recording in { recording.record($0, at: $1) } })
        }
        try recording?.write()
        if interrupt.happened || end.isInterrupted { throw ExitCode(130) }
        if end.isTimedOut { throw timedOut(timeout) }
        throw ExitCode(end.status)
    }

    /// Reads the files of the options, before the lab is built. The plan of the lab then needs only the forwards.
    private func planMaker(_ scenario: Scenario?) throws -> (ForwardPlan) -> InteractiveLabPlan {
        if let scenario {
            return { .of(scenario, engine: engine, seed: seed, capture: capture, forwards: $0) }
        }
        if let named = try namedNetwork() {
            let entries = try readTimeline(named.plan)
            return {
                .on(named, engine: engine, seed: seed, capture: capture, forwards: $0, timeline: entries)
            }
        }
        let chosen = interface.isEmpty ? [InterfaceChoice(kind: .wifi, profile: nil)] : interface
        let profiles = try chosen.map {
            (kind: $0.kind, profile: try profile($0.profile ?? self.network ?? LabOptions.standardNetwork))
        }
        let network = InteractiveLabPlan.network(profiles)
        let entries = try readTimeline(network)
        return {
            InteractiveLabPlan(
                network: network, engine: engine, seed: seed, capture: capture, forwards: $0, timeline: entries,
                steps: InteractiveLabPlan.steps(profiles))
        }
    }

    /// Reports the timeout; the status is that of timeout(1).
    func timedOut(_ timeout: Duration?) -> ExitCode {
        stop(
            ExitCode(124),
            "the program still ran after \(timeout.map { "\($0)" } ?? "its time") and was ended (--timeout)")
    }

    /// Gets the privilege to build labs, and opens the way to the host's network.
    func enter() throws -> (InteractiveLabHost, ForwardPlan) {
        // Before the privilege, which may move this program to a network from which the host's cannot be reached.
        try stopping {
            if !forward.isEmpty { try InteractiveLabHost.forkBroker() }
            try Privilege.acquire()
        }
        InteractiveLab.removeAbandonedSockets()
        return try reachHost()
    }

    static func log(_ diagnostic: InteractiveLab.Diagnostic, withMeasurements: Bool) {
        switch diagnostic {
        case .measured(let words): if withMeasurements { log(words) }
        case .record(let words): log(words)
        }
    }

    static func log(_ words: String) { Terminal.writeError("crosswind: \(words)") }

    private func readTimeline(_ network: NetworkPlan) throws -> [TimelineEntry] {
        guard let timeline else { return [] }
        switch TimelineReader.read(path: timeline, in: network) {
        case .success(let entries): return entries
        case .failure(let found): throw stop(Status.usage, "\(found)", isBare: true)
        }
    }

    private func reachHost() throws -> (InteractiveLabHost, ForwardPlan) {
        var plan = try forwards()
        let host = try stopping { try InteractiveLabHost() }
        do throws(ForwardError) { try plan.resolve(host) } catch { throw stop(Status.usage, "\(error)") }
        return (host, plan)
    }
}

/// `wifi`, or `cellular=lte`.
struct InterfaceChoice: ExpressibleByArgument {
    var kind: InterfaceKind
    var profile: String?

    init(kind: InterfaceKind, profile: String?) {
        self.kind = kind
        self.profile = profile
    }

    init?(argument: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let kind = InterfaceKind(rawValue: parts[0]) else { return nil }
        self.init(kind: kind, profile: parts.count == 2 ? parts[1] : nil)
    }
}
