import ScenarioLanguage
import Dispatch
import InternetAddresses
import LabKernel
import LinkEmulator
import NetworkMonitor
import Record

/// The emulator's loop, confined to its thread: waits for packets, orders and due times, and handles them.
final class PumpLoop {
    let mailbox: CommandQueue
    let observer: LinkObserver
    let capture: Capture?
    let decisions: DecisionRecorder
    private let seed: UInt64
    private let breakpoints: [PacketBreakpoint]
    var barrier = TriggerBarrier()
    private var poller: Poller
    private var waitStrategy: WaitStrategy
    var wires: [EmulatedWire] = []
    var factsLeft = PumpLoop.mostPacketFacts
    var segmenter = GSOSegmenter(longest: PumpLoop.longestGSOPacket)
    var coalescer = GROCoalescer()
    private(set) var isRunning = true
    /// The time when the devices were last read, and the delay of that read, in nanoseconds.
    private var lastLook = MonotonicClock.now()
    private(set) var lookedLate: Int64 = 0

    /// The interval in nanoseconds after which the devices are read even without an event. The arrival time of a packet
    /// is that of its read, so only a late read shows that packets have been waiting.
    private static let lookInterval: Int64 = 50_000_000
    /// The longest train that the kernel builds from one flow: 64 KiB after an IPv6 header.
    static let longestGSOPacket = 65_600
    /// TUN devices have an MTU of 1500; the buffer has some reserve.
    private static let longestPacket = 2048
    /// Maximum number of recorded packet facts, so that a flood of lost packets does not fill the disk; further ones
    /// are only counted.
    private static let mostPacketFacts = 20_000
    static let wakerToken = UInt64.max

    init(
        mailbox: CommandQueue, poller: consuming Poller, spare: consuming IdleCPUProbe, seed: UInt64, capture: Capture?,
        breakpoints: [PacketBreakpoint], decisions: DecisionRecorder, observer: @escaping LinkObserver
    ) {
        self.mailbox = mailbox
        self.observer = observer
        self.capture = capture
        self.decisions = decisions
        self.seed = seed
        self.breakpoints = breakpoints
        self.poller = poller
        waitStrategy = WaitStrategy(spare: spare)
    }

    func run() throws(SystemCallError) {
        var ready: [UInt64] = []
        var buffer = [UInt8](repeating: 0, count: PumpLoop.longestGSOPacket)
        while isRunning {
            if barrier.isHeld {
                try pauseAtBreakpoint()
                lastLook = MonotonicClock.now()
                continue
            }
            ready.removeAll(keepingCapacity: true)
            let due = lastLook + PumpLoop.lookInterval
            try waitStrategy.wait(in: &poller, until: min(nextRelease, due)) { ready.append($0.token) }
            lastLook = MonotonicClock.now()
            lookedLate = max(0, lastLook - due)
            for token in ready {
                switch token {
                case PumpLoop.wakerToken: try processCommands()
                default:
                    let wire = wires[Int(token >> 1)]
                    try isolatingErrors(on: wire) { () throws(SystemCallError) in
                        try read(from: wire, token & 1 == 0 ? .uplink : .downlink, &buffer)
                    }
                }
            }
            for wire in wires { try isolatingErrors(on: wire) { () throws(SystemCallError) in try release(wire) } }
        }
    }

    var nextRelease: Int64 {
        var next = Int64.max
        for wire in wires {
            if let release = wire.pipeline.nextRelease { next = min(next, release.nanoseconds) }
        }
        return next
    }

    /// Runs `body` and handles the deletion of an interface in its namespace, which is possible at any time; the other
    /// links continue.
    func isolatingErrors(on wire: EmulatedWire, _ body: () throws(SystemCallError) -> Void) throws(SystemCallError) {
        do throws(SystemCallError) { try body() } catch {
            guard error.deviceHasDisappeared, let name = error.context else { throw error }
            if let lost = try wire.lose(name, poller) {
                observer(.fact(.interfaceChanged(wire.kind, "\(lost) has been deleted; it no longer carries packets")))
            }
        }
    }

    // MARK: - Orders

    func processCommands() throws(SystemCallError) {
        for entry in mailbox.inbox.drain() {
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            switch entry.order {
            case .attach(let kind, let pair, let parameters): try attach(kind, pair, parameters, at: now)
            case .change(let kind, let parameters):
                guard let wire = wires.first(where: { $0.kind == kind }) else { break }
                report(wire, at: now)
                let fates = wire.change(to: decisions.applied(to: parameters, kind), at: now)
                for direction in PumpLoop.directions {
                    for fate in fates[direction] where !fate.isProbe { recordDecision(fate, wire, direction) }
                }
            case .kill(let cut):
                guard let wire = wires.first(where: { $0.kind == cut.interface }) else { break }
                try isolatingErrors(on: wire) { () throws(SystemCallError) in try perform(cut, on: wire, at: now) }
            case .measure(let kind):
                if let wire = wires.first(where: { $0.kind == kind }) { report(wire, at: now) }
            case .count:
                for wire in wires { for direction in PumpLoop.directions { reportCounts(wire, direction) } }
            case .traffic(let reply):
                for wire in wires {
                    for direction in PumpLoop.directions { reply.add(PumpLoop.traffic(wire, direction, at: now)) }
                }
            case .addBreakpoint(let kind, let direction, let count, let reply):
                reply.number = wires.first { $0.kind == kind }?.pipeline.addBreakpoint(packetsFromNow: count, direction)
            case .resume: barrier.endOne()
            case .stop: isRunning = false
            }
            entry.done.signal()
        }
    }

    /// The order of reports about both directions.
    static let directions = [LinkDirectionName.uplink, .downlink]

    private func attach(
        _ kind: InterfaceKind, _ pair: TunPair, _ parameters: PerDirection<LinkParameters>, at now: LinkTime
    ) throws(SystemCallError) {
        let plan = Addressing.interface(kind)
        let pipeline = LinkPipeline(
            seed: seed, stream: UInt64(InterfaceKind.allCases.firstIndex(of: kind) ?? 0),
            parameters: decisions.applied(to: parameters, kind),
            breakpoints: breakpoints.filter { $0.interface == kind }.map {
                LinkBreakpoint(direction: $0.direction, place: $0.place)
            },
            // The internet's end drops packets with a source address of its own.
            routers: PerDirection(
                uplink: PumpLoop.router(plan.network4, plan.network6),
                downlink: PumpLoop.router(plan.client4, plan.client6)),
            slotSize: PumpLoop.longestPacket, longestGSOPacket: PumpLoop.longestGSOPacket, reservedSlots: 512,
            start: now)
        let wire = EmulatedWire(kind, pair, pipeline)
        let token = UInt64(wires.count) << 1
        wires.append(wire)
        try wire.register(in: poller, up: token, down: token | 1)
    }

    private static func router(_ four: String, _ six: String) -> ConnectionTracker.Router {
        guard let four = IPv4Address(four), let six = IPv6Address(six) else {
            preconditionFailure("\(four) and \(six) are in the address plan")
        }
        return ConnectionTracker.Router(four: four, six: six)
    }
}
