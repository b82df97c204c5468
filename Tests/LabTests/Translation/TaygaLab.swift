import InternetAddresses
import NetworkMonitor
import LabKernel

/// Runs tayga, a stateless NAT64, in a namespace of its own, and observes its input and output.
///
/// Packets reach it by routing from a TUN device of the test; a packet socket on tayga's own device sees exactly the
/// bytes that it reads and writes, so the hop in between does not matter.
struct TaygaLab: ~Copyable {
    static let canBuild = Rootless.mayAdminister && MachineCheck.networkNamespaces().isOK && MachineCheck.tun().isOK

    private let feed: TunDevice
    private let seen: PacketSocket
    private let program: SpawnedProcess
    private var poller: Poller
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var markers = 0

    /// Returns a configuration with the prefix, the translator's own addresses, and the one host that it represents.
    static func configuration(prefix: String, own4: String, own6: String, host4: String, host6: String) -> String {
        """
        tun-device nat64
        ipv4-addr \(own4)
        ipv6-addr \(own6)
        prefix \(prefix)
        map \(host4) \(host6)

        """
    }

    struct Failure: Error { let reason: String }

    /// `routed` are the destinations of packets for the translator; its output is not forwarded anywhere.
    static func make(_ configuration: String, routed: [String]) throws -> TaygaLab {
        let namespace = try NetworkNamespace.make()
        for setting in ["net/ipv4/conf/all/forwarding", "net/ipv6/conf/all/forwarding"] {
            try namespace.setSysctl(setting, "1")
        }
        for setting in ["all", "default"] { try namespace.setSysctl("net/ipv4/conf/\(setting)/rp_filter", "0") }
        var monitor = try NetlinkMonitor.make(in: namespace)
        let netlink = try NetlinkSocket(in: namespace)
        // Longer than any packet of the test, so that the kernel in between neither fragments packets nor reports
        // errors.
        let feed = try TunDevice.make("feed", in: namespace, mtu: 9000)
        try netlink.change(feed.index, LinkChange(isUp: true, makesNoIPv6Addresses: true))
        let program = try SpawnedProcess.start(
            SpawnRequest(
                "tayga", ["--nodetach", "--config", path], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"],
                namespace: namespace, overlays: [.file(path: path, contents: Array(configuration.utf8))]))
        let deadline = MonotonicClock.deadline(after: 20_000_000_000)
        var index: CInt?
        while index == nil {
            guard let event = try monitor.next(until: deadline) else {
                throw Failure(reason: "tayga did not create a device")
            }
            if case .link(let link, _) = event, link.name == "nat64" { index = link.index }
        }
        guard let index else { throw Failure(reason: "tayga did not create a device") }
        try netlink.change(index, LinkChange(isUp: true, mtu: 1500, makesNoIPv6Addresses: true))
        for text in routed {
            guard let prefix = AddressPrefix(text) else { throw Failure(reason: "\(text) is not a prefix") }
            try netlink.addRoute(Route(to: prefix, .interface(index)))
        }
        try netlink.addRoute(Route(to: .allV4, .blackhole))
        try netlink.addRoute(Route(to: .allV6, .blackhole))
        let seen = try PacketSocket.make(index, in: namespace)
        let poller = try Poller.make()
        try seen.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: 0) }
        return TaygaLab(feed: feed, seen: seen, program: program, poller: poller)
    }

    /// The distribution's configuration file, replaced for this process only.
    static let path = "/etc/tayga.conf"

    private init(
        feed: consuming TunDevice, seen: consuming PacketSocket, program: SpawnedProcess, poller: consuming Poller
    ) {
        self.feed = feed
        self.seen = seen
        self.program = program
        self.poller = poller
    }

    deinit { program.kill() }

    struct Exchange {
        /// Empty when the kernel in between considered the packet invalid.
        var given: [[UInt8]] = []
        var made: [[UInt8]] = []
    }

    /// Sends a packet through tayga and returns what reached tayga and all its output. tayga processes one packet at a
    /// time, so everything before the following marker belongs to the packet. Markers are datagrams that it always
    /// translates.
    mutating func exchange(_ packet: [UInt8], marker: (Int) -> [UInt8]) throws -> Exchange {
        markers += 1
        let end = TranslationTraffic.magic + PacketForge.four(markers)
        guard try feed.write(packet.span), try feed.write(marker(markers).span) else {
            throw Failure(reason: "the feed is full")
        }
        var exchange = Exchange()
        let deadline = MonotonicClock.deadline(after: 20_000_000_000)
        while true {
            guard let found = try seen.receive(into: &buffer) else {
                guard try poller.wait(until: deadline, { _ in }) > 0 else {
                    throw Failure(reason: "tayga did not return the marker")
                }
                continue
            }
            guard found.isIP else { continue }
            let bytes = Array(buffer.prefix(found.length))
            let isMarker = bytes.suffix(end.count).elementsEqual(end)
            switch (found.isOutgoing, isMarker) {
            case (true, true): continue
            case (true, false): exchange.given.append(bytes)
            case (false, true): return exchange
            case (false, false): exchange.made.append(bytes)
            }
        }
    }
}
