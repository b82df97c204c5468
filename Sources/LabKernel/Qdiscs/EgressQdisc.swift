import CNetlink
import Glibc
package import NetworkMonitor

/// The treatment of packets that leave through an interface.
package enum EgressQdisc: Equatable, Sendable {
    /// The kernel's default for the interface.
    case none
    case tokenBucket(TokenBucketQdisc)
    /// netem; with `bottleneck`, its packets then pass a rate limit whose queue is counted in bytes.
    case netem(NetemQdisc, bottleneck: TokenBucketQdisc?)
    /// Every packet is silently dropped.
    case blackhole
}

/// Counters of a queueing discipline.
package struct QdiscStatistics: Equatable, Sendable {
    package let kind: String
    package let handle: UInt32
    package let parent: UInt32
    package let sentBytes: UInt64
    package let sentPackets: UInt64
    package let dropped: UInt64
    /// The number of times that a packet had to wait for its turn.
    package let overlimits: UInt64
    package let backlogBytes: UInt64
    package let backlogPackets: UInt64
    /// The numbers of the options that the kernel reported, to see which ones it knows.
    let optionNumbers: Set<Int>
}

extension NetlinkSocket {
    /// Sets the egress discipline of interface `index`, replacing the previous one.
    ///
    /// Packets waiting in a discipline of another kind are dropped; with the same kind they keep their scheduled time.
    package func applyEgress(_ index: CInt, _ qdisc: EgressQdisc) throws(NetlinkError) {
        switch qdisc {
        case .none:
            try removeEgress(index)
        case .tokenBucket(let bucket):
            try apply(bucket, index, parent: EgressHandle.root, handle: EgressHandle.tokenBucket)
        case .netem(let netem, let bottleneck):
            try netem.validate()
            var request = EgressHandle.replace(index, parent: EgressHandle.root, handle: EgressHandle.netem)
            request.put(Int(TCA_KIND), NetemQdisc.kind)
            // Only a root qdisc may have a size table; its children count by it as well.
            bottleneck?.putSizeTable(into: &request)
            netem.putOptions(into: &request)
            try sendQdisc(request, NetemQdisc.kind)
            if netem.seed != nil { try requireSeed(index) }
            try applyBottleneck(index, bottleneck)
        case .blackhole:
            var request = EgressHandle.replace(index, parent: EgressHandle.root, handle: EgressHandle.blackhole)
            request.put(Int(TCA_KIND), "blackhole")
            try sendQdisc(request, "blackhole")
        }
    }

    private func removeEgress(_ index: CInt) throws(NetlinkError) {
        // The default discipline has handle 0 and cannot be deleted.
        guard try egressStatistics(index).contains(where: { $0.parent == EgressHandle.root && $0.handle != 0 }) else {
            return
        }
        let header = EgressHandle.message(index, parent: EgressHandle.root, handle: 0)
        try send(NetlinkRequest(RTM_DELQDISC, header: header), "removing the egress discipline")
    }

    private func applyBottleneck(_ index: CInt, _ bottleneck: TokenBucketQdisc?) throws(NetlinkError) {
        if let bottleneck {
            try apply(bottleneck, index, parent: EgressHandle.insideNetem, handle: EgressHandle.bottleneck)
        } else if try egressStatistics(index).contains(where: { $0.handle == EgressHandle.bottleneck }) {
            let header = EgressHandle.message(index, parent: EgressHandle.insideNetem, handle: EgressHandle.bottleneck)
            try send(NetlinkRequest(RTM_DELQDISC, header: header), "removing the bottleneck")
        }
    }

