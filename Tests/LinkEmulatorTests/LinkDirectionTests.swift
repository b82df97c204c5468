import LinkEmulator
import Testing

/// Returns a time in milliseconds.
func ms(_ milliseconds: Int64) -> LinkTime { LinkTime(nanoseconds: milliseconds * 1_000_000) }

@Suite struct LinkDirectionTests {
    func link(_ parameters: LinkParameters, seed: UInt64 = 1, slotSize: Int = 2048) -> LinkDirection {
        LinkDirection(seed: seed, stream: 1, parameters: parameters, slotSize: slotSize, longestGSOPacket: slotSize)
    }
    func packet(_ length: Int = 100) -> [UInt8] { (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7) } }

    func drain(_ link: inout LinkDirection, upTo now: LinkTime = .distantFuture - 1) -> [ReleaseInfo] {
        var infos: [ReleaseInfo] = []
        link.release(upTo: now) { _, info in infos.append(info) }
        return infos
    }

    // Delay and rate

    @Test func `a packet leaves exactly one delay later, with its bytes`() {
        var link = link(LinkParameters(delayNanoseconds: 20_000_000))
        let sent = packet(1500)
        #expect(link.offer(sent.span, at: ms(5)).outcome == .delivered(releaseAt: ms(25)))
        #expect(link.nextRelease == ms(25))
        #expect(drain(&link, upTo: ms(25) - 1).isEmpty)
        var received: [[UInt8]] = []
        link.release(upTo: ms(25)) { bytes, info in
            received.append(bytes.indices.map { bytes[$0] })
            #expect(info.arrival == ms(5) && info.planned == ms(25) && info.lateness == 0)
        }
        #expect(received == [sent])
        #expect(link.nextRelease == nil)
    }

    @Test func `the rate is exact to the packet`() {
        // 1,001 bytes at 7 Mbit/s take 1,144,000 ns; at 7,000,003 bit/s a fraction of a nanosecond remains each time.
        for rate in [7_000_000, 7_000_003] as [UInt64] {
            var link = link(LinkParameters(rate: .constant(bitsPerSecond: rate), delayNanoseconds: 1000))
            var wrong = 0
            let sent = packet(1001)
            for number in 1...1000 as ClosedRange<UInt64> {
                let due = Int64(number * 8008 * 1_000_000_000 / rate) + 1000
                if link.offer(sent.span, at: .zero).outcome != .delivered(releaseAt: LinkTime(nanoseconds: due)) {
                    wrong += 1
                }
            }
            #expect(wrong == 0)
        }
    }

    @Test func `an idle transmitter starts at once`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000)))
        let sent = packet(1000)
        #expect(link.offer(sent.span, at: ms(0)).outcome == .delivered(releaseAt: ms(1)))
        #expect(link.offer(sent.span, at: ms(10)).outcome == .delivered(releaseAt: ms(11)))
    }

    @Test func `the achieved rate is measured at the far end`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), delayNanoseconds: 3_000_000))
        let sent = packet(1000)
        for number in 0..<100 as Range<Int64> { link.offer(sent.span, at: ms(number / 10)) }
        for moment in 0...200 as ClosedRange<Int64> { _ = drain(&link, upTo: ms(moment)) }
        let measured = link.finishMeasurement(at: ms(200))
        #expect(measured.packets == 100 && measured.delivered == 100 && measured.lost == 0)
        #expect(measured.deliveredBytes == 100_000)
        #expect(measured.busyBitsPerSecond == 8_000_000)
        // Late releases by the caller show in the measured rate, not only in the lateness.
        for _ in 0..<10 { link.offer(sent.span, at: ms(300)) }
        _ = drain(&link, upTo: ms(304))
        _ = drain(&link, upTo: ms(322))
        // Nine packets in 18 ms instead of 9.
        #expect(link.finishMeasurement(at: ms(400)).busyBitsPerSecond == 4_000_000)
    }

    // Queue

    @Test func `a queue of n packets accepts n`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queuePackets: 5))
        let sent = packet(1000)
        let fates = (0..<8).map { _ in link.offer(sent.span, at: ms(0)) }
        #expect(fates.map(\.isDropped) == [false, false, false, false, false, true, true, true])
        #expect(fates[5].outcome == .dropped(.queueFull))
        // One packet has been sent after 1 ms, which leaves room for exactly one.
        #expect(link.offer(sent.span, at: ms(1)).outcome == .delivered(releaseAt: ms(6)))
        #expect(link.offer(sent.span, at: ms(1)).outcome == .dropped(.queueFull))
        #expect(link.counters.droppedQueueFull == 4)
    }

    @Test func `a queue of n bytes accepts n`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queueBytes: 2500))
        let sent = packet(1000)
        #expect(!link.offer(sent.span, at: ms(0)).isDropped)
        #expect(!link.offer(sent.span, at: ms(0)).isDropped)
        #expect(link.offer(sent.span, at: ms(0)).outcome == .dropped(.queueFull))
        #expect(!link.offer(packet(500).span, at: ms(0)).isDropped)
        #expect(link.offer(packet(1).span, at: ms(0)).outcome == .dropped(.queueFull))
    }

    @Test func `packets on the delay line do not count for the queue`() {
        var link = link(LinkParameters(queuePackets: 1, delayNanoseconds: 1_000_000_000))
        let sent = packet()
        for _ in 0..<5000 { link.offer(sent.span, at: ms(0)) }
        #expect(link.inFlight == 5000)
        #expect(drain(&link).map(\.index) == Array(1...5000))
    }

    // Single effects

    @Test func `reordered packets skip the delay, in the configured share`() {
        var link = link(LinkParameters(delayNanoseconds: 50_000_000, reorder: 0.25))
        let sent = packet()
        var fates: [PacketFate] = []
        for number in 0..<20_000 as Range<Int64> { fates.append(link.offer(sent.span, at: ms(number))) }
        let areExact = fates.allSatisfy { fate in
            let moment = ms(Int64(fate.index) - 1)
            return fate.outcome == .delivered(releaseAt: fate.reordered ? moment : moment + 50_000_000)
        }
        #expect(areExact)
        let count = fates.count { $0.reordered }
        #expect(Bounds.binomial(0.25, 20_000).contains(Double(count)))
        #expect(link.counters.reordered == UInt64(count))
        let order = drain(&link)
        #expect(order.map(\.planned) == order.map(\.planned).sorted())
        #expect(order.map(\.index) != order.map(\.index).sorted())
    }

    @Test func `duplicated packets arrive twice, in the configured share`() {
        var link = link(
            LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), delayNanoseconds: 1_000_000, duplicate: 0.1))
        let sent = packet(1000)
        var duplicated: Set<UInt64> = []
        var copies: Set<UInt64> = []
        var total = 0
        var wrong = 0
        for number in 0..<20_000 as Range<Int64> {
            // 4 ms apart, so that the copy's millisecond never delays the next packet.
            let fate = link.offer(sent.span, at: ms(number * 4))
            if fate.duplicated { duplicated.insert(fate.index) }
            link.release(upTo: ms(number * 4 + 3)) { bytes, info in
                total += 1
                if bytes.count != 1000 || bytes[999] != sent[999] { wrong += 1 }
                // The copy takes its own millisecond on the transmitter.
                if info.planned != info.arrival + (info.isDuplicate ? 3_000_000 : 2_000_000) { wrong += 1 }
                if info.isDuplicate { copies.insert(info.index) }
            }
        }
        #expect(wrong == 0)
        #expect(copies == duplicated)
        #expect(total == 20_000 + duplicated.count)
        #expect(Bounds.binomial(0.1, 20_000).contains(Double(duplicated.count)))
        #expect(link.counters.duplicated == UInt64(duplicated.count))
    }

    @Test func `a corrupted packet differs in exactly the bit in its fate`() {
        var link = link(LinkParameters(corrupt: 0.3))
        let sent = packet(64)
        var corrupted = 0
        var wrong = 0
        var perByte = [Double](repeating: 0, count: 64)
        for number in 0..<20_000 as Range<Int64> {
            let fate = link.offer(sent.span, at: ms(number))
            link.release(upTo: ms(number)) { bytes, _ in
                var flipped: [Int] = []
                for position in bytes.indices {
                    let difference = bytes[position] ^ sent[position]
                    for bit in 0..<8 where difference & (0x80 >> UInt8(bit)) != 0 { flipped.append(position * 8 + bit) }
                }
                if flipped != (fate.corruptedBit.map { [$0] } ?? []) { wrong += 1 }
                if let bit = flipped.first {
                    corrupted += 1
                    perByte[bit / 8] += 1
                }
            }
        }
        #expect(wrong == 0)
        #expect(Bounds.binomial(0.3, 20_000).contains(Double(corrupted)))
        // All positions are equally likely: about 94 hits for each byte.
        let expected = Double(corrupted) / 64
        let chiSquare = perByte.reduce(0) { $0 + ($1 - expected) * ($1 - expected) / expected }
        #expect(Bounds.chiSquare(degrees: 63).contains(chiSquare))
    }

    @Test func `a packet longer than the MTU or the slot is dropped with its own reason`() {
        var link = link(LinkParameters(mtu: 1400), slotSize: 1500)
        #expect(!link.offer(packet(1400).span, at: ms(0)).isDropped)
        #expect(link.offer(packet(1401).span, at: ms(0)).outcome == .dropped(.tooBig))
        link.change(to: .perfect, at: ms(0))
        #expect(!link.offer(packet(1500).span, at: ms(0)).isDropped)
        #expect(link.offer(packet(1501).span, at: ms(0)).outcome == .dropped(.longerThanSlot))
        #expect(link.counters.dropped(.tooBig) == 1 && link.counters.dropped(.longerThanSlot) == 1)
        #expect(link.counters.dropped == 2)
    }

    @Test func `a packet longer than an unannounced MTU is silently dropped with its own fate`() {
        var link = link(LinkParameters(mtu: 1400, announcesTooBig: false))
        #expect(!link.offer(packet(1400).span, at: ms(0)).isDropped)
        #expect(link.offer(packet(1401).span, at: ms(0)).outcome == .dropped(.swallowedTooBig))
        #expect(
            link.counters.dropped(.swallowedTooBig) == 1 && link.counters.dropped(.tooBig) == 0
                && link.counters.dropped == 1)
    }

    @Test func `an empty packet passes`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 1000), corrupt: 1))
        let nothing: [UInt8] = []
        #expect(link.offer(nothing.span, at: ms(1)).outcome == .delivered(releaseAt: ms(1)))
    }

    @Test func `an outage drops packets in the last part of each period`() {
        let pattern = LinkEffect.Outages.periodic(everyNanoseconds: 10_000_000, lastingNanoseconds: 3_000_000)
        var link = link(LinkParameters(outages: pattern))
        let sent = packet()
        let dropped = (0..<30).filter { link.offer(sent.span, at: ms(Int64($0))).outcome == .dropped(.outage) }
        #expect(dropped == [7, 8, 9, 17, 18, 19, 27, 28, 29])
        // A change of another parameter keeps the phase; a new pattern starts its own.
        link.change(to: LinkParameters(delayNanoseconds: 5, outages: pattern), at: ms(34))
        #expect(!link.offer(sent.span, at: ms(36)).isDropped)
        #expect(link.offer(sent.span, at: ms(37)).isDropped)
        link.change(
            to: LinkParameters(
                outages: LinkEffect.Outages.periodic(everyNanoseconds: 10_000_000, lastingNanoseconds: 2_000_000)),
            at: ms(37))
        #expect(!link.offer(sent.span, at: ms(44)).isDropped)
        #expect(link.offer(sent.span, at: ms(45)).isDropped)
    }

    // Changes

    @Test func `a link that goes down loses everything not yet due and reports it`() {
        var link = link(LinkParameters(delayNanoseconds: 10_000_000, reorder: 0.3))
        let sent = packet()
        var due: Set<UInt64> = []
        for number in 0..<20 as Range<Int64> {
            let fate = link.offer(sent.span, at: ms(number))
            if case .delivered(let planned) = fate.outcome, planned <= ms(19) { due.insert(fate.index) }
        }
        let lost = link.change(to: .down, at: ms(19))
        #expect(Set(lost.map(\.index)) == Set(1...20).subtracting(due))
        #expect(lost.map(\.index) == lost.map(\.index).sorted())
        #expect(lost.allSatisfy { $0.outcome == .dropped(.down) })
        // Packets due before the link went down are still delivered, however late the caller polls.
        #expect(Set(drain(&link).map(\.index)) == due)
        #expect(link.offer(sent.span, at: ms(30)).outcome == .dropped(.down))
        #expect(link.counters.droppedDown == UInt64(lost.count + 1))
        link.change(to: .perfect, at: ms(40))
        #expect(link.offer(sent.span, at: ms(41)).outcome == .delivered(releaseAt: ms(41)))
    }

    @Test func `after an interruption the queue is empty`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000), queuePackets: 2))
        let sent = packet(1000)
        for _ in 0..<3 { link.offer(sent.span, at: ms(0)) }
        link.change(to: LinkParameters(isUp: false), at: ms(1))
        link.change(to: LinkParameters(rate: .constant(bitsPerSecond: 8_000_000), queuePackets: 2), at: ms(2))
        #expect(link.offer(sent.span, at: ms(2)).outcome == .delivered(releaseAt: ms(3)))
    }

    // As in netem: five packets on a line of 1,000 ms keep their time when the delay becomes 5 ms.
    @Test func `a change affects only later packets`() {
        var link = link(LinkParameters(delayNanoseconds: 1_000_000_000))
        let sent = packet()
        for _ in 0..<5 { link.offer(sent.span, at: ms(0)) }
        #expect(link.change(to: LinkParameters(delayNanoseconds: 5_000_000), at: ms(10)).isEmpty)
        #expect(link.offer(sent.span, at: ms(10)).outcome == .delivered(releaseAt: ms(15)))
        #expect(link.offer(sent.span, at: ms(11)).outcome == .delivered(releaseAt: ms(16)))
        #expect(link.nextRelease == ms(15))
        #expect(drain(&link).map(\.index) == [6, 7, 1, 2, 3, 4, 5])
    }

    @Test func `packets waiting for a slow transmitter keep their schedule when it becomes fast`() {
        var link = link(LinkParameters(rate: .constant(bitsPerSecond: 8_000)))
        let sent = packet(1000)
        #expect(link.offer(sent.span, at: ms(0)).outcome == .delivered(releaseAt: ms(1000)))
        link.change(to: LinkParameters(rate: .constant(bitsPerSecond: 8_000_000)), at: ms(10))
        #expect(link.offer(sent.span, at: ms(10)).outcome == .delivered(releaseAt: ms(1001)))
    }

    // Measurement

    @Test func `a late release is recorded as late`() throws {
        var link = link(LinkParameters(delayNanoseconds: 10_000_000))
        let sent = packet()
        for number in 0..<100 as Range<Int64> {
            link.offer(sent.span, at: ms(number * 100))
            // The last two come 7 ms late, the others 10 µs.
            link.release(upTo: ms(number * 100 + 10) + (number < 98 ? 10_000 : 7_000_000)) { _, info in
                #expect(info.lateness == (number < 98 ? 10_000 : 7_000_000))
            }
        }
        #expect(link.counters.late == 2)
        #expect(link.counters.maximumLateness == 7_000_000)
        let measured = link.finishMeasurement(at: ms(10_000))
        let lateness = try #require(measured.lateness)
        let delay = try #require(measured.delay)
        #expect(measured.late == 2 && lateness.maximum == 7_000_000 && delay.maximum == 17_000_000)
        #expect(delay.minimum == 10_010_000)
        #expect(abs(Double(lateness.p50) / 10_000 - 1) < 0.008)
        #expect(abs(Double(lateness.p99) / 7_000_000 - 1) < 0.008)
        #expect(abs(delay.mean - (98 * 10_010_000 + 2 * 17_000_000) / 100) < 1)
    }

    @Test func `a measurement covers only its own interval`() {
        var link = link(LinkParameters(delayNanoseconds: 1_000_000, loss: .packets([2, 3])))
        let sent = packet()
        for _ in 0..<4 { link.offer(sent.span, at: ms(0)) }
        _ = drain(&link, upTo: ms(1))
        let first = link.finishMeasurement(at: ms(10))
        #expect(first.packets == 4 && first.lost == 2 && first.delivered == 2 && first.lossShare == 0.5)
        #expect(first.start == .zero && first.end == ms(10))
        let second = link.finishMeasurement(at: ms(20))
        #expect(second.packets == 0 && second.delay == nil && second.lossShare == nil && second.start == ms(10))
        #expect(link.counters.offered == 4 && link.counters.bytesIn == 400 && link.counters.bytesOut == 200)
    }

    // More packets than reserved, released in random order, some twice: the line must grow, and no packet may overwrite
    // another.
    @Test func `a line that outgrows its reservation keeps every packet`() {
        var link = LinkDirection(
            seed: 1, stream: 1,
            parameters: LinkParameters(
                delayNanoseconds: 1_000_000_000,
                jitter: LinkEffect.Jitter(
                    amountNanoseconds: 900_000_000, distribution: .uniform, allowsReordering: true),
                duplicate: 0.2),
            reservedSlots: 4)
        var sent: [UInt64: [UInt8]] = [:]
        var random = TestRandom(4)
        var intact = 0
        for number in 0..<6000 as Range<UInt64> {
            let bytes = random.bytes(Int(number % 40))
            sent[number + 1] = bytes
            link.offer(bytes.span, at: ms(Int64(number)))
            link.release(upTo: ms(Int64(number))) { released, info in
                if released.indices.map({ released[$0] }) == sent[info.index] { intact += 1 }
            }
        }
        link.release(upTo: .distantFuture - 1) { released, info in
            if released.indices.map({ released[$0] }) == sent[info.index] { intact += 1 }
        }
        #expect(link.counters.duplicated > 1000)
        #expect(intact == 6000 + Int(link.counters.duplicated) && link.inFlight == 0)
    }
}
