import Record
import NIOCore
import ScenarioLanguage
import Testing

@testable import TestServer

/// The body of a request over HTTP/2 is processed at the pace of a throttle, and exactly up to the positions of faults.
/// Time is a number here, so that the rate can be compared to the nanosecond: 8 Mbit/s are 1,000,000 bytes per second,
/// 10,000 bytes every 10 ms.
@Suite struct HTTP2ArrivingTests {
    private let rate = BitRate(bitsPerSecond: 8_000_000)!

    private func rig(_ point: Fault.Point, _ effect: Fault.Effect, window: UInt32 = 65_535) -> HTTP2Rig {
        var plan = OriginPlan.big(10, [Fault(point: point, effect: effect, scope: Fault.Scope(path: "/big"))])
        plan.http2.settings = [HTTP2Setting(.initialWindowSize, window)]
        return HTTP2Rig(plan)
    }

    /// Sends as much as the windows allow, as a client does, and advances time until the request has ended.
    private func upload(_ count: Int, _ rig: inout HTTP2Rig, window: Int) -> (ended: Int64?, longestLead: Int) {
        rig.send(Frame.bytes(.settings, Frame.Flag.acknowledges))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.drainWrites()
        let start = rig.now
        var sent = 0
        var longestLead = 0
        while rig.now < start + 60_000_000_000 {
            let granted = rig.frames(.windowUpdate).filter { $0.stream == 1 }.map(\.number).reduce(0, +)
            while sent < min(count, window + granted) {
                let size = min(16_384, window + granted - sent, count - sent)
                rig.data(1, Bytes.big(Int64(sent), size), ends: sent + size == count)
                sent += size
            }
            longestLead = max(longestLead, sent - Int((rig.now - start) / 1_000))
            rig.drainWrites()
            if rig.facts.contains(where: { if case .requestEnded = $0 { true } else { false } }) {
                return (rig.now - start, longestLead)
            }
            guard let due = rig.due(.hold), due > rig.now else { return (nil, longestLead) }
            rig.now = due
            rig.send(.timer(.hold))
        }
        return (nil, longestLead)
    }

    @Test(arguments: [1_000_000, 300_000, 40_000])
    func `a throttled upload takes the exact time, larger than the window or not`(count: Int) {
        var rig = rig(.requestHead, .throttle(rate))
        let (ended, lead) = upload(count, &rig, window: 65_535)
        // A byte takes a microsecond.
        #expect(ended == Int64(count) * 1_000)
        // The client is ahead by at most its window and a piece.
        #expect(lead <= 65_535 + 10_000)
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: Int64(count), differsAt: nil, bodyText: nil)))
        rig.drainWrites()
        #expect(rig.heads(1).first?[":status"] == "200")
    }

    @Test func `an upload in small pieces is received in them`() {
        var rig = rig(.requestHead, .dribble(bytes: 1_000, every: .milliseconds(5)))
        let ended = upload(20_500, &rig, window: 65_535).ended
        #expect(ended == 105_000_000)
    }

    @Test func `a throttle in the middle begins at its byte`() {
        var rig = rig(.requestBody(50_000), .throttle(rate))
        let ended = upload(250_000, &rig, window: 65_535).ended
        #expect(ended == 200_000_000)
    }

    @Test func `a throttled upload does not delay another stream`() {
        var rig = rig(.requestHead, .throttle(rate))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.data(1, Bytes.big(0, 16_384))
        rig.request(3, "/echo", method: "POST", ends: false)
        rig.data(3, Array("quick".utf8), ends: true)
        rig.drainWrites()
        #expect(rig.facts.contains(.requestEnded(request: 2, bodyBytes: 5, differsAt: nil, bodyText: "quick")))
        #expect(rig.frames.contains { $0.stream == 3 && $0.endsStream })
        #expect(!rig.facts.contains { if case .requestEnded(1, _, _, _) = $0 { true } else { false } })
    }

    /// All of it is in one read, so that the fault is exact only if the machine can stop in the middle of a frame.
    @Test func `a fault in a request's body happens after exactly the given number of processed bytes`() {
        var rig = rig(.requestBody(12_345), .pause(.seconds(1)))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.data(1, Bytes.big(0, 16_384))
        rig.data(1, Bytes.big(16_384, 16_384), ends: true)
        rig.drainWrites()
        #expect(rig.machine.takenOfRequest(1) == 12_345)
        #expect(!rig.facts.contains { if case .requestEnded = $0 { true } else { false } })
        rig.now += 1_000_000_000
        rig.send(.timer(.hold))
        rig.drainWrites()
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: 32_768, differsAt: nil, bodyText: nil)))
    }

    @Test func `a stream that is reset before its body is processed processes none of it`() {
        var rig = rig(.requestHead, .stream(.resetStream(.refusedStream)))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.data(1, Bytes.big(0, 16_384), ends: true)
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [7])
        #expect(!rig.facts.contains { if case .requestEnded = $0 { true } else { false } })
        #expect(rig.badRequests.isEmpty)
    }

    @Test func `a body that differs from its length is detected at its end, throttled or not`() {
        for effect in [Fault.Effect.throttle(rate), .pause(.milliseconds(1))] {
            var rig = rig(.requestHead, effect)
            rig.request(1, "/big", method: "POST", ends: false, [("content-length", "7")])
            rig.data(1, Bytes.big(0, 9), ends: true)
            for _ in 0..<3 {
                rig.drainWrites()
                if let due = rig.due(.hold), due > rig.now {
                    rig.now = due
                    rig.send(.timer(.hold))
                }
            }
            #expect(rig.frames(.resetStream).map(\.code) == [1])
            #expect(rig.badRequests.count == 1)
        }
    }

    @Test func `trailers come after a body of any framing`() throws {
        let plan = try WrittenOrigin.plan("protocols: [h2]\n/a: { text: hello, trailers: { X-Sum: \"45\" } }")
        var rig = HTTP2Rig(plan)
        rig.request(1, "/a")
        rig.drainWrites()
        #expect(rig.body(1) == Array("hello".utf8))
        #expect(rig.heads(1).last == ["x-sum": "45"])
        #expect(rig.frames.last?.kind == .headers && rig.frames.last?.endsStream == true)
    }
}

extension ConnectionMachine {
    /// Returns the number of body bytes of a stream's request processed so far.
    fileprivate func takenOfRequest(_ stream: Int) -> Int64? { http2?.streams[stream]?.inspection.count }
}
