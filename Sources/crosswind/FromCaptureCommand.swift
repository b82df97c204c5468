import ArgumentParser
import Conformance
import Foundation
import Harness
import Lab
import LinkEmulator
import LinkEngines
import ScenarioLanguage

struct FromCaptureCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-capture", abstract: "Write a scenario from a real capture: its link and its server.",
        discussion: """
            FILE is a pcapng capture (tcpdump, Wireshark, Crosswind) or a HAR file (browsers, proxies). The folder gets scenario.yaml, \
            and a trace for each direction of the link in which enough data was sent to measure it: its packets arrive as in the \
            capture. The round trip comes from the TCP handshakes. Each request becomes a step, and its response a route with status, type, size \
            and the server's own time. Requests inside TLS cannot be read from packets: each such connection becomes one request.

            Headers, cookies and bodies are not copied. Parts of paths and queries that look like secrets are replaced by removed1, removed2 and so \
            on: values under names such as token, key or user, and long values of letters and digits. Read the file before you share it: names of hosts \
            and paths stay.

            Example: crosswind from-capture train.har --out train && crosswind run train/scenario.yaml --adapter python
            """)

    @Argument(help: "A pcapng or HAR file.", completion: .file())
    var file: String

    @Option(help: "The new folder; default: the name of the file without its ending, in the working directory.")
    var out: String?

    @Flag(help: "Copy response bodies of text up to 4 KiB. They may contain secrets.")
    var bodies = false

    func run() throws {
        let source = URL(fileURLWithPath: file)
        let folder = out ?? source.deletingPathExtension().lastPathComponent
        if FileManager.default.fileExists(atPath: folder) {
            throw stop(Status.usage, "\(folder) exists already; choose another folder with --out")
        }
        let traffic: CapturedTraffic
        do throws(CaptureError) {
            traffic = try CaptureFile.traffic(ofFile: file, keepsBodies: bodies)
        } catch {
            throw stop(Status.usage, "\(file): no scenario can be made of this file: \(error)")
        }
        let scenario = CaptureScenario(traffic, source: source.lastPathComponent)
        let home = try stopping { try InstallLayout.find() }
        let path = folder + "/scenario.yaml"
        try write(scenario, scenario.text(schema: NewCommand.schema(for: path, home)), to: folder)
        let (requests, routes) = (scenario.requestCount, scenario.routeCount)
        print(
            "wrote \(path): \(requests) request\(requests == 1 ? "" : "s"), \(routes) route\(routes == 1 ? "" : "s")")
        for (name, trace) in scenario.traces {
            print("wrote \(folder)/\(name): \(Int(trace.meanRate / 1000)) kbit/s on average")
        }
        print("next: crosswind run \(path) --adapter python")
    }

    /// Writes into a hidden folder beside the new one, so that a failure leaves nothing behind.
    private func write(_ scenario: CaptureScenario, _ text: String, to folder: String) throws {
        let target = URL(fileURLWithPath: folder)
        let part = target.deletingLastPathComponent()
            .appendingPathComponent(".\(target.lastPathComponent).\(ProcessInfo.processInfo.processIdentifier)")
        let files = FileManager.default
        defer { try? files.removeItem(at: part) }
        do {
            try files.createDirectory(at: part, withIntermediateDirectories: false)
            for (name, trace) in scenario.traces {
                try Data(trace.text.utf8).write(to: part.appendingPathComponent(name), options: .withoutOverwriting)
            }
            let file = part.appendingPathComponent("scenario.yaml")
            try Data(text.utf8).write(to: file, options: .withoutOverwriting)
            if case .failure(let found) = ScenarioReader.read(file: file.path, text: text) {
                Terminal.writeError(text)
                throw stop(Status.machine, "the scenario, printed above, is not valid and was not written:\n\(found)")
            }
            try files.moveItem(at: part, to: target)
        } catch let status as ExitCode {
            throw status
        } catch {
            throw stop(Status.machine, "cannot write \(folder): \(reasonText(error))")
        }
    }
}
