import Record
import Lab
import InternetAddresses
import LabKernel
@testable import LinkEngines
import NetworkMonitor
import ScenarioLanguage
import Testing

/// Compares with iproute2's `ip monitor` in the same namespace, an independent reader of the same messages: it must
/// print the same events of links, addresses and routes as our monitor, in the same order.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct IPMonitorTests {
    @Test(arguments: EngineAgreementLab.engines)
    func `ip monitor reports the same events as our monitor`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.wifi), InterfaceLab.perfect(.cellular, .down)])
        let reader = try IPMonitor(in: client.lab.client)
        _ = try client.events()
        var ours = try client.seeing(
            .interfaceState(.wifi, .noRoute), .interfaceState(.wifi, .noAddress), .interfaceState(.wifi, .up),
            .renumber(.wifi))
        ours += try client.seeing(
            .interfaceState(.wifi, .noCarrier), .interfaceState(.cellular, .up), .interfaceState(.wifi, .up),
            .interfaceState(.cellular, .down))
        let theirs = try reader.lines()
        #expect(ours.count > 40)
        #expect(theirs == ours.map(Self.withoutMetric))
        client.finish()
    }

    private static func withoutMetric(_ line: String) -> String {
        line.hasSuffix(" 600") || line.hasSuffix(" 700") ? String(line.dropLast(4)) : line
    }
}

/// The output of `ip monitor`, converted to the form of `InterfaceLab`.
private final class IPMonitor {
    private let program: SpawnedProcess
    private let output: LineReader
    private let netlink: NetlinkSocket
    private let loopback: CInt
    private var known: [String: (isUp: Bool, isRunning: Bool)] = [:]

    /// Returns when the program listens, which is known when it reports an address that is added and removed.
    init(in namespace: NetworkNamespace) throws {
        netlink = try NetlinkSocket(in: namespace)
        for link in try netlink.links() { known[link.name] = (link.isUp, link.isRunning) }
        loopback = try netlink.link(named: "lo").index
        program = try SpawnedProcess.start(
            SpawnRequest(
                "ip", ["-o", "monitor", "link", "address", "route"],
                environment: ["PATH": "/usr/sbin:/sbin:/usr/bin:/bin"], namespace: namespace))
        guard let pipe = program.releaseStandardOutput() else { throw Silent() }
        output = LineReader(pipe)
        let patience = MonotonicClock.deadline(after: 20_000_000_000)
        while try !seesMark("127.0.0.8", until: MonotonicClock.deadline(after: 100_000_000)) {
            guard MonotonicClock.now() < patience else { throw Silent() }
        }
    }

    struct Silent: Error {}

    private func seesMark(_ text: String, until deadline: Int64) throws -> Bool {
        try makeMark(text)
        while let line = try output.next(until: deadline) {
            if line.contains("Deleted"), line.contains("inet \(text)/") { return true }
        }
        return false
    }

    private func makeMark(_ text: String) throws {
        let mark = try #require(AddressPrefix("\(text)/32"))
        try netlink.addAddress(mark, to: loopback)
        try netlink.removeAddress(mark, from: loopback)
    }

    /// Returns all lines up to now.
    func lines() throws -> [String] {
        try makeMark("127.0.0.9")
        var lines: [String] = []
        let deadline = MonotonicClock.deadline(after: 20_000_000_000)
        while let line = try output.next(until: deadline) {
            if line.contains("Deleted"), line.contains("inet 127.0.0.9/") { break }
            if let words = words(line) { lines.append(words) }
        }
        program.kill()
        return lines
    }

    private func words(_ line: String) -> String? {
        let sign = line.hasPrefix("Deleted ") ? "-" : "+"
        var fields = line.split { $0 == " " || $0 == "\\" }.map(String.init)
        if fields.first == "Deleted" { fields.removeFirst() }
        guard let first = fields.first, !fields.contains("lo"), fields.dropFirst().first != "lo:" else { return nil }
        if ["local", "broadcast", "multicast", "anycast", "ff00::/8"].contains(first) { return nil }
        if first.hasSuffix(":"), fields.count > 3 {
            if fields[2] == "inet" || fields[2] == "inet6" { return "\(sign) \(fields[3]) \(fields[1])" }
            return link(fields)
        }
        let gateway = fields.firstIndex(of: "via").map { " via \(fields[$0 + 1])" } ?? ""
        let device = fields.firstIndex(of: "dev").map { " \(fields[$0 + 1])" } ?? ""
        return "\(sign) \(first)\(gateway)\(device)"
    }

    /// `2: wlan0@if3: <NO-CARRIER,BROADCAST,MULTICAST,UP> …`
    private func link(_ fields: [String]) -> String? {
        let name = String(fields[1].prefix { $0 != ":" && $0 != "@" })
        let flags = fields[2].dropFirst().dropLast().split(separator: ",")
        let isUp = flags.contains("UP")
        let isRunning = isUp && !flags.contains("NO-CARRIER")
        let before = known.updateValue((isUp, isRunning), forKey: name)
        var words: [String] = []
        if before?.isUp != isUp { words.append(isUp ? "up" : "down") }
        if before?.isRunning != isRunning, before?.isUp == isUp || isUp != isRunning {
            words.append(isRunning ? "running" : "not running")
        }
        return words.isEmpty ? nil : "\(name) \(words.joined(separator: ", "))"
    }
}
