import ArgumentParser
import Harness

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Try everything a run needs on this machine, and name what is missing with its mend.",
        discussion: "Exit status 3 when a run is not possible.")

    func run() throws {
        do {
            try Privilege.acquire()
        } catch {
            print("MISSING  namespaces of our own: \(error)")
            throw Status.machine
        }
        let report = Doctor.examine()
        for line in report.lines { print(line) }
        if !report.canRun { throw Status.machine }
    }
}
