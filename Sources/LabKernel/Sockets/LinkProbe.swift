import CLinux
import Glibc
package import InternetAddresses
package import NetworkMonitor

/// Measures one direction of a link with a series of numbered UDP datagrams.
///
/// Both ends are in this process and share one clock, so each arrival gives the one-way delay of its packet.
package struct LinkProbe: ~Copyable, Sendable {
    package struct Train: Equatable, Sendable {
        package var packets: Int
        /// Length of the UDP payload; at least 16 for the number.
        package var payloadBytes: Int
        /// Nanoseconds between departures; 0 sends back to back.
        package var interval: Int64
        /// The time to wait after the last departure or arrival, in nanoseconds.
        package var patience: Int64

        package init(packets: Int, payloadBytes: Int = 64, interval: Int64 = 0, patience: Int64 = 200_000_000) {
            self.packets = max(packets, 1)
            self.payloadBytes = min(max(payloadBytes, 16), 65_000)
            self.interval = max(interval, 0)
            self.patience = max(patience, 0)
        }
    }

    package struct Arrival: Equatable, Sendable {
        package let packet: Int
        /// Nanoseconds from just before the send call to the kernel's receive stamp.
        package let delay: Int64
        /// The kernel's receive stamp in CLOCK_REALTIME nanoseconds: only differences between arrivals are meaningful.
        package let stamp: Int64

        package init(packet: Int, delay: Int64, stamp: Int64) {
            self.packet = packet
            self.delay = delay
            self.stamp = stamp
        }
    }

    package struct Measurement: Equatable, Sendable {
        package let train: Train
        /// The number of packets passed to the kernel; fewer than requested if the deadline came first.
        package let sent: Int
        /// The number of packets that the kernel refused (a full device queue, no route).
        package let refused: Int
        /// Arrivals in order; a duplicated packet appears twice.
        package let arrivals: [Arrival]
        /// Length of the IP and UDP headers of each packet.
        package let headerBytes: Int

        package init(train: Train, sent: Int, refused: Int, arrivals: [Arrival], headerBytes: Int) {
            self.train = train
            self.sent = sent
            self.refused = refused
            self.arrivals = arrivals
            self.headerBytes = headerBytes
        }

        package var distinctArrivals: Int { Set(arrivals.map(\.packet)).count }
        package var lost: Int { sent - distinctArrivals }
        package var duplicates: Int { arrivals.count - distinctArrivals }
        /// The number of arrivals that a later packet had overtaken.
        package var overtaken: Int {
            var highest = -1
            return arrivals.count { arrival in
                defer { highest = max(highest, arrival.packet) }
                return arrival.packet < highest
            }
        }
        package var delays: [Int64] { arrivals.map(\.delay).sorted() }
        package var medianDelay: Int64? { arrivals.isEmpty ? nil : delays[arrivals.count / 2] }

        /// Returns bytes per second between arrivals, counted as IP packets (an Ethernet shaper adds 14 to each).
        /// `skipping` omits the first arrivals, which a shaper's burst let through at once.
        package func receivedBytesPerSecond(skipping: Int = 0) -> Double? {
            let counted = arrivals.dropFirst(skipping)
            guard let first = counted.first?.stamp, let last = counted.last?.stamp, last > first else { return nil }
            let bytes = Double((counted.count - 1) * (train.payloadBytes + headerBytes))
            return bytes * 1e9 / Double(last - first)
        }
    }

    private let sender: OwnedDescriptor
    private let receiver: OwnedDescriptor
    private let headerBytes: Int

    /// Creates a probe. `port` 0 lets the kernel choose. `source` and `device` bind the sending end, so that the probe
    /// uses this link and no other.
    package static func make(
        from namespace: NetworkNamespace, source: IPAddress? = nil, device: String? = nil,
        to destinationNamespace: NetworkNamespace, destination: IPAddress, port: UInt16 = 0
    ) throws(SystemCallError) -> LinkProbe {
        let receiver = try destinationNamespace.bindUDP(on: SocketAddress(destination, port: port))
        let target = try receiver.localAddress()
        let sender = try namespace.connectUDP(
            to: target, from: source.map { SocketAddress($0, port: 0) }, device: device)
        try receiver.withRaw { raw throws(SystemCallError) in
            _ = try SystemCallError.check(cw_socket_stamp_arrivals(raw), "setsockopt(SO_TIMESTAMPNS)")
            // If the probe lost packets in its own socket buffer, the link would be blamed.
            _ = try SystemCallError.check(cw_socket_buffers(raw, 4 << 20, 8 << 20), "setsockopt(SO_RCVBUF)")
        }
        try sender.withRaw { raw throws(SystemCallError) in
            _ = try SystemCallError.check(cw_socket_buffers(raw, 4 << 20, 1 << 16), "setsockopt(SO_SNDBUF)")
        }
        return LinkProbe(sender: sender, receiver: receiver, headerBytes: destination.isV6 ? 48 : 28)
    }

    private init(sender: consuming OwnedDescriptor, receiver: consuming OwnedDescriptor, headerBytes: Int) {
        self.sender = sender
        self.receiver = receiver
        self.headerBytes = headerBytes
    }

    /// Sends the packets and receives until all have arrived, nothing has happened for `train.patience`, or `deadline`
    /// has come.
    package borrowing func measure(_ train: Train, until deadline: Int64) throws(SystemCallError) -> Measurement {
        var run = Run(train)
        let sending = sender.withRaw { $0 }
        let receiving = receiver.withRaw { $0 }
        var poller = try Poller.make(capacity: 2)
        try poller.add(receiving, for: .readable, token: 0)
        try poller.add(sending, for: [], token: 1)
        while true {
            try run.drain(receiving)
            var blocked = false
            while run.sends(at: MonotonicClock.now()), !blocked {
                blocked = try !run.send(sending)
                try run.drain(receiving)
            }
            if run.isComplete { break }
            let end = min(deadline, run.patienceEnds)
            if MonotonicClock.now() >= end { break }
            try poller.modify(sending, for: blocked ? .writable : [], token: 1)
            try poller.wait(until: min(end, blocked ? .max : run.nextDeparture)) { _ in }
        }
        return Measurement(
            train: train, sent: run.departures.count - run.refused, refused: run.refused, arrivals: run.arrivals,
            headerBytes: headerBytes)
    }
}

