import AdapterProtocol
import Conformance
import Foundation
import Lab
import LabKernel
import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage

/// Drives `RunMachine` with the events of the adapter, the servers and the clock, and performs its actions.
final class RunController: LabDriverDelegate {
    private let scenario: Scenario
    private let profile: ClientProfile
    private let bodies: TaskBodies
    private let driver: LabDriver
    /// The app's present process, or the last one.
    var adapter: AdapterProcess
    let recorder: Recorder
    private let asksForConnectionOwners: Bool
    /// The machine, which starts when the adapter has replied to `hello`.
    private var machine: RunMachine?
    private var phase = Phase.greeting
    private var deadline: Int64
    private var nextLook: Int64
    private var errorOutput = ErrorOutput()
    private let begun = MonotonicClock.now()
    var runQueueDelay: RunQueueDelay?
    private var filesAtHello: Set<String> = []
    var hasExited = false
    /// A step ends the app's process, which is then no crash.
    var endsByStep = false
    /// A launched process is not registered with the poller yet.
    var isUnregistered = false
    private var launchCommand: LaunchCommand?
    private static let launchToken: UInt64 = 5
    private var failure: HarnessError?

    private enum Phase {
        /// Waiting for the adapter's reply to `hello`.
        case greeting
        case playing
        /// `end` has been sent: the adapter may exit by itself for a while.
        case leaving
        case over
    }

    /// A process that has just been started on a busy machine may reply late; one without a reply for this long is
    /// broken.
    private static let handshakeTime: Int64 = 15_000_000_000
    private static let leavingTime: Int64 = 5_000_000_000
    /// The interval in which the adapter's memory and processes are compared with the limits.
    private static let lookInterval: Int64 = 500_000_000

    init(
        scenario: Scenario, profile: ClientProfile, bodies: TaskBodies, driver: LabDriver, adapter: AdapterProcess,
        recorder: Recorder
    ) {
        self.scenario = scenario
        asksForConnectionOwners = scenario.asksForConnectionOwners
        self.profile = profile
        self.driver = driver
        self.adapter = adapter
        self.recorder = recorder
        self.bodies = bodies
        deadline = begun + RunController.handshakeTime
        nextLook = begun + RunController.lookInterval
    }

    func run() throws(HarnessError) {
        if scenario.hasSeveralProcesses {
            do throws(LabError) { launchCommand = try LaunchCommand.install(for: adapter.process) } catch {
                adapter.kill()
                throw .lab(error)
            }
        }
        send(.hello(capabilities: Handshake.questions))
        measureRunQueueDelay(from: begun)
        do throws(SystemCallError) { try driver.run(self) } catch {
            adapter.kill()
            throw .lab(.failed("\(error)"))
        }
        if let failure { throw failure }
    }

    var hasEnded: Bool { phase == .over }

    var nextDeadline: Int64 {
        switch phase {
        case .greeting: min(deadline, runQueueDelay?.nextLook ?? deadline)
        case .leaving: deadline
        case .playing: min(machine?.nextDeadline ?? deadline, runQueueDelay?.nextLook ?? deadline, nextLook)
        case .over: 0
        }
    }

    // MARK: - Inputs

    func register(in poller: borrowing Poller) throws(SystemCallError) {
        try adapter.register(in: poller)
        try launchCommand?.register(in: poller, token: RunController.launchToken)
    }

    func handle(_ event: Poller.Event, in poller: borrowing Poller) throws(SystemCallError) {
        // What was ready together with the end of the process before is not of the one that has been launched.
        if isUnregistered, event.token != RunController.launchToken { return }
        switch event.token {
        case AdapterProcess.Tokens.output:
            for happening in try adapter.readOutput() { react(to: happening) }
            try adapter.forgetEnded(poller)
        case AdapterProcess.Tokens.errors:
            for happening in try adapter.readErrors() { react(to: happening) }
            try adapter.forgetEnded(poller)
        case AdapterProcess.Tokens.input: try adapter.useInput(event.readiness, poller)
        case AdapterProcess.Tokens.exit: try endsByStep ? appEnded(poller) : adapterExited()
        case RunController.launchToken:
            for arguments in try launchCommand?.read() ?? [] {
                let now = MonotonicClock.now()
                recorder.record(.adapter(.relaunchRequested(arguments: arguments)), at: now)
                play(.lab(.relaunch), at: now)
            }
        default: break
        }
    }

    private func react(to happening: AdapterProcess.Event) {
        let now = MonotonicClock.now()
        switch happening {
        case .event(let event):
            // The adapter uses the same clock; an impossible time is judged as a violation from the event itself.
            let time = (begun...now).contains(event.time) ? event.time : now
            recorder.record(.session(event), at: time)
            switch phase {
            case .greeting: sendHandshake(event, at: now)
            case .playing: play(.session(event), at: now)
            case .leaving, .over: break
            }
        case .violation(let what, let line):
            recorder.record(.adapter(.violation(what, line: String(line.prefix(1000)))), at: now)
            kill(.violation, what)
        case .standardError(let line): recordError(line, at: now)
        }
    }

