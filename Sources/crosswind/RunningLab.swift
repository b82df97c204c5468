import ArgumentParser
import Lab

/// The option that selects a running lab.
struct RunningLab: ParsableArguments {
    @Option(help: "The lab's id, where several are running (see crosswind watch --list).")
    var lab: String?

    func open() throws -> ControlClient {
        do throws(ControlError) { return try ControlClient(lab: lab) } catch { throw RunningLab.ended(error) }
    }

    static func send(_ client: ControlClient, _ request: ControlRequest) throws -> ControlReply {
        do throws(ControlError) { return try client.send(request) } catch { throw ended(error) }
    }

    private static func ended(_ error: ControlError) -> ExitCode {
        switch error {
        case .noLab, .lost, .noPlace: stop(Status.machine, "\(error)")
        case .several, .malformed, .version: stop(Status.usage, "\(error)")
        }
    }
}
