import InternetAddresses
package import LabKernel
import LinkEmulator
import NetworkMonitor
package import ScenarioLanguage

/// The NAT64 translator as a router of the internet namespace: one TUN device to which the prefix and the IPv4 pool are
/// routed, so it serves both link engines.
package final class TranslatorNode {
    private let driver: TranslatorDriver
    private static let deviceName = "nat64"

    package init(_ plan: NAT64Plan, in internet: NetworkNamespace, observer: @escaping LinkObserver) throws(LabError) {
        guard let prefix = NAT64Prefix(plan.prefix), let pool = IPv4Address(Addressing.translatorPool4),
            let poolRoute = AddressPrefix("\(Addressing.translatorPool4)/32"),
            let router = IPv6Address(Addressing.names6),
            let destination = AddressPrefix(plan.prefix)
        else { throw .failed("\(plan.prefix) is not an RFC 6052 prefix") }
        do throws(NetlinkError) {
            let tun = try TunDevice.make(TranslatorNode.deviceName, in: internet)
            let index = tun.index
            let netlink = try NetlinkSocket(in: internet)
            try netlink.change(index, LinkChange(isUp: true))
            try netlink.addRoute(NetworkMonitor.Route(to: destination, .interface(index)))
            try netlink.addRoute(NetworkMonitor.Route(to: poolRoute, .interface(index)))
            let device = TranslatorDevice(tun: tun)
            var timeouts = NAT64Configuration.Timeouts()
            if let established = plan.establishedTimeout { timeouts.tcpEstablished = established.wholeNanoseconds }
            // Every address of the lab is documentation space, so even the well-known prefix has to represent such
            // addresses here.
            let configuration = NAT64Configuration(
                prefix: prefix, pool: pool, router6: router, allowsNonGlobal: true, timeouts: timeouts)
            do throws(SystemCallError) {
                try internet.setSysctl("net/ipv6/conf/all/forwarding", "1")
                try internet.setSysctl("net/ipv4/conf/all/forwarding", "1")
                driver = try TranslatorDriver(
                    "the NAT64 translator", NAT64(translator: NAT64Translator(configuration)), on: device, in: internet,
                    thread: "cw-nat64", observer: observer)
            } catch {
                throw .system(error)
            }
        } catch {
            throw .failed("\(error)")
        }
    }

    package func stop() { driver.stop() }
}

private struct NAT64: DeviceTranslator {
    var translator: NAT64Translator

    mutating func translate(_ packet: Span<UInt8>, into output: inout [UInt8]) {
        _ = translator.translate(packet, at: LinkTime(nanoseconds: MonotonicClock.now()), into: &output)
    }

    /// Does nothing: the pool and the prefix stay.
    mutating func follow() {}
}
