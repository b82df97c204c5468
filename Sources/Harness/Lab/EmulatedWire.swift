import LabKernel
import LinkEmulator
import NetworkMonitor
import Scenario

/// An emulated link: its two devices and the two directions. Confined to the emulator's thread.
final class EmulatedWire {
    let kind: InterfaceKind
    let uplink: WireDirection
    let downlink: WireDirection
    /// The gate in front of both directions.
    var tracker: ConnectionTracker
    private let pair: TunPair
    /// Set when the interface of that end has been deleted in its namespace.
    private var isClientGone = false
    private var isNetworkGone = false

    init(
        _ kind: InterfaceKind, _ pair: TunPair, _ tracker: ConnectionTracker, uplink: WireDirection,
        downlink: WireDirection
    ) {
        self.tracker = tracker
        self.kind = kind
        self.pair = pair
        self.uplink = uplink
        self.downlink = downlink
    }

    subscript(direction: LinkDirectionName) -> WireDirection {
        switch direction {
        case .uplink: uplink
        case .downlink: downlink
        }
    }

    var directions: [WireDirection] { [uplink, downlink] }

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

    /// Sends a packet back to the sender of `direction`.
    @discardableResult
    func inject(_ packet: Span<UInt8>, _ direction: LinkDirectionName) throws(SystemCallError) -> Bool {
        switch direction {
        case .uplink: try deliver(packet, .complete, .downlink)
        case .downlink: try deliver(packet, .complete, .uplink)
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

/// One direction of a link.
final class WireDirection {
    let name: LinkDirectionName
    var link: LinkDirection
    var lateness: LatenessTally
    var sawFirst = false

    init(_ name: LinkDirectionName, _ link: LinkDirection) {
        self.name = name
        self.link = link
        lateness = LatenessTally(link.parameters)
    }

    /// True when single packets must be examined, so that trains have to be segmented and checksums completed first.
    var needsWirePackets: Bool { link.needsSinglePackets }

    /// Applies new parameters. Returns the packets that were on the link when it went down.
    func change(to parameters: LinkParameters, at now: LinkTime) -> [PacketFate] {
        lateness = LatenessTally(parameters)
        return link.change(to: parameters, at: now)
    }
}
