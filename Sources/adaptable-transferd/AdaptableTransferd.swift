import ArgumentParser
import Foundation
import Glibc
import TransferDaemon
import TransferProtocol

/// The program of the transfer daemon.
@main
struct AdaptableTransferd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: TransferPlaces.daemonName,
        abstract: "Does the transfers of background sessions, also while their programs do not run.",
        discussion: """
            Programs with a background session start it by themselves. One daemon runs for each user. Its socket is below \
            XDG_RUNTIME_DIR, its store and its log are below XDG_STATE_HOME; \(TransferPlaces.socketVariable) and \
            \(TransferPlaces.stateVariable) replace these places.
            """)

    @Flag(help: "Start the daemon in a session of its own and return once it listens.")
    var detach = false

    @Flag(help: .hidden)
    var ownSession = false

    @Option(help: "End after this number of seconds without work. With --detach 60, otherwise without an end.")
    var idleExit: Double?

    @Flag(help: .hidden)
    var mutants = false

    @Option(help: .hidden)
    var mutant: String?

    func run() throws {
        if mutants { return print(try DaemonMutant.all.map { try $0.line }.joined(separator: "\n")) }
        let places = TransferPlaces.own
        if detach { return try startDetached(places) }
        if ownSession { _ = setsid() }
        let text = ProcessInfo.processInfo.environment[TransferClock.variable]
        guard let clock = text.map({ TransferClock($0) }) ?? .machine else {
            throw ValidationError("\(TransferClock.variable) is not understood: \(text ?? "")")
        }
        let outcome = try DaemonProgram.run(
            places, clock: clock, idleLimit: idleExit.map { .seconds($0) }, policies: try policies,
            listening: { if ownSession { Self.closeErrors() } })
        if case .alreadyRuns = outcome {
            print("A daemon already runs for \(places.state).")
        }
    }

    /// Those of a mutant, if one was chosen.
    private var policies: DaemonPolicies {
        get throws {
            var policies = DaemonPolicies()
            guard let mutant else { return policies }
            guard let chosen = DaemonMutant.all.first(where: { $0.name == mutant }) else {
                throw ValidationError("cannot find the mutant \(mutant)")
            }
            chosen.change(&policies)
            return policies
        }
    }

    /// Replaces standard error by /dev/null. The process that started this one does not read it any more, and a launched
    /// program that inherited a pipe without a reader would be ended by what it writes.
    private static func closeErrors() {
        let nothing = unsafe open("/dev/null", O_WRONLY | O_CLOEXEC)
        guard nothing >= 0 else { return }
        dup2(nothing, STDERR_FILENO)
        close(nothing)
    }

    /// Starts this program again without ties to the one that starts it.
    private func startDetached(_ places: TransferPlaces) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments =
            ["--own-session", "--idle-exit", "\(idleExit ?? 60)"] + (mutant.map { ["--mutant", $0] } ?? [])
        process.currentDirectoryURL = URL(fileURLWithPath: "/")
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        let errors = Pipe()
        process.standardError = errors
        try process.run()
        let deadline = Date().addingTimeInterval(10)
        while Date() < deadline {
            if (try? LocalSocket.connect(to: places.socket)) != nil { return }
            // Status 0: another daemon was faster, and listens soon.
            if !process.isRunning, process.terminationStatus != 0 {
                try? FileHandle.standardError.write(contentsOf: errors.fileHandleForReading.readDataToEndOfFile())
                throw ExitCode.failure
            }
            usleep(10_000)
        }
        throw ValidationError("The daemon does not listen at \(places.socket); see \(places.state)/log.")
    }
}
