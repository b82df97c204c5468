import AdapterProtocol
import Foundation
import Lab
import LabKernel
import NetworkMonitor
import Conformance

/// An adapter process. Sends commands, returns output lines, and keeps the data that shows what it was doing when it
/// ended.
///
/// Confined to the run's thread; nothing here blocks.
final class AdapterProcess {
    enum Event {
        case event(SessionEvent)
        /// A line that violates the protocol; later lines cannot be trusted.
        case violation(String, line: String)
        case standardError(String)
    }

    let process: SpawnedProcess
    /// The number of this process, from 1; its events carry it.
    let generation: Int
    private let isRestartable: Bool
    private let input: OwnedDescriptor
    private let output: OwnedDescriptor
    private let errors: OwnedDescriptor
    let exit: OwnedDescriptor
    private var outgoing: [UInt8] = []
    private var sequence: UInt64 = 0
    private var order = SequenceCheck()
    private var lines = LineReader()
    private var errorLines = LineReader(limit: 64 * 1024)
    private var outputEnded = false
    private var errorsEnded = false
    /// True when the program has closed its standard input.
    private var inputEnded = false
    private var program: Int32?
    private static let accounts = TaskStatistics()
    /// The pipes that are still registered with the poller.
    private var watched: Set<UInt64> = []

    struct Tokens {
        static let output: UInt64 = 1
        static let errors: UInt64 = 2
        static let exit: UInt64 = 3
        static let input: UInt64 = 4
    }

    /// - Parameter isRestartable: True if the adapter may have several processes (`next`).
    static func start(
        _ choice: AdapterChoice, in lab: Lab, world: ClientEnvironment, isRestartable: Bool = false
    ) throws(HarnessError) -> AdapterProcess {
        do throws(SpawnError) {
            let own = world.privateFolders(
                for: choice.command, in: choice.folder ?? FileManager.default.currentDirectoryPath)
            var request = SpawnRequest(
                choice.command[0], Array(choice.command.dropFirst()), environment: own.environment,
                workingDirectory: choice.folder, namespace: lab.client, overlays: own.overlays)
            // Some implementations spin while they wait; the network and the server must run on time nevertheless.
            request.niceness = 10
            request.confinement = world.isolation.confinement
            request.isRestartable = isRestartable
            let process = try SpawnedProcess.start(request)
            do throws(SystemCallError) {
                return try AdapterProcess(process, generation: 1, isRestartable: isRestartable)
            } catch {
                throw .system(error)
            }
        } catch {
            throw .adapterWillNotStart(command: choice.command.joined(separator: " "), reason: "\(error)")
        }
    }

    /// Starts the program again, after this process has ended.
    func next() throws(HarnessError) -> AdapterProcess {
        do throws(SpawnError) {
            try process.startAgain()
            do throws(SystemCallError) {
                return try AdapterProcess(process, generation: generation + 1, isRestartable: true)
            } catch {
                throw .system(error)
            }
        } catch {
            throw .adapterWillNotStart(command: "the adapter, again", reason: "\(error)")
        }
    }

    private init(_ process: SpawnedProcess, generation: Int, isRestartable: Bool) throws(SystemCallError) {
        guard let input = process.releaseStandardInput(), let output = process.releaseStandardOutput(),
            let errors = process.releaseStandardError()
        else { preconditionFailure("a process with pipes has all three") }
        self.process = process
        self.generation = generation
        self.isRestartable = isRestartable
        self.input = input
        self.output = output
        self.errors = errors
        exit = try process.makeExitDescriptor()
        try self.input.stopBlocking()
        try self.output.stopBlocking()
        try self.errors.stopBlocking()
    }

