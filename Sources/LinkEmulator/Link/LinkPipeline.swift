/// The path of packets across the link of one interface: connection tracking with its packet filter and breakpoints,
/// then the emulated link, in each direction.
///
/// It decides; the caller reads packets, offers them, and performs the decisions and the actions of `release`.
///
/// It is not copyable: a copy retains about thirty buffers, which once made the packet path a fifth slower.
package struct LinkPipeline: ~Copyable, Sendable {
    /// The decision about an offered packet. The caller suspends the network at the breakpoints, records the fate, and
    /// sends the reply back to the packet's sender, in this order.
    package struct Decision: Hashable, Sendable {
        package var fate: PacketFate
        /// The reason, if the packet was dropped before the link.
        package var reason: FlowDrop?
        /// The packet that a router on the path sends back.
        package var reply: [UInt8]?
        /// The breakpoints that this packet reached.
        package var breakpoints: [LinkBreakpoint] = []
    }

    package private(set) var links: PerDirection<LinkDirection>
    /// True for a direction in which a stage decides about single packets, so that a GSO packet must be segmented
    /// before it is offered. A stored value, because asking a link would load all its 2.5 KB for each packet.
    package private(set) var needsSinglePackets = PerDirection(uplink: false, downlink: false)
    private var tracker: ConnectionTracker
    private let routers: PerDirection<ConnectionTracker.Router>

    /// Creates a pipeline.
    ///
    /// - Parameters:
    ///   - stream: distinguishes the interfaces of a run; below 2³⁰.
    ///   - routers: the sources of the ICMP errors that are sent back to the senders of a direction.
    ///   - slotSize: as for `LinkDirection`, as are the parameters after it.
    package init(
        seed: UInt64, stream: UInt64, parameters: PerDirection<LinkParameters>, breakpoints: [LinkBreakpoint] = [],
        routers: PerDirection<ConnectionTracker.Router>, slotSize: Int = 2048, longestGSOPacket: Int = 0,
        reservedSlots: Int = 4096, start: LinkTime = .zero
    ) {
        func link(_ direction: LinkDirectionName, _ stream: UInt64) -> LinkDirection {
            LinkDirection(
                seed: seed, stream: stream, parameters: parameters[direction], slotSize: slotSize,
                longestGSOPacket: longestGSOPacket, reservedSlots: reservedSlots, start: start)
        }
        links = PerDirection(uplink: link(.uplink, 2 * stream), downlink: link(.downlink, 2 * stream + 1))
        self.routers = routers
        // Connections are counted from the first packet on, because a change may end one of them by its number at any
        // time.
        tracker = ConnectionTracker(
            seed: seed, stream: stream, tracks: true, breakpoints: breakpoints, near: routers.uplink,
            far: routers.downlink)
        tracker.set(up: parameters.uplink.filter, down: parameters.downlink.filter)
        settle()
    }

    private mutating func settle() {
        let tracks = tracker.needsSinglePackets
        needsSinglePackets.uplink = tracks || links.uplink.needsSinglePackets
        needsSinglePackets.downlink = tracks || links.downlink.needsSinglePackets
    }

    /// Changes the conditions. Returns the fates of the packets that were on a link that went down.
    package mutating func change(to parameters: PerDirection<LinkParameters>, at now: LinkTime) -> PerDirection<
        [PacketFate]
    > {
        tracker.set(up: parameters.uplink.filter, down: parameters.downlink.filter)
        defer { settle() }
        return PerDirection(
            uplink: links.uplink.change(to: parameters.uplink, at: now),
            downlink: links.downlink.change(to: parameters.downlink, at: now))
    }

    /// Adds a breakpoint at the k-th packet of a direction from now. Returns its number among all packets of the
    /// direction.
    package mutating func addBreakpoint(packetsFromNow count: Int, _ direction: LinkDirectionName) -> Int {
        let number = Int(clamping: links[direction].counters.offered).addingReportingOverflow(count)
        let packet = number.overflow ? Int.max : number.partialValue
        tracker.add(LinkBreakpoint(direction: direction, place: .packet(packet)))
        settle()
        return packet
    }

    /// Decides about a packet. A GSO packet, or one with a partial checksum, may be offered only while
    /// `needsSinglePackets` is false for its direction; it counts as the packets that a wire would carry.
    package mutating func offer(
        _ packet: Span<UInt8>, _ direction: LinkDirectionName, _ offload: GSOMetadata = .complete, at now: LinkTime
    ) -> Decision {
        guard needsSinglePackets[direction] else {
            tracker.track(packet, direction)
            return Decision(fate: links[direction].offer(packet, offload, at: now))
        }
        precondition(offload == .complete, "a decision per packet needs single and complete packets")
        let offered =
            switch direction {
            case .uplink: links.uplink.counters.offered
            case .downlink: links.downlink.counters.offered
            }
        let verdict = tracker.verdict(packet, direction, index: offered + 1)
        var decision = Decision(fate: links[direction].offer(packet, isFiltered: verdict != .pass, at: now))
        switch verdict {
        case .pass:
            if case .dropped(.tooBig) = decision.fate.outcome {
                decision.reply = ICMPErrorReply.tooBig(
                    for: packet, mtu: links[direction].parameters.mtu ?? 1500, from: routers[direction].four,
                    routers[direction].six)
            }
        case .drop(let reason): decision.reason = reason
        case .reply(let reply, let reason): (decision.reply, decision.reason) = (reply, reason)
        }
        if !tracker.reachedBreakpoints.isEmpty {
            decision.breakpoints = tracker.drainReachedBreakpoints()
            settle()
        }
        return decision
    }

    /// Accepts a measurement probe, which bypasses everything but the link.
    package mutating func offerProbe(_ packet: Span<UInt8>, _ direction: LinkDirectionName, at now: LinkTime) {
        links[direction].offerProbe(packet, at: now)
    }

    /// The time of the next event; the caller sleeps until then.
    package var nextRelease: LinkTime? {
        guard let uplink = links.uplink.nextRelease else { return links.downlink.nextRelease }
        return links.downlink.nextRelease.map { min($0, uplink) } ?? uplink
    }

    /// Passes every packet of a direction that is due to `deliver`, and every packet that its queue dropped to
    /// `dropped`, as `LinkDirection.release` does.
    package mutating func release(
        _ direction: LinkDirectionName, upTo now: LinkTime, dropped: (Span<UInt8>, LateDrop) -> Void,
        _ deliver: (Span<UInt8>, ReleaseInfo) -> Void
    ) {
        links[direction].release(upTo: now, dropped: dropped, deliver)
    }

    /// Kills connection `number`, or all that are open. Returns the RSTs to send now and the connections that were
    /// killed.
    package mutating func kill(connection number: Int?, _ manner: ConnectionKill) -> (
        packets: [InjectedPacket], connections: [Int]
    ) {
        defer { settle() }
        return tracker.kill(connection: number, manner)
    }

    /// The number of connections seen so far.
    package var connections: Int { tracker.connections }

    /// Returns the figures of a direction since the last call, or since the start.
    package mutating func finishMeasurement(_ direction: LinkDirectionName, at now: LinkTime) -> LinkMeasurement {
        links[direction].finishMeasurement(at: now)
    }

    /// Returns the number and total size of the packets that wait for, or are in, transmission.
    package mutating func queueDepth(_ direction: LinkDirectionName, at now: LinkTime) -> (packets: Int, bytes: Int) {
        links[direction].queueDepth(at: now)
    }
}
