import InternetAddresses
import Lab
import LabKernel
import LinkEmulator
import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage

/// A lab with one interface, both families, no capture and no listeners.
struct BenchLab {
    let client: NetworkNamespace
    let internet: NetworkNamespace
    let near: IPAddress
    let far: IPAddress
    /// The names of the client's and the far end's interface.
    let nearName: String
    let farName: String
    /// Keeps the link alive.
    private let lab: Lab?
    private let shell: MahimahiShell.Running?

    init(_ engine: EngineChoice, up: [LinkEffect] = [], down: [LinkEffect] = [], seed: UInt64 = 1) throws {
        let lab = try Self.make(engine, up: up, down: down, seed: seed)
        self.lab = lab
        shell = nil
        (client, internet) = (lab.client, lab.internet)
        let plan = Addressing.interface(.wifi)
        (near, far) = (try IPAddress.required(plan.client4), try IPAddress.required(plan.network4))
        (nearName, farName) = (InterfaceKind.wifi.linuxName, "\(InterfaceKind.wifi.linuxName)-isp")
    }

    static func make(
        _ engine: EngineChoice, up: [LinkEffect] = [], down: [LinkEffect] = [], seed: UInt64 = 1
    ) throws(LabError) -> Lab {
        var plan = NetworkPlan()
        let link = LinkPlan(name: "bench", downlink: Condition(down), uplink: Condition(up))
        plan.interfaces = [InterfacePlan(kind: .wifi, link: link)]
        return try Lab(plan, engine: engine, seed: seed, capture: nil, breakpoints: []) { _ in }
    }

    /// Creates a veth pair as `ip link add type veth` does, whose ends pass GSO packets whole: the kernel's own limit.
    init(plainCable: Void) throws {
        (lab, shell) = (nil, nil)
        client = try NetworkNamespace.make()
        internet = try NetworkNamespace.make()
        (near, far) = (try IPAddress.required("192.0.2.2"), try IPAddress.required("192.0.2.1"))
        (nearName, farName) = ("near0", "far0")
        let here = try NetlinkSocket(in: client)
        let there = try NetlinkSocket(in: internet)
        try here.makeVirtualEthernetPair(name: nearName, peerName: farName, peerIn: internet)
        for (netlink, name, address) in [(here, nearName, near), (there, farName, far)] {
            let index = try netlink.link(named: name).index
            try netlink.setUp(index)
            guard let prefix = AddressPrefix(address, length: 24) else { preconditionFailure("24 is a length") }
            try netlink.addAddress(prefix, to: index)
        }
        let deadline = MonotonicClock.deadline(after: 2_000_000_000)
        _ = try here.waitUntilReady(try here.link(named: nearName).index, until: deadline)
        _ = try there.waitUntilReady(try there.link(named: farName).index, until: deadline)
    }

    /// Starts one of Mahimahi's shells; its uplink leads from the client to the internet.
    init(_ mahimahi: MahimahiShell) throws {
        let shell = try mahimahi.start()
        (lab, self.shell) = (nil, shell)
        (client, internet) = (shell.inside, shell.outside)
        (near, far) = (shell.near, shell.far)
        (nearName, farName) = (shell.nearName, shell.farName)
    }

    func stop() {
        lab?.stop()
        shell?.stop()
    }
}

extension IPAddress {
    struct Unreadable: Error { let text: String }
    static func required(_ text: String) throws(Unreadable) -> IPAddress {
        guard let address = IPAddress(text) else { throw Unreadable(text: text) }
        return address
    }
}
