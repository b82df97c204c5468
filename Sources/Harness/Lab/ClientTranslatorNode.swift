import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

/// The client's half of 464XLAT (RFC 6877): a TUN device with 192.0.0.1 and the IPv4 default route, whose packets are
/// forwarded as IPv6.
///
/// It follows the client's IPv6 default route: each interface has an address for the translator beside the client's,
/// and packets leave with that of the interface in use, so a handover ends IPv4 connections as it ends IPv6 ones.
final class ClientTranslatorNode {
    private let waker: StopWaker
    private let thread: DedicatedThread

    /// Must be created when the interfaces of the plan exist. IPv4 works when this returns.
    init(
        _ plan: NAT64Plan, client: NetworkNamespace, internet: NetworkNamespace, observer: @escaping LinkObserver
    ) throws(HarnessError) {
        guard let prefix = NAT64Prefix(plan.prefix) else { throw .lab("\(plan.prefix) is not an RFC 6052 prefix") }
        do throws(NetlinkError) {
            let uplinks = ClientUplinks(
                client: try NetlinkSocket(in: client), internet: try NetlinkSocket(in: internet))
            let kind = try uplinks.current() ?? .wifi
            let device = TranslatorDevice(tun: try Self.makeDevice(kind, in: client))
            do throws(SystemCallError) {
                // Translated packets enter the client's stack through the TUN device and leave through the interface in
                // use.
                try client.setSysctl("net/ipv6/conf/all/forwarding", "1")
                let waker = try StopWaker()
                self.waker = waker
                // A monitor reports only changes after its creation, so the thread reads the state again when it has
                // one.
                thread = try DedicatedThread(name: "cw-clat") {
                    let translation = ClientTranslation(device, uplinks, prefix, kind)
                    do throws(NetlinkError) { try translation.run(in: client, until: waker) } catch {
                        observer(.failed("the client's translator stopped: \(error)"))
                    }
                }
            } catch {
                throw .system(error)
            }
        } catch {
            throw .lab("\(error)")
        }
    }

    deinit { waker.wake() }

    func stop() { waker.wake() }

    /// Creates the device, named as on phones: after the interface through which its packets leave.
    private static func makeDevice(_ kind: InterfaceKind, in client: NetworkNamespace) throws(NetlinkError) -> TunDevice
    {
        // A packet grows by 20 bytes, and by 8 more as a fragment (RFC 7915 §4).
        let tun = try TunDevice.make("v4-\(kind.linuxName)", in: client, mtu: 1500 - 28)
        let netlink = try NetlinkSocket(in: client)
        let own = InterfaceEnds.address("\(CLATConfiguration.usualClient4)")
        try netlink.change(tun.index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
        try netlink.addAddress(AddressPrefix(host: own), to: tun.index)
        try netlink.addRoute(NetworkMonitor.Route(to: .allV4, .interface(tun.index)))
        for kind in InterfaceKind.allCases {
            let address = InterfaceEnds.address("\(ClientUplinks.translatorAddress(on: kind))")
            try netlink.addRoute(NetworkMonitor.Route(to: AddressPrefix(host: address), .interface(tun.index)))
        }
        return tun
    }
}

/// Stops the translator's thread.
final class StopWaker: Sendable {
    private let waker: Waker
    init() throws(SystemCallError) { waker = try Waker.make() }
    func wake() { waker.wake() }
    func register(in poller: borrowing Poller, token: UInt64) throws(SystemCallError) {
        try waker.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
    }
}
