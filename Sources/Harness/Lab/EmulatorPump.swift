import Dispatch
import LinkEmulator
import LinuxNet
import Scenario

/// The emulator's thread: carries packets between TUN devices through `LinkDirection`s, and through the translator. One thread
/// serves a whole lab.
final class EmulatorPump: Sendable {
    private let mailbox: PumpMailbox
    private let thread: DedicatedThread

    init(seed: UInt64, capture: Capture?, marks: [PacketMark], observer: @escaping LinkObserver) throws(SystemCallError) {
        let mailbox = try PumpMailbox()
        self.mailbox = mailbox
        thread = try DedicatedThread(name: "cw-pump") {
            do throws(SystemCallError) {
                try Poller.sharpenTimersOfThisThread()
                let poller = try Poller.make()
                try mailbox.register(in: poller, token: PumpLoop.wakerToken)
                var loop = PumpLoop(
                    mailbox: mailbox, poller: poller, seed: seed, capture: capture, marks: marks, observer: observer)
                try loop.run()
            } catch {
                observer(.failed("the emulator stopped: \(error)"))
            }
        }
    }

    /// A lab that fails half-way is let go without `.stop`, and letting the thread go waits for its end.
    deinit { mailbox.post(.stop) }

    /// Returns when the order is in force; after `.stop` the thread ends and lets the devices go.
    func perform(_ order: PumpOrder) { mailbox.perform(order) }
}

/// The loop itself, confined to its thread.
private struct PumpLoop: ~Copyable {
    private let mailbox: PumpMailbox
    private let observer: LinkObserver
    private let capture: Capture?
    private let seed: UInt64
    private var marks: [PacketMark]
    private var poller: Poller
    private var wires: [Wire] = []
    private var translator: Translation?
    private var factsLeft = PumpLoop.mostPacketFacts
    private var isRunning = true

    /// TUN devices have an MTU of 1500; room for a jumbo one.
    private static let longestPacket = 9216
    /// A flood of lost packets must not fill the disk: after so many they are only counted.
    private static let mostPacketFacts = 20_000
    /// Packets taken from one device before the others get their turn.
    private static let burst = 64
    static let wakerToken = UInt64.max
    private static let translatorToken = UInt64.max - 1

    private final class Wire {
        let kind: InterfaceKind
        let pair: TunPair
        var up: LinkDirection
        var down: LinkDirection
        var sawFirst: [LinkDirectionName: Bool] = [:]
        init(kind: InterfaceKind, pair: TunPair, up: LinkDirection, down: LinkDirection) {
            self.kind = kind
            self.pair = pair
            self.up = up
            self.down = down
        }
    }

    private final class Translation {
        let device: TranslatorDevice
        var translator: NAT64Translator
        var output: [UInt8] = []
        init(device: TranslatorDevice, translator: NAT64Translator) {
            self.device = device
            self.translator = translator
        }
    }

    init(
        mailbox: PumpMailbox, poller: consuming Poller, seed: UInt64, capture: Capture?, marks: [PacketMark],
        observer: @escaping LinkObserver
    ) {
        self.mailbox = mailbox
        self.observer = observer
        self.capture = capture
        self.seed = seed
        self.marks = marks
        self.poller = poller
    }

    mutating func run() throws(SystemCallError) {
        var ready: [UInt64] = []
        var buffer = [UInt8](repeating: 0, count: PumpLoop.longestPacket)
        while isRunning {
            ready.removeAll(keepingCapacity: true)
            try poller.wait(until: nextRelease) { ready.append($0.token) }
            for token in ready {
                switch token {
                case PumpLoop.wakerToken: try obey()
                case PumpLoop.translatorToken: try translate(&buffer)
                default:
                    let wire = wires[Int(token >> 1)]
                    try take(from: wire, token & 1 == 0 ? .up : .down, &buffer)
                }
            }
            try release()
        }
    }

    private var nextRelease: Int64 {
        var next = Int64.max
        for wire in wires {
            if let up = wire.up.nextRelease { next = min(next, up.nanoseconds) }
            if let down = wire.down.nextRelease { next = min(next, down.nanoseconds) }
        }
        return next
    }

    // MARK: - Orders

    private mutating func obey() throws(SystemCallError) {
        for entry in mailbox.take() {
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            switch entry.order {
            case .attach(let kind, let pair, let up, let down): try attach(kind, pair, up: up, down: down, at: now)
            case .attachTranslator(let device, let translator):
                self.translator = Translation(device: device, translator: translator)
                try device.tun.withRaw { raw throws(SystemCallError) in
                    try poller.add(raw, for: .readable, token: PumpLoop.translatorToken)
                }
            case .change(let kind, let up, let down):
                guard let wire = wires.first(where: { $0.kind == kind }) else { break }
                report(wire, at: now)
                wire.up.change(to: up, at: now)
                wire.down.change(to: down, at: now)
            case .measure(let kind):
                if let wire = wires.first(where: { $0.kind == kind }) { report(wire, at: now) }
            case .count:
                for wire in wires {
                    tellCounts(wire.kind, .up, wire.up.counters)
                    tellCounts(wire.kind, .down, wire.down.counters)
                }
            case .stop: isRunning = false
            }
            entry.done.signal()
        }
    }

