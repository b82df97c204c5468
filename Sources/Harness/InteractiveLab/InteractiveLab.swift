import Foundation
import LabKernel
import LinkEmulator
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
import Scenario

/// An interactive lab: a lab around a program in the foreground, which can be changed and watched from other terminals.
package enum InteractiveLab {
    /// Output of an interactive lab while it runs.
    package enum Diagnostic: Sendable {
        /// A measurement of the conditions; shown unless the output is mixed with a shell prompt.
        case measured(String)
        /// An event or a problem that should be shown at once.
        case record(String)
    }

    /// Runs the program and returns its exit status as a shell would. Blocks the calling thread.
    package static func perform(
        _ plan: InteractiveLabPlan, _ program: InteractiveLabProgram, host: InteractiveLabHost,
        stop: InteractiveLabStop,
        log: @escaping @Sendable (Diagnostic) -> Void
    ) throws(HarnessError) -> Int32 {
        let inbox: Inbox<InteractiveLabMessage>
        do throws(SystemCallError) { inbox = try Inbox() } catch { throw .lab("\(error)") }
        stop.register(inbox)
        let scenario = plan.scenario
        let capture = try plan.capture.map { path throws(HarnessError) in try Capture.create(at: path) }
        defer { capture?.close(keep: true) }
        let lab = try Lab(
            scenario.network, engine: plan.engine, seed: plan.seed, capture: capture,
            breakpoints: RunMachine.packetBreakpoints(of: scenario),
            observer: { observe($0, inbox, log) })
        defer { lab.stop() }
        let authority: CertificateAuthority
        do throws(TLSError) { authority = try CertificateAuthority.make(commonName: "Crosswind lab") } catch {
            throw .origin("\(error)")
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let servers = try LabServers(
            scenario: scenario, lab: lab, seed: plan.seed, authority: authority, group: group, capture: capture,
            record: { fact in
                switch fact {
                case .server(let fact): inbox.post(.server(fact))
                case .name(let fact): inbox.post(.name(fact))
                default: break
                }
            })
        defer { servers.stop() }
        let problems = OnceLogger()
        let forwards = try ForwardServer(
            plan.forwards, lab: lab, authority: authority, group: group, capture: capture, host: host.network,
            record: { note in
                switch note {
                case .accepted: inbox.post(.server(.accepted(connection: 0, client: "", port: 0)))
                case .problem(let words): if problems.isNew(words) { log(.record(words)) }
                }
            })
        defer { forwards.stop() }
        try lab.probe()
        let world = ClientEnvironment(
            nameServers: lab.nameServerAddresses, resolver: plan.network.dns.resolver,
            authorityPEM: servers.authorityPEM, authorityHash: servers.authorityHash,
            files: program.files.mapValues { Array($0.utf8) })
        let description = LabDescription(
            id: "\(ProcessInfo.processInfo.processIdentifier)", program: String(program.title.prefix(80)),
            engine: lab.engineName)
        let control = openControl(description, inbox, log)
        defer { control?.stop() }
        let process = try start(program, lab, world)
        let loop = try InteractiveLabLoop(
            lab: lab, servers: servers, process: process, resolver: world.resolverFile, inbox: inbox,
            network: InteractiveLabNetwork(plan.network, forwards: plan.forwards),
            timeline: InteractiveLabTimeline(
                plan.timeline, steps: plan.steps, breakpoints: RunMachine.breakpoints(of: scenario),
                start: MonotonicClock.now()),
            description: description, log: { log(.record($0)) })
        let status = try loop.run()
        for entry in loop.unreached { log(.record("never reached: \(entry.trigger.summary)")) }
        lab.report()
        return status.shellStatus
    }

    private static func observe(
        _ observation: LinkObservation, _ inbox: Inbox<InteractiveLabMessage>, _ log: @Sendable (Diagnostic) -> Void
    ) {
        switch observation {
        case .fact(.conditionMeasured(let kind, let direction, let measured)):
            log(.measured("\(kind.linuxName) \(direction.rawValue): \(measured.text)"))
        case .fact: break
        case .packetBreakpoint(let breakpoint): inbox.post(.breakpoint(breakpoint))
        case .late(let reason): log(.measured(reason))
        case .failed(let reason): inbox.post(.failed(reason))
        }
    }

    /// Opens the control socket. A lab also works without one.
    private static func openControl(
        _ description: LabDescription, _ inbox: Inbox<InteractiveLabMessage>, _ log: @Sendable (Diagnostic) -> Void
    ) -> ControlServer? {
        do throws(ControlError) {
            return try ControlServer(
                id: description.id, in: try ControlFolder.make(), group: MultiThreadedEventLoopGroup.singleton,
                ask: { inbox.post(.control($0, $1)) })
        } catch {
            log(.record("`crosswind set` and `crosswind watch` do not work with this lab: \(error)"))
            return nil
        }
    }

    private static func start(
        _ program: InteractiveLabProgram, _ lab: Lab, _ world: ClientEnvironment
    ) throws(HarnessError) -> SpawnedProcess {
        let command = program.command
        do throws(SpawnError) {
            return try SpawnedProcess.start(
                SpawnRequest(
                    command[0], Array(command.dropFirst()),
                    environment: world.environment.merging(program.environment) { $1 },
                    workingDirectory: FileManager.default.currentDirectoryPath, namespace: lab.client,
                    overlays: world.overlays, streams: .inherited))
        } catch {
            throw .programWillNotStart("\(error)")
        }
    }
}
