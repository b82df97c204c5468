import ArgumentParser
import Harness
import Lab

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check that this machine can run scenarios, and print a fix for anything missing.",
        discussion: "Exit status 3 when a run is not possible.")

    func run() throws {
        do {
            try Privilege.acquire()
        } catch {
            print("MISSING  namespaces: \(error)")
            throw Status.machine
        }
        let report = Doctor.examine()
        for line in report.lines { print(line) }
        if !report.canRun { throw Status.machine }
    }
}