    private mutating func attach(
        _ kind: InterfaceKind, _ pair: TunPair, up: LinkParameters, down: LinkParameters, at now: LinkTime
    ) throws(SystemCallError) {
        let stream = UInt64(InterfaceKind.allCases.firstIndex(of: kind) ?? 0) * 2
        let wire = Wire(
            kind: kind, pair: pair,
            up: LinkDirection(
                seed: seed, stream: stream, parameters: up, slotSize: PumpLoop.longestPacket, reservedSlots: 512, start: now),
            down: LinkDirection(
                seed: seed, stream: stream + 1, parameters: down, slotSize: PumpLoop.longestPacket, reservedSlots: 512,
                start: now))
        let token = UInt64(wires.count) << 1
        wires.append(wire)
        try pair.client.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token) }
        try pair.network.withRaw { raw throws(SystemCallError) in try poller.add(raw, for: .readable, token: token | 1) }
    }

    private func report(_ wire: Wire, at now: LinkTime) {
        tell(wire.kind, .up, wire.up.takeMeasurement(at: now))
        tell(wire.kind, .down, wire.down.takeMeasurement(at: now))
    }

    private func tell(_ kind: InterfaceKind, _ direction: LinkDirectionName, _ measurement: LinkMeasurement) {
        guard measurement.packets > 0 else { return }
        observer(.fact(.conditionMeasured(kind, direction, .init(traffic: measurement))))
    }

    private func tellCounts(_ kind: InterfaceKind, _ direction: LinkDirectionName, _ counters: LinkCounters) {
        observer(.fact(.packetCounts(kind, direction, packets: counters.offered, bytes: counters.bytesIn)))
    }

    // MARK: - Packets

    private mutating func take(
        from wire: Wire, _ direction: LinkDirectionName, _ buffer: inout [UInt8]
    ) throws(SystemCallError) {
        for _ in 0..<PumpLoop.burst {
            let read =
                switch direction {
                case .up: try wire.pair.client.read(into: &buffer)
                case .down: try wire.pair.network.read(into: &buffer)
                }
            guard let count = read else { return }
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            let packet = buffer.span.extracting(0..<count)
            // The kernel speaks IPv6 of its own accord (router solicitations, multicast reports): not the client's traffic.
            if PumpLoop.isKernelChatter(packet) { continue }
            if ProbePacket.isProbe(packet) {
                switch direction {
                case .up: wire.up.offerProbe(packet, at: now)
                case .down: wire.down.offerProbe(packet, at: now)
                }
                continue
            }
            let fate =
                switch direction {
                case .up: wire.up.offer(packet, at: now)
                case .down: wire.down.offer(packet, at: now)
                }
            note(fate, of: packet, on: wire, direction, at: now)
            if case .dropped(.tooBig) = fate.outcome { try answerTooBig(packet, wire, direction) }
        }
    }

    private static func isKernelChatter(_ packet: Span<UInt8>) -> Bool {
        // IPv6 to a multicast address (ff00::/8); nothing a session does over a point-to-point link is multicast.
        packet.count >= 40 && packet[0] >> 4 == 6 && packet[24] == 0xff
    }

    private mutating func note(
        _ fate: PacketFate, of packet: Span<UInt8>, on wire: Wire, _ direction: LinkDirectionName, at now: LinkTime
    ) {
        let words = fate.words
        capture?.packet(packet, interface: wire.kind, direction: direction, at: now.nanoseconds, comment: words)
        let number = Int(fate.index) + 1
        if let place = marks.firstIndex(where: { $0.count == number && $0.interface == wire.kind && $0.direction == direction }) {
            marks.remove(at: place)
            observer(.packetMark(wire.kind, direction, count: number))
        }
        let isFirst = wire.sawFirst.updateValue(true, forKey: direction) == nil
        guard words != nil || isFirst, factsLeft > 0 else { return }
        factsLeft -= 1
        observer(
            .fact(
                .packet(
                    wire.kind, direction, index: fate.index, length: packet.count, fate: words ?? "passes",
                    summary: PumpLoop.summary(of: packet))))
    }

    private static func summary(of packet: Span<UInt8>) -> String {
        do throws(PacketError) { return try PacketSummary(packet).description } catch { return "no IP packet: \(error)" }
    }

    private func answerTooBig(_ packet: Span<UInt8>, _ wire: Wire, _ direction: LinkDirectionName) throws(SystemCallError) {
        let mtu = (direction == .up ? wire.up : wire.down).parameters.mtu ?? 1500
        let router = Addressing.interface(wire.kind)
        guard let four = IPv4Address(router.network4), let six = IPv6Address(router.network6),
            let reply = ICMPErrorReply.tooBig(for: packet, mtu: mtu, from: four, six)
        else { return }
        switch direction {
        case .up: _ = try wire.pair.client.write(reply.span)
        case .down: _ = try wire.pair.network.write(reply.span)
        }
    }

    private mutating func release() throws(SystemCallError) {
        let now = LinkTime(nanoseconds: MonotonicClock.now())
        var failure: SystemCallError?
        for wire in wires {
            wire.up.release(upTo: now) { packet, _ in
                do throws(SystemCallError) { _ = try wire.pair.network.write(packet) } catch { failure = error }
            }
            wire.down.release(upTo: now) { packet, _ in
                do throws(SystemCallError) { _ = try wire.pair.client.write(packet) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }

    private mutating func translate(_ buffer: inout [UInt8]) throws(SystemCallError) {
        guard let translation = translator else { return }
        for _ in 0..<PumpLoop.burst {
            guard let count = try translation.device.tun.read(into: &buffer) else { return }
            let now = LinkTime(nanoseconds: MonotonicClock.now())
            let packet = buffer.span.extracting(0..<count)
            switch translation.translator.translate(packet, at: now, into: &translation.output) {
            case .translated, .replied:
                var failure: SystemCallError?
                IPPacketSequence.forEach(in: translation.output.span) { packet in
                    do throws(SystemCallError) { _ = try translation.device.tun.write(packet) } catch { failure = error }
                }
                if let failure { throw failure }
            case .ignored, .dropped: break
            }
        }
    }
}