/// One measurement in progress.
private struct Run {
    let train: LinkProbe.Train
    /// Distinguishes our packets from those of an earlier measurement on the same sockets.
    let mark = UInt64.random(in: .min ... .max)
    let start = MonotonicClock.now()
    var departures: [Int64] = []
    var refused = 0
    var arrivals: [LinkProbe.Arrival] = []
    var seen: Set<Int> = []
    var lastActivity = MonotonicClock.now()
    private var payload: [UInt8]

    init(_ train: LinkProbe.Train) {
        self.train = train
        payload = [UInt8](repeating: 0, count: train.payloadBytes)
        payload.replaceSubrange(0..<8, with: mark.hostBytes)
    }

    var nextDeparture: Int64 {
        departures.count < train.packets ? start + Int64(departures.count) * train.interval : .max
    }
    var isComplete: Bool { departures.count == train.packets && seen.count + refused == train.packets }
    /// The time at which the measurement gives up; not while packets remain to be sent, because silence is normal then.
    var patienceEnds: Int64 {
        departures.count < train.packets && train.interval > 0 ? .max : lastActivity + train.patience
    }

    func sends(at now: Int64) -> Bool { departures.count < train.packets && nextDeparture <= now }

    /// Sends one packet; returns false if the socket's buffer is full.
    mutating func send(_ descriptor: CInt) throws(SystemCallError) -> Bool {
        payload.replaceSubrange(8..<16, with: UInt64(departures.count).hostBytes)
        let moment = cw_realtime_now()
        let result = unsafe cw_socket_send(descriptor, payload, payload.count)
        switch CInt(-min(result, 0)) {
        case 0: break
        case EAGAIN: return false
        // The device's queue dropped the packet, it lacks a route, or an earlier one caused an ICMP error.
        case ENOBUFS, ENETUNREACH, EHOSTUNREACH, ECONNREFUSED, EPERM, EACCES, EINVAL, ENETDOWN: refused += 1
        case let errno: throw SystemCallError(call: "send", errno: errno)
        }
        departures.append(moment)
        lastActivity = MonotonicClock.now()
        return true
    }

    mutating func drain(_ descriptor: CInt) throws(SystemCallError) {
        var buffer = [UInt8](repeating: 0, count: train.payloadBytes)
        while true {
            var stamp: Int64 = 0
            let count = unsafe cw_socket_receive_stamped(descriptor, &buffer, buffer.count, &stamp)
            if count == -Int64(EAGAIN) { return }
            try SystemCallError.check(count, "recvmsg")
            guard count == train.payloadBytes, UInt64(hostBytes: buffer[0..<8]) == mark else { continue }
            let packet = Int(UInt64(hostBytes: buffer[8..<16]))
            guard departures.indices.contains(packet) else { continue }
            if stamp == 0 { stamp = cw_realtime_now() }
            arrivals.append(.init(packet: packet, delay: stamp - departures[packet], stamp: stamp))
            seen.insert(packet)
            lastActivity = MonotonicClock.now()
        }
    }
}
