import ScenarioLanguage
package import Record
import Foundation
import LabKernel
import LinkEmulator
package import LinkEngines
import NIOPosix
import NetworkMonitor
import OpenSSLTLS
import Synchronization
import TLSTestKit

/// An interactive lab: a lab around a program in the foreground, which can be changed and watched from other terminals.
package enum InteractiveLab {
    /// Output of an interactive lab while it runs.
    package enum Diagnostic: Sendable {
        /// A measurement of the conditions; shown unless the output is mixed with a shell prompt.
        case measured(String)
        /// An event or a problem that should be shown at once.
        case record(String)
    }

    /// The end of the program.
    package struct End: Hashable, Sendable {
        /// Its exit status as a shell would report it.
        package var status: Int32
        /// The signal that ended the program without being sent by the lab.
        package var crash: Int32?
        /// True if the program was ended at the timeout of the plan.
        package var isTimedOut: Bool
        /// True if the program did not end after Ctrl-C at the terminal, and was ended by the lab.
        package var isInterrupted: Bool
        /// The limit that the program exceeded, for which the lab killed it.
        package var excess: String?
    }

    /// Runs the program. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - record: Receives the facts of the lab, for a record; from any thread.
    ///   - observe: Receives events and changes in order, each with the nanoseconds since the program's start.
    package static func perform(
        _ plan: InteractiveLabPlan, _ program: InteractiveLabProgram, host: InteractiveLabHost, stop: StopSignal,
        log: @escaping @Sendable (Diagnostic) -> Void,
        record: @escaping @Sendable (RecordEntry.Fact) -> Void = { _ in },
        observe: ((LabObservation, Int64) -> Void)? = nil
    ) throws(LabError) -> End {
        let scenario = plan.scenario
        let capture = try plan.capture.map { path throws(LabError) in
            try Capture.create(at: path, option: "--capture")
        }
        defer {
            capture?.close(keep: true)
            if let capture, let failure = capture.failure {
                log(.record("the capture \(capture.path) is incomplete: \(failure)"))
            }
        }
        let authority: CertificateAuthority
        do throws(TLSError) { authority = try CertificateAuthority.make(commonName: "Crosswind lab") } catch {
            throw .origin("\(error)")
        }
        let group = MultiThreadedEventLoopGroup.singleton
        let driver = try LabDriver(
            LabDriver.Settings(
                scenario: scenario, engine: plan.engine, seed: plan.seed, capture: capture, authority: authority,
                group: group, files: program.files.mapValues { Array($0.utf8) }, isolation: plan.isolation),
            stop: stop,
            report: { report in
                switch report {
                case .fact(let fact): record(fact)
                case .late(let reason): record(.note(.conditionNotKept(reason)))
                }
                if let diagnostic = Diagnostic(report) { log(diagnostic) }
            })
        defer { driver.stop() }
        let inbox = driver.inbox
        let problems = OnceLogger()
        let forwards = try ForwardServer(
            plan.forwards, lab: driver.lab, authority: authority, group: group, capture: capture, host: host.network,
            record: { note in
                switch note {
                case .accepted: inbox.post(.event(.server(.accepted(connection: 0, client: "", port: 0))))
                case .problem(let words): if problems.isNew(words) { log(.record(words)) }
                }
            })
        defer { forwards.stop() }
        try driver.lab.probe()
        let description = LabDescription(
            id: "\(ProcessInfo.processInfo.processIdentifier)", program: String(program.title.prefix(80)),
            engine: driver.lab.engineName, interfaces: plan.network.interfaces.map(\.kind),
            requests: ControlRequest.words)
        let control = openControl(description, inbox, log)
        defer { control?.stop() }
        record(.note(.other(driver.lab.engineNote)))
        record(.stepsBegan)
        for proxy in scenario.proxies {
            let isNamed = proxy.isSystem ? ", also in variables such as https_proxy" : ""
            log(.record("proxy \(proxy.name): \(proxy.url)\(isNamed)"))
        }
        let process = try start(program, driver, control)
        record(
            .adapter(
                .started(
                    pid: process.program ?? process.firstProcess, command: program.command.joined(separator: " "))))
        for weakness in process.weaknesses {
            log(.record(weakness))
            record(.note(.other(weakness)))
        }
        let controller = try InteractiveLabController(
            driver: driver, process: process, start: scenario, timeout: plan.timeout, record: record,
            network: InteractiveLabNetwork(plan.network, source: plan.source, forwards: plan.forwards),
            player: TimelinePlayer(scenario, steps: plan.steps, start: MonotonicClock.now()),
            description: description, log: { log(.record($0)) }, observe: observe)
        let status = try controller.run()
        for limit in process.reachedLimits {
            log(.record("\(limit)"))
            record(.note(.other("\(limit)")))
        }
        for entry in controller.unreached {
            log(.record("never reached: \(entry.trigger.summary)"))
            record(.note(.other("never reached: \(entry.trigger.summary)")))
            controller.observe(.unreached(entry.trigger))
        }
        driver.lab.report()
        let crash: Int32? =
            if case .signalled(let number, _) = status, !controller.isStopping { number } else { nil }
        return End(
            status: status.shellStatus, crash: crash, isTimedOut: controller.isTimedOut,
            isInterrupted: controller.isInterrupted, excess: controller.excess)
    }

    /// Opens the control socket. A lab also works without one.
    private static func openControl(
        _ description: LabDescription, _ inbox: Inbox<LabMessage>, _ log: @Sendable (Diagnostic) -> Void
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

    private static func start(_ program: InteractiveLabProgram, _ driver: LabDriver, _ control: ControlServer?)
        throws(LabError) -> SpawnedProcess
    {
        let command = program.command
        var environment = driver.environment.environment.merging(program.environment) { $1 }
        var overlays = driver.environment.overlays
        if let control {
            // The program sees the socket of its own lab, and does not need the folder with those of others.
            environment[ControlServer.variable] = ControlServer.pathInside
            overlays.append(.bound(path: ControlServer.pathInside, source: control.path))
        }
        do throws(SpawnError) {
            var request = SpawnRequest(
                command[0], Array(command.dropFirst()), environment: environment,
                workingDirectory: FileManager.default.currentDirectoryPath, namespace: driver.lab.client,
                overlays: overlays, streams: .inherited)
            request.confinement = driver.environment.isolation.confinement
            request.reportsInterrupts = program.endsOnInterrupt
            return try SpawnedProcess.start(request)
        } catch {
            throw .programWillNotStart("\(error)")
        }
    }
}

extension InteractiveLab.Diagnostic {
    /// The form of a lab's report for the terminal; nil for facts that only a record needs.
    fileprivate init?(_ report: LabReport) {
        switch report {
        case .fact(.network(.conditionMeasured(let kind, let direction, let measured))):
            self = .measured("\(kind.linuxName) \(direction.rawValue): \(measured.text)")
        case .fact(.network(.dnsService(let words))): self = .record(words)
        case .fact: return nil
        case .late(let reason): self = .measured(reason)
        }
    }
}

/// Filters repeated messages, so that a server that is down is reported once and not for each connection.
final class OnceLogger: Sendable {
    private let logged = Mutex<Set<String>>([])
    /// Maximum number of remembered messages, so that a flood does not fill the memory.
    private static let most = 1000

    func isNew(_ words: String) -> Bool {
        logged.withLock { $0.count < OnceLogger.most && $0.insert(words).inserted }
    }
}