    func register(in poller: borrowing Poller) throws(SystemCallError) {
        try output.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: Tokens.output) }
        try errors.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: Tokens.errors) }
        try exit.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: Tokens.exit) }
        try input.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: [], token: Tokens.input) }
        watched = [Tokens.output, Tokens.errors, Tokens.input]
    }

    /// Queues a command and returns its sequence number; `pump` writes it as the pipe accepts data.
    func send(_ command: AdapterCommand) -> UInt64 {
        sequence += 1
        outgoing += command.encodedLine(sequence: sequence)
        outgoing.append(UInt8(ascii: "\n"))
        return sequence
    }

    /// Writes as much as the pipe accepts; the poller then reports when it accepts more. A closed pipe shows up in the
    /// exit status.
    func pump(_ poller: borrowing Poller) throws(SystemCallError) {
        while !outgoing.isEmpty, !inputEnded {
            guard let count = try input.writeSome(outgoing[...]) else {
                inputEnded = true
                break
            }
            if count == 0 { break }
            outgoing.removeFirst(count)
        }
        if inputEnded { return try forgetEnded(poller) }
        let interest: Poller.Readiness = outgoing.isEmpty ? [] : .writable
        try input.withRaw { raw throws(SystemCallError) in try poller.modify(raw, for: interest, token: Tokens.input) }
    }

    /// Handles a poller event for standard input: it accepts more data, or its read end is closed.
    func useInput(_ readiness: Poller.Readiness, _ poller: borrowing Poller) throws(SystemCallError) {
        guard readiness.contains(.failed) else { return }
        inputEnded = true
        try forgetEnded(poller)
    }

    /// Reads the available standard output with at most `turns` reads, so that a flood does not delay timers.
    func readOutput(turns: Int = 64) throws(SystemCallError) -> [Event] {
        var happenings: [Event] = []
        for _ in 0..<turns {
            guard !outputEnded, let bytes = try output.receive() else { break }
            if bytes.isEmpty {
                outputEnded = true
                break
            }
            do throws(WireError) {
                for line in try lines.append(bytes) { happenings.append(understand(line)) }
            } catch {
                happenings.append(.violation("\(error)", line: ""))
            }
        }
        return happenings
    }

    func readErrors() throws(SystemCallError) -> [Event] {
        var happenings: [Event] = []
        for _ in 0..<16 {
            guard !errorsEnded, let bytes = try errors.receive() else { break }
            if bytes.isEmpty {
                errorsEnded = true
                break
            }
            // A line that is too long for the record is still evidence, so its beginning is kept.
            let found = (try? errorLines.append(bytes)) ?? [Array(bytes.prefix(1024))]
            happenings += found.map { .standardError(String(decoding: $0, as: UTF8.self)) }
        }
        return happenings
    }

    /// Unregisters pipes that have reached their end: such a pipe is always ready, so the poller would never sleep.
    func forgetEnded(_ poller: borrowing Poller) throws(SystemCallError) {
        if outputEnded { try forget(output, Tokens.output, poller) }
        if errorsEnded { try forget(errors, Tokens.errors, poller) }
        if inputEnded { try forget(input, Tokens.input, poller) }
    }

    /// Unregisters everything of a process that has ended and will have a successor.
    func forgetAll(_ poller: borrowing Poller) throws(SystemCallError) {
        (outputEnded, errorsEnded, inputEnded) = (true, true, true)
        try forgetEnded(poller)
        try exit.withRaw { raw throws(SystemCallError) in try poller.remove(raw) }
    }

    private func forget(_ pipe: borrowing OwnedDescriptor, _ token: UInt64, _ poller: borrowing Poller)
        throws(SystemCallError)
    {
        guard watched.remove(token) != nil else { return }
        try pipe.withRaw { raw throws(SystemCallError) in try poller.remove(raw) }
    }

    private func understand(_ line: [UInt8]) -> Event {
        let text = String(decoding: line, as: UTF8.self)
        do throws(WireError) {
            var event = try SessionEvent.decode(line: line)
            event.generation = generation
            try order.verify(event.sequence)
            return .event(event)
        } catch {
            return .violation("\(error)", line: text)
        }
    }

    /// The processor time its threads have waited for and used; nil when the kernel does not provide it or the process
    /// has ended.
    var processorUse: ProcessorUse? {
        if program == nil { program = process.program }
        return program.flatMap { AdapterProcess.accounts?.processorUse(of: $0) }
    }

    /// The unfinished last line of standard output, if any.
    var truncatedOutput: String? {
        let rest = lines.partial
        return rest.isEmpty ? nil : String(decoding: rest, as: UTF8.self)
    }

    /// The process id of the program as the host sees it; that of its parent when the program has already ended.
    var processIdentifier: Int32 { process.program ?? process.firstProcess }

    func kill() { process.kill() }

    /// Waits for the exit; returns nil when the process still runs at `deadline`.
    func wait(until deadline: Int64) throws(SystemCallError) -> ExitStatus? {
        guard isRestartable else { return try process.wait(until: deadline) }
        let isReady = try exit.withRaw { raw throws(SystemCallError) in
            try !Poller.wait(for: raw, .readable, until: deadline).isEmpty
        }
        guard isReady else { return nil }
        let status = process.receiveEnd()
        // With the daemons that it has left.
        process.kill()
        _ = try process.wait(until: deadline)
        return status
    }
}