    private func apply(_ bucket: TokenBucketQdisc, _ index: CInt, parent: UInt32, handle: UInt32) throws(NetlinkError) {
        var request = EgressHandle.replace(index, parent: parent, handle: handle)
        request.put(Int(TCA_KIND), TokenBucketQdisc.kind)
        if parent == EgressHandle.root { bucket.putSizeTable(into: &request) }
        bucket.putOptions(into: &request)
        try sendQdisc(request, TokenBucketQdisc.kind)
        // Reapply on every change: replacing tbf resets the limit of its child qdisc to tbf's byte limit.
        switch (bucket.discipline, bucket.queuePackets) {
        case (.dropTail, let packets?):
            try putQueue("pfifo", packets, index, bucket: handle, EgressHandle.packetQueue)
        case (.headDrop, let packets):
            try putQueue(
                "pfifo_head_drop", packets ?? EgressHandle.usualPackets, index, bucket: handle,
                EgressHandle.headDropQueue)
        case (.codel(let target, let interval), let packets):
            try putCodel(target, interval, packets ?? EgressHandle.usualPackets, index, bucket: handle)
        case (.dropTail, nil):
            let replaced = [EgressHandle.packetQueue, EgressHandle.headDropQueue, EgressHandle.codelQueue]
            if try egressStatistics(index).contains(where: { replaced.contains($0.handle) }) {
                try putQueue("bfifo", bucket.queueBytes, index, bucket: handle, EgressHandle.byteQueue)
            }
        }
    }

    private func putQueue(
        _ kind: String, _ limit: UInt32, _ index: CInt, bucket: UInt32, _ handle: UInt32
    ) throws(NetlinkError) {
        var request = EgressHandle.replace(index, parent: bucket | 1, handle: handle)
        request.put(Int(TCA_KIND), kind)
        // struct tc_fifo_qopt
        request.put(Int(TCA_OPTIONS), limit)
        try sendQdisc(request, kind)
    }

    private func putCodel(
        _ target: Int64, _ interval: Int64, _ limit: UInt32, _ index: CInt, bucket: UInt32
    ) throws(NetlinkError) {
        var request = EgressHandle.replace(index, parent: bucket | 1, handle: EgressHandle.codelQueue)
        request.put(Int(TCA_KIND), "codel")
        request.nest(Int(TCA_OPTIONS)) { options in
            options.put(Int(TCA_CODEL_TARGET), UInt32(clamping: target / 1000))
            options.put(Int(TCA_CODEL_INTERVAL), UInt32(clamping: interval / 1000))
            options.put(Int(TCA_CODEL_LIMIT), limit)
            // CoDel must drop; an ECN mark instead would be a different condition.
            options.put(Int(TCA_CODEL_ECN), UInt32(0))
        }
        try sendQdisc(request, "codel")
    }

    /// Checks that the seed took effect: kernels before 6.6 silently ignore the attribute.
    private func requireSeed(_ index: CInt) throws(NetlinkError) {
        let netem = try egressStatistics(index).first { $0.kind == NetemQdisc.kind }
        guard netem?.optionNumbers.contains(NetemQdisc.seedAttribute) == true else {
            try removeEgress(index)
            throw .unsupported(
                "a seed for netem needs Linux 6.6 or later; leave it out, or choose the link engine 'emulator'")
        }
    }

    private func sendQdisc(_ request: NetlinkRequest, _ kind: String) throws(NetlinkError) {
        do throws(NetlinkError) {
            try send(request, "setting queueing discipline \(kind)")
        } catch {
            // ENOENT: "Specified qdisc kind is unknown".
            guard case .refused(_, ENOENT, _) = error else { throw error }
            throw .missingQdisc(kind)
        }
    }

    /// Returns the disciplines of an interface, root first.
    package func egressStatistics(_ index: CInt) throws(NetlinkError) -> [QdiscStatistics] {
        let header = EgressHandle.message(index, parent: 0, handle: 0)
        return try exchange(NetlinkRequest(RTM_GETQDISC, header: header), "listing queueing disciplines", dump: true)
            .compactMap { QdiscStatistics($0, of: index) }
            .sorted { ($0.parent == EgressHandle.root ? 0 : 1) < ($1.parent == EgressHandle.root ? 0 : 1) }
    }