    private func recordError(_ line: String, at now: Int64) {
        if let line = errorOutput.admit(line) { recorder.record(.adapter(.standardError(line)), at: now) }
    }

    func handle(_ message: LabMessage) {
        switch message {
        case .event(let event):
            if asksForConnectionOwners, case .server(.accepted(let connection, _, let port)) = event {
                let owner = adapter.process.owner(ofPort: port)
                recorder.record(.adapter(.connectionOwner(connection: connection, owner)), at: MonotonicClock.now())
            }
            play(.lab(event), at: MonotonicClock.now())
        case .control(_, let reply): reply(.refused("a scenario run cannot be changed"))
        case .failed(let reason): fail(.lab(.failed(reason)))
        case .stopped: fail(.interrupted)
        }
    }

    private func sendHandshake(_ event: SessionEvent, at now: Int64) {
        switch Handshake.evaluate(event, for: scenario, profile: profile) {
        case .pending: break
        case .accepted:
            phase = .playing
            reportMemory(at: now)
            filesAtHello = Set(AdapterFiles.present(of: adapter.process))
            // Waits before the steps excuse only the missing reply to `hello`.
            measureRunQueueDelay(from: now)
            recorder.record(.stepsBegan, at: now)
            var machine = RunMachine(
                scenario: Handshake.played(scenario, by: event), start: now, reports: Handshake.reports(in: event),
                bodies: bodies.command)
            let actions = machine.begin(at: now)
            self.machine = machine
            perform(actions)
        case .unsupported(let feature):
            recorder.record(.note(.unsupported(feature)), at: now)
            leave()
        case .rejected(let what):
            recorder.record(.adapter(.violation(what, line: "")), at: now)
            kill(.violation, what)
        }
    }

    func tick(_ now: Int64, in poller: borrowing Poller) throws(SystemCallError) {
        switch phase {
        case .greeting:
            if let look = runQueueDelay?.nextLook, now >= look { sampleRunQueueDelay(now) }
            if now >= deadline { kill(.limit, "no reply to hello within 15 s") }
        case .leaving where now >= deadline: kill(.stays, "it did not exit within 5 s after end")
        case .playing:
            if let look = runQueueDelay?.nextLook, now >= look { sampleRunQueueDelay(now) }
            if now >= nextLook { examineLimits(now) }
            play(.tick, at: now)
        case .leaving, .over: break
        }
        if isUnregistered {
            isUnregistered = false
            try adapter.register(in: poller)
        }
        if !hasExited { try adapter.pump(poller) }
    }

    // MARK: - Outputs

    func send(_ command: AdapterCommand) {
        let sequence = adapter.send(command)
        recorder.record(.command(sequence: sequence, text: command.summary), at: MonotonicClock.now())
    }

    func play(_ input: RunMachine.Input, at now: Int64) {
        guard phase == .playing, let actions = machine?.handle(input, at: now) else { return }
        perform(actions)
    }

    private func perform(_ actions: [RunMachine.Action]) {
        for action in actions where phase == .playing {
            switch action {
            case .send(let command): send(command)
            case .step(let text): recorder.record(.step(text), at: MonotonicClock.now())
            case .apply(let changes): apply(changes)
            case .app(let action): perform(action)
            case .daemon(let action): perform(action)
            case .release(let breakpoint): driver.servers.release(breakpoint)
            case .finish: leave()
            case .kill(let reason, let text): kill(reason, text)
            }
        }
    }

    private func apply(_ changes: [NetworkChange]) {
        for change in changes {
            do throws(LabError) {
                try driver.apply(change, for: adapter.process)
                if case .name = change {
                    recorder.record(.network(.dnsService(change.summary)), at: MonotonicClock.now())
                }
            } catch {
                fail(.lab(error))
            }
        }
    }

    private func leave() {
        for entry in machine?.unreached ?? [] {
            recorder.record(.note(.other("never reached: \(entry.trigger.summary)")), at: MonotonicClock.now())
        }
        reportMemory(at: MonotonicClock.now())
        if !scenario.fillsDisk, driver.environment.isFolderFull(of: adapter.process) {
            recorder.record(.note(.other(ClientEnvironment.fullFolder)), at: MonotonicClock.now())
        }
        reportLeftFiles(at: MonotonicClock.now())
        reportRunQueueDelay()
        phase = .leaving
        deadline = MonotonicClock.now() + RunController.leavingTime
        send(.end)
    }

    /// Ends the run when the adapter exceeds a limit that the kernel does not enforce.
    private func examineLimits(_ now: Int64) {
        nextLook = now + RunController.lookInterval
        if let excess = adapter.process.watchedUsage?.excess(over: driver.environment.isolation.limits) {
            kill(.limit, excess)
        }
    }

