/// The stage in front of the link of one interface: filters packets, tracks TCP connections, cuts them and counts
/// bytes.
///
/// Without rules, breakpoints and tracking every packet passes after a single test. The decision about a packet depends
/// only on earlier packets and on the settings, never on time.
package struct FlowGate {
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
    private var filters = PerDirection(up: PacketFilter.passesAll, down: PacketFilter.passesAll)
    private var table: FlowTable
    private var marks: [WireMark] = []
    private var bytes = PerDirection<Int64>(up: 0, down: 0)
    private var isIdle = true
    private var hasCut = false
    /// True if connections are counted. Connection numbers in rules, cuts and breakpoints require this from the first
    /// packet on.
    package private(set) var isTracking: Bool
    /// Breakpoints that were reached since they were last taken.
    package private(set) var reachedMarks: [WireMark] = []

    /// Creates a gate.
    ///
    /// - Parameters:
    ///   - stream: distinguishes interfaces; below 2³¹.
    ///   - tracks: true if connections are counted from the first packet on.
    ///   - near: source of ICMP errors towards the client; `far` is the one towards the internet.
    package init(
        seed: UInt64, stream: UInt64, tracks: Bool, marks: [WireMark] = [], near: Router, far: Router,
        mostConnections: Int = 65_536
    ) {
        self.seed = seed
        self.stream = stream
        routers = PerDirection(up: near, down: far)
        table = FlowTable(capacity: mostConnections)
        self.marks = marks
        isTracking = tracks || marks.contains { $0.connection != nil }
        settle()
    }

    /// True if packets must arrive one by one: a rule or a breakpoint examines every packet, and a cut drops some.
    package var needsPerPacketDecision: Bool { !filters.up.isEmpty || !filters.down.isEmpty || !marks.isEmpty || hasCut }

    /// Replaces the rules. A direction whose rules do not change keeps its counts.
    package mutating func set(up: [FilterRule], down: [FilterRule]) {
        if up != filters.up.rules { filters.up = PacketFilter(up, seed: seed, stream: stream << 1) }
        if down != filters.down.rules { filters.down = PacketFilter(down, seed: seed, stream: stream << 1 | 1) }
        if filters.up.namesConnections || filters.down.namesConnections { isTracking = true }
        settle()
    }

    private mutating func settle() { isIdle = !isTracking && !needsPerPacketDecision }

    /// Decides about packet `index` of its direction, counted from 1.
    @inline(__always)
    package mutating func judge(_ packet: Span<UInt8>, _ direction: FlowDirection, index: UInt64) -> FlowVerdict {
        isIdle ? .pass : examine(packet, direction, index)
    }

    private mutating func examine(_ bytes: Span<UInt8>, _ direction: FlowDirection, _ index: UInt64) -> FlowVerdict {
        self.bytes[direction] += Int64(bytes.count)
        guard let packet = FlowPacket(bytes, direction) else {
            if !marks.isEmpty { reach(direction, nil) }
            return .pass
        }
        var place: Int32?
        if isTracking, let segment = packet.segment { place = table.note(segment, direction, bytes: packet.length) }
        if !marks.isEmpty { reach(direction, place) }
        if let place, let segment = packet.segment, case .cut(let manner) = table[place].state {
            let why = FlowDrop.cut(connection: table[place].number)
            guard manner.resetsSender(of: direction), let reset = ResetPacket.answering(segment, direction) else {
                return .drop(why)
            }
            return .answer(reset, why)
        }
        return filter(packet, bytes, direction, index, place)
    }

    private mutating func filter(
        _ packet: FlowPacket, _ bytes: Span<UInt8>, _ direction: FlowDirection, _ index: UInt64, _ place: Int32?
    ) -> FlowVerdict {
        let number = place.map { table[$0].number }
        guard !filters[direction].isEmpty,
            let (rule, action) = filters[direction].verdict(on: packet, connection: number, index: index)
        else { return .pass }
        let why = FlowDrop.rule(rule + 1, action)
        let answer: [UInt8]? =
            switch action {
            case .drop: nil
            case .unreachable(let reason):
                ICMPErrorReply.unreachable(reason, for: bytes, from: routers[direction].four, routers[direction].six)
            case .refuse: packet.segment.flatMap { ResetPacket.answering($0, direction) }
            }
        guard let answer else { return .drop(why) }
        if action == .refuse, let place, table[place].state == .open { table.move(place, to: .closed) }
        return .answer(answer, why)
    }

    // MARK: - Cuts

    /// Cuts connection `number`, or all that are open. Returns the RSTs to send now and the connections that were cut.
    package mutating func cut(connection number: Int?, _ manner: FlowCut) -> (packets: [InjectedPacket], connections: [Int]) {
        var packets: [InjectedPacket] = []
        var connections: [Int] = []
        for place in table.openPlaces(number: number) {
            hasCut = true
            table.move(place, to: .cut(manner))
            let flow = table[place]
            connections.append(flow.number)
            for direction in FlowDirection.allCases where manner.resetsSender(of: direction) {
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

    private mutating func reach(_ direction: FlowDirection, _ place: Int32?) {
        var position = 0
        while position < marks.count {
            let mark = marks[position]
            if mark.direction == direction, isReached(mark, place) {
                marks.remove(at: position)
                reachedMarks.append(mark)
            } else {
                position += 1
            }
        }
    }

    private func isReached(_ mark: WireMark, _ place: Int32?) -> Bool {
        guard let number = mark.connection else { return bytes[mark.direction] >= mark.bytes }
        guard let place, table[place].number == number else { return false }
        return table[place][mark.direction].bytes >= mark.bytes
    }

    /// Returns the breakpoints reached since the last call.
    package mutating func takeReachedMarks() -> [WireMark] {
        let taken = reachedMarks
        reachedMarks.removeAll(keepingCapacity: true)
        // Once the last breakpoint is gone, packets may arrive as GSO packets again.
        settle()
        return taken
    }
}
