import Glibc
import InternetAddresses
import LabKernel
import NetworkMonitor
import Testing

/// Tests that change the kernel's state run one after another: some of them count descriptors and mounts of this process.
@Suite(.serialized, .enabled(if: Machine.makesNamespaces, "needs root or user namespaces (Rootless.reenterIfNeeded)"))
struct KernelTests {}

/// The capabilities of this machine, each determined by trying it once.
enum Machine {
    static let makesNamespaces = Rootless.mayAdminister && MachineCheck.networkNamespaces().isOK
    static let spawns = makesNamespaces && MachineCheck.processNamespaces().isOK && MachineCheck.privateMounts().isOK
    static let hasTUN = makesNamespaces && MachineCheck.tun().isOK
    static let hasNetem =
        makesNamespaces && MachineCheck.qdisc("netem", required: false, .netem(.init(), bottleneck: nil)).isOK
    static let hasTokenBucket =
        makesNamespaces
        && MachineCheck.qdisc(
            "tbf", required: false,
            .tokenBucket(.init(bytesPerSecond: 1_000_000, burstBytes: 2_000, queueBytes: 10_000))
        ).isOK
    static let hasHeadDrop = hasTokenBucket && hasQueue(.headDrop)
    static let hasCoDel = hasTokenBucket && hasQueue(.codel(target: 5_000_000, interval: 100_000_000))

    private static func hasQueue(_ discipline: TokenBucketQdisc.Discipline) -> Bool {
        let bucket = TokenBucketQdisc(
            bytesPerSecond: 1_000_000, burstBytes: 2_000, queueBytes: 10_000, queuePackets: 10, discipline: discipline)
        return MachineCheck.qdisc("tbf", required: false, .tokenBucket(bucket)).isOK
    }
}

/// The entries of a directory of /proc.
func listing(_ path: String) -> [String] {
    guard let directory = unsafe opendir(path) else { return [] }
    defer { unsafe closedir(directory) }
    var names: [String] = []
    while let entry = unsafe readdir(directory) {
        let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
            String(decoding: unsafe Array(bytes).prefix { $0 != 0 }, as: UTF8.self)
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names
}

func link(_ path: String) -> String {
    var buffer = [CChar](repeating: 0, count: 512)
    let count = unsafe readlink(path, &buffer, buffer.count)
    return String(decoding: buffer.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
}

func contents(_ path: String) -> String {
    let raw = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard raw >= 0 else { return "" }
    return text(OwnedDescriptor(adopting: raw))
}

/// Returns the descriptor or throws; `#require` does not accept noncopyable values.
func taken(_ descriptor: consuming OwnedDescriptor?) throws -> OwnedDescriptor {
    guard let descriptor else { throw NothingThere() }
    return descriptor
}

struct NothingThere: Error {}

/// Reads everything up to the end of a pipe or file.
func text(_ descriptor: consuming OwnedDescriptor?) -> String {
    guard let descriptor else { return "" }
    var bytes: [UInt8] = []
    while let part = try? descriptor.receive(), !part.isEmpty { bytes += part }
    return String(decoding: bytes, as: UTF8.self)
}

/// The descriptors of this process, except the one that is listing them.
func openDescriptors() -> [String] {
    listing("/proc/self/fd").map { link("/proc/self/fd/\($0)") }.filter { !$0.hasSuffix("/fd") }.sorted()
}

func milliseconds(_ count: Int64) -> Int64 { count * 1_000_000 }

/// Polls until the condition is true, for work that the kernel completes shortly after a call returns.
func eventually(within limit: Int64 = 5_000_000_000, _ isTrue: () -> Bool) -> Bool {
    let deadline = MonotonicClock.deadline(after: limit)
    while !isTrue() {
        if MonotonicClock.now() > deadline { return false }
        sched_yield()
    }
    return true
}

/// Two namespaces connected by a veth pair, with IPv4 and IPv6 and a default route on the near side.
struct Cable {
    static let near4 = IPAddress.v4(0x0A00_0001)
    static let far4 = IPAddress.v4(0x0A00_0002)
    static let near6 = IPAddress.v6(high: 0xFD00_0000_0000_0000, low: 1)
    static let far6 = IPAddress.v6(high: 0xFD00_0000_0000_0000, low: 2)

    let near: NetworkNamespace
    let far: NetworkNamespace
    let nearNetlink: NetlinkSocket
    let farNetlink: NetlinkSocket
    let nearIndex: CInt
    let farIndex: CInt

    init() throws {
        near = try NetworkNamespace.make()
        far = try NetworkNamespace.make()
        nearNetlink = try NetlinkSocket(in: near)
        farNetlink = try NetlinkSocket(in: far)
        try nearNetlink.makeVirtualEthernetPair(name: "wlan0", peerName: "out0", peerIn: far)
        nearIndex = try nearNetlink.link(named: "wlan0").index
        farIndex = try farNetlink.link(named: "out0").index
        // No link-local addresses: the kernel would add them at an unpredictable time.
        try nearNetlink.change(nearIndex, LinkChange(makesNoIPv6Addresses: true))
        try farNetlink.change(farIndex, LinkChange(makesNoIPv6Addresses: true))
        // Both ends go up before any address: the other way round IPv6 takes a second to settle.
        try nearNetlink.setUp(nearIndex)
        try farNetlink.setUp(farIndex)
        for (netlink, index, addresses) in [
            (nearNetlink, nearIndex, [Cable.near4, Cable.near6]), (farNetlink, farIndex, [Cable.far4, Cable.far6]),
        ] {
            for address in addresses {
                let prefix = try #require(AddressPrefix(address, length: address.isV6 ? 64 : 24))
                try netlink.addAddress(prefix, to: index)
            }
        }
        try nearNetlink.addRoute(Route(to: .allV4, .gateway(Cable.far4, interface: nearIndex, onLink: false)))
        try nearNetlink.addRoute(Route(to: .allV6, .gateway(Cable.far6, interface: nearIndex, onLink: false)))
        let deadline = MonotonicClock.deadline(after: milliseconds(5_000))
        try #require(try nearNetlink.waitUntilReady(nearIndex, until: deadline))
        try #require(try farNetlink.waitUntilReady(farIndex, until: deadline))
    }

    func probe(_ destination: IPAddress = Cable.far4) throws -> LinkProbe {
        try LinkProbe.make(from: near, device: "wlan0", to: far, destination: destination)
    }
}
