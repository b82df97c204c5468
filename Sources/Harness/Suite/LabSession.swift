import Foundation
import LinuxNet
import NIOPosix
import OpenSSLTLS
package import Scenario

/// A lab with an origin for somebody's own program, in the foreground.
package enum LabSession {
    /// Returns the program's exit status as a shell would.
    package static func perform(
        profile: LinkProfile, interface: InterfaceKind, engine: EngineChoice, seed: UInt64, capture path: String?,
        command: [String], say: @escaping @Sendable (String) -> Void
    ) throws(HarnessError) -> Int32 {
        let scenario = scenario(profile, interface)
        let capture = try path.map { path throws(HarnessError) in try Capture.create(at: path) }
        defer { capture?.close(keep: true) }
        let lab = try Lab(
            scenario.network, engine: engine, seed: seed, capture: capture, marks: [],
            observer: { observation in
                switch observation {
                case .fact(.conditionMeasured(let kind, let direction, let measured)):
                    say("\(kind.linuxName) \(direction.rawValue): \(measured.text)")
                case .failed(let reason): say(reason)
                case .fact, .packetMark: break
                }
            })
        defer { lab.stop() }
        let authority: CertificateAuthority
        do throws(TLSError) { authority = try CertificateAuthority.make(commonName: "Crosswind lab") } catch {
            throw .origin("\(error)")
        }
        let servers = try LabServers(
            scenario: scenario, lab: lab, seed: seed, authority: authority, group: MultiThreadedEventLoopGroup.singleton,
            capture: capture, record: { _ in })
        defer { servers.stop() }
        try lab.probe()
        say("origin up at http://\(Addressing.defaultHost)/ and https://\(Addressing.defaultHost)/ (any name); see crosswind exec --help")
        let status = try start(command, lab, servers)
        lab.report()
        return status
    }

    private static func start(_ command: [String], _ lab: Lab, _ servers: LabServers) throws(HarnessError) -> Int32 {
        let world = ClientWorld(
            nameServers: lab.nameServerAddresses, authorityPEM: servers.authorityPEM,
            authorityHash: servers.authorityHash, files: [:])
        do throws(SpawnError) {
            let process = try SpawnedProcess.start(
                SpawnRequest(
                    command[0], Array(command.dropFirst()), environment: world.environment,
                    workingDirectory: FileManager.default.currentDirectoryPath, namespace: lab.client,
                    overlays: world.overlays, streams: .inherited))
            do throws(SystemCallError) {
                return try process.wait()?.shellStatus ?? 1
            } catch {
                throw .system(error)
            }
        } catch {
            throw .adapterWillNotStart(command: command.joined(separator: " "), reason: "\(error)")
        }
    }

    private static func scenario(_ profile: LinkProfile, _ kind: InterfaceKind) -> Scenario {
        var scenario = Scenario(file: "exec", id: "exec", title: "exec")
        scenario.network.interfaces = [
            InterfacePlan(kind: kind, link: LinkPlan(name: profile.name, down: profile.down, up: profile.up))
        ]
        scenario.network.names.rules = [NameRule(host: "*", answer: .origin)]
        var hello = Resource(body: .text("hello\n"))
        hello.contentType = "text/plain"
        var big = Resource(body: .pattern(ByteCount(1 << 20) ?? .zero))
        big.etag = "\"v1\""
        let slow = Resource(body: .pattern(ByteCount(64 << 10) ?? .zero))
        var secret = Route(path: "/private", content: .resource(Resource(body: .text("secret\n"))))
        secret.authentication = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw", realm: "lab")
        scenario.origin.routes = [
            Route(path: "/hello", content: .resource(hello)), Route(path: "/big", content: .resource(big)),
            Route(path: "/slow", content: .resource(slow)), Route(path: "/echo", content: .echo),
            Route(path: "/redirect", content: .redirect(status: 302, to: "/hello")), secret,
        ]
        if let rate = BitRate(bitsPerSecond: 64_000) {
            scenario.origin.faults = [Fault(point: .responseBody(0), effect: .throttle(rate), scope: .init(path: "/slow"))]
        }
        scenario.origin.tls = TLSPlan()
        return scenario
    }
}
