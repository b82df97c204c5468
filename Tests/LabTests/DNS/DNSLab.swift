import Conformance
import InternetAddresses
import NetworkMonitor
import LabKernel
import Foundation
import NIOPosix
import Record
import ScenarioLanguage
import Synchronization
import TLSTestKit
import Testing

@testable import Lab
import LinkEngines

/// A lab with its servers, and programs inside it that resolve names through glibc, here by Python.
final class DNSLab {
    static let canRun =
        Rootless.mayAdminister && MachineCheck.networkNamespaces().isOK
        && FileManager.default.isExecutableFile(atPath: "/usr/bin/python3")

    let lab: Lab
    private let servers: LabServers
    private var environment: ClientEnvironment
    private let reported: Reported

    private final class Reported: Sendable {
        let facts = Mutex<[DNSFact]>([])
    }

    /// `network` and `dns` are written as in a scenario.
    init(_ text: String) throws {
        let scenario = try ScenarioReader.read(
            file: "names",
            text:
                "scenario: names\nproves: [ERRR-03]\nsteps:\n  - data: /hello\n    as: first\nexpect:\n  - requests: { count: 0 }\n"
                + text
        ).get()
        let reported = Reported()
        self.reported = reported
        lab = try Lab(scenario.network, engine: .auto, seed: 7, capture: nil, breakpoints: []) { _ in }
        servers = try LabServers(
            scenario: scenario, lab: lab, seed: 7, authority: try CertificateAuthority.make(commonName: "lab"),
            group: MultiThreadedEventLoopGroup.singleton,
            capture: nil,
            record: { fact in if case .name(let query) = fact { reported.facts.withLock { $0.append(query) } } })
        environment = ClientEnvironment(
            nameServers: lab.nameServerAddresses, resolver: scenario.network.dns.resolver,
            authorityPEM: servers.authorityPEM,
            authorityHash: servers.authorityHash, files: [:])
    }

    var queries: [DNSFact] { reported.facts.withLock { $0 } }

    func change(_ change: NetworkChange) throws {
        try lab.apply(change)
        try servers.change(change)
    }

    func stop() {
        servers.stop()
        lab.stop()
    }

    /// A Python program inside the lab that replies with one line to each line it gets.
    final class Session {
        private let process: SpawnedProcess
        private let input: OwnedDescriptor
        private let output: LineReader
        private var resolver: ResolverFile

        fileprivate init(_ lab: Lab, _ world: ClientEnvironment) throws {
            process = try SpawnedProcess.start(
                SpawnRequest(
                    "/usr/bin/python3", ["-u", "-c", DNSLab.program], environment: world.environment,
                    namespace: lab.client,
                    overlays: world.overlays))
            guard let input = process.releaseStandardInput(), let output = process.releaseStandardOutput() else {
                throw Ended()
            }
            self.input = input
            self.output = LineReader(output)
            resolver = world.resolverFile
        }

        func follow(_ servers: [IPAddress]) throws -> String? { try resolver.setNameServers(servers, for: process) }

        /// Sends `resolve NAME FAMILY` or `file` and returns the reply.
        func query(_ line: String) throws -> String {
            let bytes = [UInt8]((line + "\n").utf8)
            // A pipe has room for a single line.
            guard try input.writeSome(bytes[...]) == bytes.count,
                let reply = try output.next(until: MonotonicClock.deadline(after: 15_000_000_000))
            else { throw Ended() }
            return reply
        }
    }
    struct Ended: Error {}

    func session() throws -> Session { try Session(lab, environment) }

    private static let program = """
        import socket, sys, time
        families = {"any": socket.AF_UNSPEC, "4": socket.AF_INET, "6": socket.AF_INET6}
        for line in sys.stdin:
            words = line.split()
            if words[0] == "file":
                print("|".join(open("/etc/resolv.conf").read().splitlines()))
                continue
            start = time.monotonic()
            try:
                found = socket.getaddrinfo(words[1], 80, families[words[2]], socket.SOCK_STREAM)
                answer = " ".join(sorted({entry[4][0] for entry in found}))
            except socket.gaierror as error:
                answer = {socket.EAI_NONAME: "no name", socket.EAI_AGAIN: "again", socket.EAI_NODATA: "no data",
                          socket.EAI_FAIL: "failed"}.get(error.errno, str(error))
            print(f"{answer} in {int((time.monotonic() - start) * 1000)} ms")
        """
}
