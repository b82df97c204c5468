package import InternetAddresses

/// The stage in front of the link of one interface: filters packets, tracks TCP connections, cuts them and counts
/// bytes.
///
/// Without rules, breakpoints and tracking every packet passes after a single test. The decision about a packet depends
/// only on earlier packets and on the settings, never on time.
package struct ConnectionTracker: ~Copyable {
    /// The source addresses of the ICMP errors sent towards one side.
    package struct Router: Hashable, Sendable {
        package var four: IPv4Address
        package var six: IPv6Address
        package init(four: IPv4Address, six: IPv6Address) {
            self.four = four
            self.six = six
        }
    }

    private let seed: UInt64
    private let stream: UInt64
    private let routers: PerDirection<Router>
    private var filters = PerDirection(uplink: PacketFilter.passesAll, downlink: PacketFilter.passesAll)
    private var table: FlowTable
    private var breakpoints: [LinkBreakpoint] = []
    private var bytes = PerDirection<Int64>(uplink: 0, downlink: 0)
    private var isIdle = true
    private var hasKilled = false
    /// True if connections are counted. Connection numbers in rules, cuts and breakpoints require this from the first
    /// packet on.
    package private(set) var isTracking: Bool
    /// Breakpoints that were reached since they were last taken.
    package private(set) var reachedBreakpoints: [LinkBreakpoint] = []

    /// Creates a tracker.
    ///
    /// - Parameters:
    ///   - stream: distinguishes interfaces; below 2³¹.
    ///   - tracks: true if connections are counted from the first packet on.
    ///   - near: source of ICMP errors towards the client; `far` is the one towards the internet.
    package init(
        seed: UInt64, stream: UInt64, tracks: Bool, breakpoints: [LinkBreakpoint] = [], near: Router, far: Router,
        mostConnections: Int = 65_536
    ) {
        self.seed = seed
        self.stream = stream
        routers = PerDirection(uplink: near, downlink: far)
        table = FlowTable(capacity: mostConnections)
        self.breakpoints = breakpoints
        isTracking = tracks || breakpoints.contains { $0.place.connection != nil }
        settle()
    }

    /// True if packets must arrive one by one: a rule or a breakpoint examines every packet, and a cut drops some.
    package var needsSinglePackets: Bool {
        !filters.uplink.isEmpty || !filters.downlink.isEmpty || !breakpoints.isEmpty || hasKilled
    }

    /// Replaces the rules. A direction whose rules do not change keeps its counts.
    package mutating func set(up: [PacketRule], down: [PacketRule]) {
        if up != filters.uplink.rules { filters.uplink = PacketFilter(up, seed: seed, stream: stream << 1) }
        if down != filters.downlink.rules { filters.downlink = PacketFilter(down, seed: seed, stream: stream << 1 | 1) }
        if filters.uplink.namesConnections || filters.downlink.namesConnections { isTracking = true }
        settle()
    }

    private mutating func settle() { isIdle = !isTracking && !needsSinglePackets }

    /// Decides about packet `index` of its direction, counted from 1.
    @inline(__always)
    package mutating func verdict(_ packet: Span<UInt8>, _ direction: LinkDirectionName, index: UInt64) -> FlowVerdict {
        isIdle ? .pass : examine(packet, direction, index)
    }

    /// Counts a packet that passes in any case, because `needsSinglePackets` is false.
    @inline(__always)
    package mutating func track(_ packet: Span<UInt8>, _ direction: LinkDirectionName) {
        if !isIdle { _ = note(packet, direction) }
    }

    /// Counts a packet; returns its fields and the place of its connection.
    private mutating func note(
        _ bytes: Span<UInt8>, _ direction: LinkDirectionName
    ) -> (packet: FlowPacket, place: Int32?)? {
        self.bytes[direction] += Int64(bytes.count)
        guard let packet = FlowPacket(bytes, direction) else { return nil }
        guard isTracking, let segment = packet.segment else { return (packet, nil) }
        return (packet, table.note(segment, direction, bytes: packet.length))
    }

    private mutating func examine(
        _ bytes: Span<UInt8>, _ direction: LinkDirectionName, _ index: UInt64
    ) -> FlowVerdict {
        let noted = note(bytes, direction)
        if !breakpoints.isEmpty { reach(direction, index, noted?.place) }
        guard let (packet, place) = noted else { return .pass }
        if let place, let segment = packet.segment, case .killed(let manner) = table[place].state {
            let why = FlowDrop.killed(connection: table[place].number)
            guard manner.resetsSender(of: direction), let reset = ResetPacket.answering(segment, direction) else {
                return .drop(why)
            }
            return .reply(reset, why)
        }
        return filter(packet, bytes, direction, index, place)
    }

    private mutating func filter(
        _ packet: FlowPacket, _ bytes: Span<UInt8>, _ direction: LinkDirectionName, _ index: UInt64, _ place: Int32?
    ) -> FlowVerdict {
        let number = place.map { table[$0].number }
        guard !filters[direction].isEmpty,
            let (rule, action) = filters[direction].verdict(on: packet, connection: number, index: index)
        else { return .pass }
        let why = FlowDrop.rule(rule + 1, action)
        let reply: [UInt8]? =
            switch action {
            case .drop: nil
            case .unreachable(let reason):
                ICMPErrorReply.unreachable(reason, for: bytes, from: routers[direction].four, routers[direction].six)
            case .refuse: packet.segment.flatMap { ResetPacket.answering($0, direction) }
            }
        guard let reply else { return .drop(why) }
        if action == .refuse, let place, table[place].state == .open { table.move(place, to: .closed) }
        return .reply(reply, why)
    }

    // MARK: - Cuts

    /// Cuts connection `number`, or all that are open. Returns the RSTs to send now and the connections that were cut.
    package mutating func kill(connection number: Int?, _ manner: ConnectionKill) -> (
        packets: [InjectedPacket], connections: [Int]
    ) {
        var packets: [InjectedPacket] = []
        var connections: [Int] = []
        for place in table.openPlaces(number: number) {
            hasKilled = true
            table.move(place, to: .killed(manner))
            let flow = table[place]
            connections.append(flow.number)
            for direction in [LinkDirectionName.uplink, .downlink] where manner.resetsSender(of: direction) {
                for reset in ResetPacket.ending(flow, forSenderOf: direction) {
                    packets.append(
                        InjectedPacket(bytes: reset, direction: direction.opposite, connection: flow.number))
                }
            }
        }
        return (packets, connections)
    }

    /// The number of connections seen so far.
    package var connections: Int { table.count }

    // MARK: - Breakpoints

    /// Adds a breakpoint while packets are already counted.
    package mutating func add(_ breakpoint: LinkBreakpoint) {
        breakpoints.append(breakpoint)
        settle()
    }

    private mutating func reach(_ direction: LinkDirectionName, _ index: UInt64, _ place: Int32?) {
        var position = 0
        while position < breakpoints.count {
            let breakpoint = breakpoints[position]
            if breakpoint.direction == direction, isReached(breakpoint, index, place) {
                breakpoints.remove(at: position)
                reachedBreakpoints.append(breakpoint)
            } else {
                position += 1
            }
        }
    }

    private func isReached(_ breakpoint: LinkBreakpoint, _ index: UInt64, _ place: Int32?) -> Bool {
        switch breakpoint.place {
        case .packet(let number): return index == UInt64(clamping: number)
        case .bytes(let count, connection: nil): return bytes[breakpoint.direction] >= count
        case .bytes(let count, connection: let number?):
            guard let place, table[place].number == number else { return false }
            return table[place][breakpoint.direction].bytes >= count
        }
    }

    /// Returns the breakpoints reached since the last call.
    package mutating func drainReachedBreakpoints() -> [LinkBreakpoint] {
        let taken = reachedBreakpoints
        reachedBreakpoints.removeAll(keepingCapacity: true)
        // Once the last breakpoint is gone, packets may arrive as GSO packets again.
        settle()
        return taken
    }
}
