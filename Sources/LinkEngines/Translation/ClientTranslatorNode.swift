import InternetAddresses
package import LabKernel
import LinkEmulator
import NetworkMonitor
import Record
package import ScenarioLanguage

/// The client's half of 464XLAT (RFC 6877): a TUN device with 192.0.0.1 and the IPv4 default route, whose packets are
/// forwarded as IPv6.
///
/// It follows the client's IPv6 default route: each interface has an address for the translator beside the client's,
/// and packets leave with that of the interface in use, so a handover ends IPv4 connections as it ends IPv6 ones.
package final class ClientTranslatorNode {
    private let driver: TranslatorDriver
    private let netlink: NetlinkSocket
    private let defaultRoute: NetworkMonitor.Route
    private var hasDefaultRoute = false

    /// Must be created when the interfaces of the plan exist. IPv4 works after `setDefaultRoute(true)`.
    package init(
        _ plan: NAT64Plan, client: NetworkNamespace, internet: NetworkNamespace, observer: @escaping LinkObserver
    ) throws(LabError) {
        guard let prefix = NAT64Prefix(plan.prefix) else { throw .failed("\(plan.prefix) is not an RFC 6052 prefix") }
        do throws(NetlinkError) {
            let uplinks = ClientUplinks(
                client: try NetlinkSocket(in: client), internet: try NetlinkSocket(in: internet))
            let kind = try uplinks.current() ?? .wifi
            netlink = try NetlinkSocket(in: client)
            let device = TranslatorDevice(tun: try Self.makeDevice(kind, in: client, netlink))
            defaultRoute = NetworkMonitor.Route(to: .allV4, .interface(device.tun.index))
            do throws(SystemCallError) {
                // Translated packets enter the client's stack through the TUN device and leave through the interface in
                // use.
                try client.setSysctl("net/ipv6/conf/all/forwarding", "1")
                driver = try TranslatorDriver(
                    "the client's translator", ClientTranslator(uplinks, prefix, kind), on: device, in: client,
                    thread: "cw-clat", observer: observer)
            } catch {
                throw .system(error)
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    package func stop() { driver.stop() }

    /// Adds or removes the IPv4 default route. A phone stops its translator when no network has a route for the
    /// translated packets; a route that stayed would make programs believe that they are connected.
    package func setDefaultRoute(_ isPresent: Bool) throws(LabError) {
        guard isPresent != hasDefaultRoute else { return }
        do throws(NetlinkError) {
            if isPresent { try netlink.addRoute(defaultRoute) } else { try netlink.deleteRoute(defaultRoute) }
        } catch {
            throw .failed("\(error)")
        }
        hasDefaultRoute = isPresent
    }

    /// Creates the device, named as on phones: after the interface through which its packets leave.
    private static func makeDevice(
        _ kind: InterfaceKind, in client: NetworkNamespace, _ netlink: NetlinkSocket
    ) throws(NetlinkError) -> TunDevice {
        // A packet grows by 20 bytes, and by 8 more as a fragment (RFC 7915 §4).
        let tun = try TunDevice.make("v4-\(kind.linuxName)", in: client, mtu: 1500 - 28)
        let own = InterfaceEnds.address("\(CLATConfiguration.usualClient4)")
        try netlink.change(tun.index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
        try netlink.addAddress(AddressPrefix(host: own), to: tun.index)
        for kind in InterfaceKind.allCases {
            let address = InterfaceEnds.address("\(ClientUplinks.translatorAddress(on: kind))")
            try netlink.addRoute(NetworkMonitor.Route(to: AddressPrefix(host: address), .interface(tun.index)))
        }
        return tun
    }
}

/// The client's translator, with the address of the interface in use.
private struct ClientTranslator: DeviceTranslator {
    private let uplinks: ClientUplinks
    private let prefix: NAT64Prefix
    private var kind: InterfaceKind
    private var translator: CLATTranslator

    init(_ uplinks: ClientUplinks, _ prefix: NAT64Prefix, _ kind: InterfaceKind) {
        self.uplinks = uplinks
        self.prefix = prefix
        self.kind = kind
        translator = CLATTranslator(Self.configuration(prefix, kind))
    }

    private static func configuration(_ prefix: NAT64Prefix, _ kind: InterfaceKind) -> CLATConfiguration {
        // Every address of the lab is documentation space, so even the well-known prefix has to represent such
        // addresses here.
        CLATConfiguration(prefix: prefix, client6: ClientUplinks.translatorAddress(on: kind), allowsNonGlobal: true)
    }

    mutating func translate(_ packet: Span<UInt8>, into output: inout [UInt8]) {
        _ = translator.translate(packet, into: &output)
    }

    /// Follows the IPv6 default route. Without one the last address stays.
    mutating func follow() throws(SystemCallError) {
        do throws(NetlinkError) {
            guard let found = try uplinks.current(), found != kind else { return }
            kind = found
            translator.move(to: Self.configuration(prefix, kind))
        } catch {
            switch error {
            case .system(let cause): throw cause
            // A listed item was removed before it could be queried; the monitor reports that next.
            case .refused, .noSuchInterface, .missingQdisc, .unsupported: return
            }
        }
    }
}