    private func reportMemory(at now: Int64) {
        if let peak = adapter.process.peakMemory { recorder.record(.adapter(.memory(peak: peak)), at: now) }
    }

    private func reportLeftFiles(at now: Int64) {
        let left = AdapterFiles.present(of: adapter.process).filter { !filesAtHello.contains($0) }
        recorder.record(.adapter(.leftFiles(Array(left.prefix(AdapterFiles.most)))), at: now)
    }

    func measureRunQueueDelay(from now: Int64) {
        runQueueDelay = adapter.processorUse.map {
            RunQueueDelay($0, processors: ProcessInfo.processInfo.activeProcessorCount, at: now)
        }
    }

    private func sampleRunQueueDelay(_ now: Int64) {
        guard let use = adapter.processorUse else {
            // The process has ended, which is recorded elsewhere; the last sample stays valid.
            runQueueDelay = nil
            return
        }
        runQueueDelay?.look(use, at: now)
    }

    private func reportRunQueueDelay() {
        let now = MonotonicClock.now()
        sampleRunQueueDelay(now)
        if let note = runQueueDelay?.record { recorder.record(.note(note), at: now) }
        runQueueDelay = nil
    }

    private func kill(_ reason: KillReason, _ text: String) {
        guard phase != .over else { return }
        reportRunQueueDelay()
        recorder.record(.adapter(.killed(Labelled(reason, text))), at: MonotonicClock.now())
        phase = .over
        adapter.kill()
        finishReading()
    }

    func fail(_ error: HarnessError) {
        failure = failure ?? error
        phase = .over
        adapter.kill()
        finishReading()
    }

    private func adapterExited() throws(SystemCallError) {
        guard phase != .over else { return }
        hasExited = true
        finishReading()
        phase = .over
    }

    /// Records the adapter's remaining output and the way in which it ended.
    private func finishReading() {
        do throws(SystemCallError) {
            try readRest()
            let (note, last) = errorOutput.finish()
            if let note { recorder.record(.note(.other(note)), at: MonotonicClock.now()) }
            for line in last { recorder.record(.adapter(.standardError(line)), at: MonotonicClock.now()) }
            if let words = adapter.truncatedOutput {
                recorder.record(.adapter(.truncatedOutput(String(words.prefix(1000)))), at: MonotonicClock.now())
            }
            switch try adapter.wait(until: MonotonicClock.deadline(after: RunController.leavingTime)) {
            case .exited(let code): recorder.record(.adapter(.exited(code: code)), at: MonotonicClock.now())
            case .signalled(let number, coreDumped: _):
                recorder.record(.adapter(.signalled(number)), at: MonotonicClock.now())
            case nil:
                recorder.record(.note(.other("the adapter process could not be killed")), at: MonotonicClock.now())
            }
            for limit in adapter.process.reachedLimits {
                recorder.record(.note(.other("\(limit)")), at: MonotonicClock.now())
            }
        } catch {
            recorder.record(.note(.other("\(error)")), at: MonotonicClock.now())
        }
    }

    func readRest() throws(SystemCallError) {
        // Bounded, because the rest of a flood is not needed.
        for _ in 0..<8 {
            let rest = try adapter.readOutput() + adapter.readErrors()
            if rest.isEmpty { break }
            for happening in rest { if phase == .playing { react(to: happening) } else { keep(happening) } }
        }
    }

    /// Only records the event: the run is over.
    private func keep(_ happening: AdapterProcess.Event) {
        let now = MonotonicClock.now()
        switch happening {
        case .event(let event):
            recorder.record(.session(event), at: (begun...now).contains(event.time) ? event.time : now)
        case .violation(let what, let line):
            recorder.record(.adapter(.violation(what, line: String(line.prefix(1000)))), at: now)
        case .standardError(let line): recordError(line, at: now)
        }
    }
}

/// Lists the files in the private folder of a running program.
enum AdapterFiles {
    /// Maximum number of file names in a record.
    static let most = 100

    /// Returns the paths of the regular files in the folder, sorted and relative to it. Empty when the program has
    /// ended.
    static func present(of process: SpawnedProcess) -> [String] {
        let folder = URL(fileURLWithPath: process.fileSystemRoot + ClientEnvironment.folder)
        guard let walk = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        var files: [String] = []
        while let name = walk.nextObject() as? String {
            if walk.fileAttributes?[.type] as? FileAttributeType == .typeRegular { files.append(name) }
        }
        return files.filter { $0 != DiskFiller.name }.sorted()
    }
}

extension SpawnedProcess {
    /// Returns the program that holds the client's end of a connection.
    fileprivate func owner(ofPort port: Int) -> ConnectionOwner {
        guard let process = process(withPort: port) else { return .unknown }
        return process.group == program ? .app : .daemon
    }
}
