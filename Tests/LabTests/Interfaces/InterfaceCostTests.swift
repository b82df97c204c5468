import Record
import Lab
import LabKernel
@testable import LinkEngines
import NetworkMonitor
import ScenarioLanguage
import Testing

/// Linux lacks an attribute for "metered", so the lab sets the interface's alias: visible in netlink, and in /sys for
/// programs that only read files.
@Suite(
    .serialized,
    .enabled(if: EngineAgreementLab.canBuild, "needs network namespaces and TUN devices: see crosswind doctor"))
struct InterfaceCostTests {
    @Test(arguments: EngineAgreementLab.engines)
    func `cellular is expensive by default`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.wifi), InterfaceLab.perfect(.cellular)])
        let netlink = try NetlinkSocket(in: client.lab.client)
        #expect(try netlink.link(named: "wwan0").alias == "expensive")
        #expect(try netlink.link(named: "wlan0").alias == "")
        #expect(client.changes(of: .cellular) == ["marked expensive"])
        #expect(client.changes(of: .wifi) == [])
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `a change is reported to monitors at once`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine)
        let both = InterfaceCost(isExpensive: true, isConstrained: true)
        try client.expect(.cost(.wifi, both), reports: ["wlan0 alias 'expensive constrained'"])
        try client.expect(.cost(.wifi, InterfaceCost(isConstrained: true)), reports: ["wlan0 alias 'constrained'"])
        try client.expect(.cost(.wifi, InterfaceCost()), reports: ["wlan0 alias ''"])
        #expect(client.changes(of: .wifi) == ["marked expensive constrained", "marked constrained", "no marks"])
        client.finish()
    }

    /// Without an alias, programs take a cellular interface for expensive.
    @Test(arguments: EngineAgreementLab.engines)
    func `a cellular interface says that it is not expensive`(engine: EngineChoice) throws {
        var cheap = InterfaceLab.perfect(.cellular)
        cheap.cost = InterfaceCost()
        let client = try InterfaceLab(engine, [cheap])
        #expect(try NetlinkSocket(in: client.lab.client).link(named: "wwan0").alias == "inexpensive")
        #expect(client.changes(of: .cellular) == ["marked inexpensive"])
        client.finish()
    }

    @Test(arguments: EngineAgreementLab.engines)
    func `an adapter can read the marks`(engine: EngineChoice) throws {
        let client = try InterfaceLab(engine, [InterfaceLab.perfect(.cellular)])
        let python = try SpawnedProcess.start(
            SpawnRequest(
                "python3", ["-c", "print(open('/sys/class/net/wwan0/ifalias').read().split())"],
                environment: ["PATH": "/usr/bin:/bin"], namespace: client.lab.client))
        guard let pipe = python.releaseStandardOutput() else {
            Issue.record("the program has a standard output")
            return
        }
        let output = LineReader(pipe)
        #expect(try output.next(until: MonotonicClock.deadline(after: 20_000_000_000)) == "['expensive']")
        client.finish()
    }
}
