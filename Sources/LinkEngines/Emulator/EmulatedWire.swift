import LabKernel
import LinkEmulator
import NetworkMonitor
import Record

/// An emulated link: its two devices and the path between them. Confined to the emulator's thread.
final class EmulatedWire {
    let kind: InterfaceKind
    var pipeline: LinkPipeline
    private(set) var lateness: PerDirection<LatenessTally>
    var sawFirst = PerDirection(uplink: false, downlink: false)
    private let pair: TunPair
    /// Set when the interface of that end has been deleted in its namespace.
    private var isClientGone = false
    private var isNetworkGone = false

    init(_ kind: InterfaceKind, _ pair: TunPair, _ pipeline: consuming LinkPipeline) {
        self.kind = kind
        self.pair = pair
        lateness = EmulatedWire.tallies(pipeline)
        self.pipeline = pipeline
    }

    private static func tallies(_ pipeline: borrowing LinkPipeline) -> PerDirection<LatenessTally> {
        PerDirection(
            uplink: LatenessTally(pipeline.links.uplink.parameters),
            downlink: LatenessTally(pipeline.links.downlink.parameters))
    }

    /// Counts the time that a packet of the client may have waited before it was read.
    func recordWait(_ nanoseconds: Int64, _ direction: LinkDirectionName) {
        lateness[direction].recordWait(nanoseconds)
    }

    /// Changes the conditions. Returns the packets that were on a link that went down.
    func change(to parameters: PerDirection<LinkParameters>, at now: LinkTime) -> PerDirection<[PacketFate]> {
        let fates = pipeline.change(to: parameters, at: now)
        lateness = EmulatedWire.tallies(pipeline)
        return fates
    }

    /// Returns the lateness of a direction since the last call.
    func drainLateness(_ direction: LinkDirectionName) -> LatenessTally {
        defer { lateness[direction] = LatenessTally(pipeline.links[direction].parameters) }
        return lateness[direction]
    }

    /// Releases the packets of a direction that are due; their lateness is counted. The lateness of probes does not
    /// affect the client.
    func release(
        _ direction: LinkDirectionName, upTo now: LinkTime, dropped: (Span<UInt8>, LateDrop) -> Void,
        _ deliver: (Span<UInt8>, ReleaseInfo) -> Void
    ) {
        pipeline.release(direction, upTo: now, dropped: dropped) { packet, info in
            if !info.isProbe { lateness[direction].record(info.lateness) }
            deliver(packet, info)
        }
    }

    func register(in poller: borrowing Poller, up: UInt64, down: UInt64) throws(SystemCallError) {
        try pair.client.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: up) }
        try pair.network.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: down) }
    }

    /// Returns the next packet or train in `direction`; nil when none is waiting.
    func read(
        _ direction: LinkDirectionName, into buffer: inout MutableSpan<UInt8>
    ) throws(SystemCallError) -> (count: Int, header: TunHeader)? {
        switch direction {
        case .uplink: try pair.client.read(into: &buffer)
        case .downlink: try pair.network.read(into: &buffer)
        }
    }

    /// Delivers a packet of `direction` at the far end. Returns false when that interface is down, deleted, or did not
    /// accept it.
    @discardableResult
    func deliver(_ packet: Span<UInt8>, _ header: TunHeader, _ direction: LinkDirectionName) throws(SystemCallError)
        -> Bool
    {
        switch direction {
        case .uplink: isNetworkGone ? false : try pair.network.write(packet, header)
        case .downlink: isClientGone ? false : try pair.client.write(packet, header)
        }
    }

    /// Handles the deletion of the device named in an error: the device is neither polled nor written to again. Returns
    /// its name, once.
    func lose(_ name: String, _ poller: borrowing Poller) throws(SystemCallError) -> String? {
        if name == pair.client.name, !isClientGone {
            isClientGone = true
            try pair.client.withRaw { raw throws(SystemCallError) in try poller.remove(raw) }
        } else if name == pair.network.name, !isNetworkGone {
            isNetworkGone = true
            try pair.network.withRaw { raw throws(SystemCallError) in try poller.remove(raw) }
        } else {
            return nil
        }
        return name
    }
}
