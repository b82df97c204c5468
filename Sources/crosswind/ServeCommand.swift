import Lab
import Record
import Conformance
import ArgumentParser
import Foundation
import Reports
import ScenarioLanguage
import Synchronization

struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Serve a scenario's origin and proxies on this machine, for curl or a browser.",
        discussion: """
            Serves the routes, faults, TLS and proxies of the file on loopback ports. Changes of proxies in the timeline are made at \
            their moments: request N, response byte N, connection N, a moment at a proxy, or a time since the start. The network and \
            the steps are not played; changes that need them are listed at the start. Needs no root. Each request is printed as it \
            arrives; Ctrl-C stops and prints a summary.

            Example: crosswind serve Scenarios/resume/reset-at-byte.yaml --port 8080
            """)

    @Argument(help: "A scenario file.", completion: .file())
    var file: String

    @Option(help: "Port of the origin (default: any free one).")
    var port: UInt16 = 0

    @Option(help: "Its port with TLS, when the scenario has TLS (default: any free one).")
    var tlsPort: UInt16 = 0

    @Option(help: "Seed of every random decision.")
    var seed: UInt64 = 1

    @Option(help: "Write the certificate authority that clients must trust to this file.", completion: .file())
    var ca = ".crosswind/serve-ca.pem"

    func validate() throws {
        if port != 0, port == tlsPort {
            throw ValidationError("--port and --tls-port must be different")
        }
    }

    func run() throws {
        let scenario = try read()
        let start = Mutex<Int64?>(nil)
        let stopSignal = StopSignal()
        let interrupt = Interrupt { stopSignal.raise() }
        let serving = try stopping {
            try HostServing(
                ServeSettings(scenario: scenario, port: port, securePort: tlsPort, seed: seed, authorityFile: ca),
                stop: stopSignal,
                record: { entry in
                    let first = start.withLock { start in
                        start = start ?? entry.time
                        return start ?? entry.time
                    }
                    ServeCommand.log(RecordEntryFormat.line(entry, start: first))
                })
        }
        for line in ServeDescription.lines(serving.places, of: scenario) { ServeCommand.log(line) }
        try stopping { try serving.run() }
        let counts = serving.counts
        ServeCommand.log(
            "served \(counts.requests) \(counts.requests == 1 ? "request" : "requests") on \(counts.connections) "
                + (counts.connections == 1 ? "connection" : "connections"))
        withExtendedLifetime(interrupt) {}
    }

    /// Writes unbuffered, also into a pipe, because readers wait for single lines.
    static func log(_ line: String) { print(line) }

    private func read() throws -> Scenario {
        switch ScenarioReader.read(path: file) {
        case .success(let scenario): return scenario
        case .failure(let found):
            for error in found.errors { Terminal.writeError("\(error)") }
            throw Status.usage
        }
    }
}

/// The text that `serve` prints on start: addresses and example requests.
enum ServeDescription {
    static func lines(_ places: ServedEndpoints, of scenario: Scenario) -> [String] {
        var lines = ["serving \(scenario.title)"]
        lines.append("  origin   http://localhost:\(places.port)")
        if let port = places.securePort { lines.append("  TLS      https://localhost:\(port)") }
        for proxy in places.proxies { lines.append("  proxy    \(proxy.url)  (\(proxy.name))") }
        if let file = places.authorityFile { lines.append("  trust    \(file)") }
        for change in places.omitted { lines.append("  not played by serve: \(change)") }
        for route in scenario.origin.routes { lines.append("  try      \(command(route, places))") }
        lines.append("Ctrl-C stops")
        return lines
    }

    private static func command(_ route: Route, _ places: ServedEndpoints) -> String {
        let port = places.securePort ?? places.port
        let scheme = places.securePort == nil ? "http" : "https"
        let trust = places.securePort == nil ? "" : places.authorityFile.map { "--cacert \($0) " } ?? ""
        guard let host = route.host else { return "curl \(trust)\(scheme)://localhost:\(port)\(route.path)" }
        return "curl \(trust)--connect-to \(host)::localhost:\(port) \(scheme)://\(host)\(route.path)"
    }
}