    /// Checks that the kernel supports `qdisc` by applying it to the loopback interface of a temporary namespace.
    package static func tryKernel(_ qdisc: EgressQdisc) throws(NetlinkError) {
        let scratch: NetworkNamespace
        do throws(SystemCallError) { scratch = try NetworkNamespace.make() } catch { throw .system(error) }
        let netlink = try NetlinkSocket(in: scratch)
        try netlink.applyEgress(try netlink.link(named: "lo").index, qdisc)
    }
}

/// One handle per kind: the kernel refuses another kind under a handle that is in use, and replaces at once under a new
/// handle.
private enum EgressHandle {
    static let root: UInt32 = 0xFFFF_FFFF  // TC_H_ROOT
    static let tokenBucket: UInt32 = 0x1_0000
    static let netem: UInt32 = 0x2_0000
    static let insideNetem: UInt32 = 0x2_0001
    static let bottleneck: UInt32 = 0x3_0000
    static let blackhole: UInt32 = 0x4_0000
    static let packetQueue: UInt32 = 0x5_0000
    static let byteQueue: UInt32 = 0x6_0000
    static let headDropQueue: UInt32 = 0x7_0000
    static let codelQueue: UInt32 = 0x8_0000
    /// Linux's default `txqueuelen`.
    static let usualPackets: UInt32 = 1000

    /// `struct tcmsg`
    static func message(_ index: CInt, parent: UInt32, handle: UInt32) -> [UInt8] {
        [UInt8(AF_UNSPEC), 0, 0, 0] + index.hostBytes + handle.hostBytes + parent.hostBytes + UInt32(0).hostBytes
    }

    static func replace(_ index: CInt, parent: UInt32, handle: UInt32) -> NetlinkRequest {
        NetlinkRequest(
            RTM_NEWQDISC, flags: NLM_F_CREATE | NLM_F_REPLACE,
            header: message(index, parent: parent, handle: handle))
    }
}

extension QdiscStatistics {
    init?(_ reply: NetlinkReply, of wanted: CInt) {
        guard reply.type == RTM_NEWQDISC, let header = reply.header(20), CInt(hostBytes: header[4..<8]) == wanted else {
            return nil
        }
        let attributes = reply.attributes(after: 20)
        kind = attributes[Int(TCA_KIND)]?.netlinkText ?? ""
        handle = UInt32(hostBytes: header[8..<12])
        parent = UInt32(hostBytes: header[12..<16])
        let groups = NetlinkReply.attributes(in: attributes[Int(TCA_STATS2)] ?? [])
        // struct gnet_stats_basic: bytes (64 bits), packets (32 bits)
        let basic = groups[Int(TCA_STATS_BASIC)] ?? []
        sentBytes = basic.count >= 12 ? UInt64(hostBytes: basic[0..<8]) : 0
        let packets = basic.count >= 12 ? UInt64(UInt32(hostBytes: basic[8..<12])) : 0
        // TCA_STATS_PKT64 (8) is present once the 32 bits have overflowed.
        sentPackets = groups[8].map { UInt64(hostBytes: $0) } ?? packets
        // struct gnet_stats_queue: qlen, backlog, drops, requeues, overlimits
        let queue = groups[Int(TCA_STATS_QUEUE)] ?? []
        func word(_ index: Int) -> UInt64 {
            queue.count >= (index + 1) * 4 ? UInt64(UInt32(hostBytes: queue[index * 4..<index * 4 + 4])) : 0
        }
        backlogPackets = word(0)
        backlogBytes = word(1)
        dropped = word(2)
        overlimits = word(4)
        // netem's options begin with a struct of 24 bytes.
        let options = attributes[Int(TCA_OPTIONS)] ?? []
        optionNumbers = kind == NetemQdisc.kind ? Set(NetlinkReply.attributes(in: options.dropFirst(24)).keys) : []
    }
}
