@testable import ScenarioLanguage
import Record
import NIOCore
import Testing

@testable import TestServer

/// Violations of RFC 9113 by a client, each with its error code; a stream error must not affect the connection.
struct FrameContentTests {
    private struct Case: CustomTestStringConvertible, Sendable {
        var what: String
        var bytes: [UInt8]
        var code: UInt32
        var isOfStream = false
        var testDescription: String { what }
    }

    private static let cases: [Case] = [
        Case(what: "DATA on stream 0", bytes: Frame.bytes(.data, [1]), code: 1),
        Case(what: "PING on a stream", bytes: Frame.bytes(.ping, stream: 1, [0, 0, 0, 0, 0, 0, 0, 0]), code: 1),
        Case(what: "PING of 7 bytes", bytes: Frame.bytes(.ping, [0, 0, 0, 0, 0, 0, 0]), code: 6),
        Case(what: "SETTINGS of 5 bytes", bytes: Frame.bytes(.settings, [0, 0, 0, 0, 0]), code: 6),
        Case(what: "SETTINGS acknowledged with bytes", bytes: Frame.bytes(.settings, 1, [0, 0, 0, 0, 0, 0]), code: 6),
        Case(what: "ENABLE_PUSH 2", bytes: Frame.bytes(.settings, HTTP2Rig.setting(.enablePush, 2)), code: 1),
        Case(
            what: "INITIAL_WINDOW_SIZE 2^31",
            bytes: Frame.bytes(.settings, HTTP2Rig.setting(.initialWindowSize, 1 << 31)), code: 3),
        Case(what: "MAX_FRAME_SIZE 1", bytes: Frame.bytes(.settings, HTTP2Rig.setting(.maxFrameSize, 1)), code: 1),
        Case(what: "PUSH_PROMISE", bytes: Frame.bytes(.pushPromise, stream: 1, [0, 0, 0, 2]), code: 1),
        Case(what: "WINDOW_UPDATE of 0", bytes: Frame.windowUpdate(0, 0), code: 1),
        Case(what: "WINDOW_UPDATE beyond 2^31-1", bytes: Frame.windowUpdate(0, 0x7FFF_FFFF), code: 3),
        Case(what: "WINDOW_UPDATE of an idle stream", bytes: Frame.windowUpdate(9, 1), code: 1),
        Case(what: "RST_STREAM of an idle stream", bytes: Frame.resetStream(9, .cancel), code: 1),
        Case(what: "RST_STREAM of 3 bytes", bytes: Frame.bytes(.resetStream, stream: 1, [0, 0, 0]), code: 6),
        Case(what: "DATA on an idle stream", bytes: Frame.bytes(.data, stream: 9, [1]), code: 1),
        Case(what: "CONTINUATION alone", bytes: Frame.bytes(.continuation, 4, stream: 1), code: 1),
        Case(
            what: "a stream of the server's", bytes: Frame.bytes(.headers, 5, stream: 2, [0x82, 0x84, 0x86]), code: 1),
        Case(
            what: "a frame of 16,385 bytes", bytes: Frame.bytes(.data, stream: 1, [UInt8](repeating: 0, count: 16_385)),
            code: 6),
        Case(what: "more padding than payload", bytes: Frame.bytes(.headers, 0xD, stream: 1, [9, 0x82]), code: 1),
        Case(
            what: "a header block that is none",
            bytes: Frame.bytes(.headers, 5, stream: 1, [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F]), code: 9),
        Case(
            what: "a frame within a header block",
            bytes: Frame.bytes(.headers, 1, stream: 1, [0x82]) + Frame.bytes(.ping, [0, 0, 0, 0, 0, 0, 0, 0]), code: 1),
        Case(what: "no :path", bytes: Frame.bytes(.headers, 5, stream: 1, [0x82, 0x86]), code: 1, isOfStream: true),
        Case(
            what: "a stream that depends on itself", bytes: Frame.bytes(.priority, stream: 3, [0, 0, 0, 3, 1]), code: 1,
            isOfStream: true),
        Case(
            what: "PRIORITY of 4 bytes", bytes: Frame.bytes(.priority, stream: 3, [0, 0, 0, 1]), code: 6,
            isOfStream: true),
    ]

    @Test(arguments: cases)
    private func `a violation is refused with its code`(given: Case) {
        var rig = HTTP2Rig(.big(10))
        rig.send(given.bytes)
        rig.drainWrites()
        #expect(rig.badRequests.count == 1)
        #expect(rig.frames(given.isOfStream ? .resetStream : .goAway).map(\.code) == [given.code])
        #expect(rig.has(.finish(closeNotify: true)) == !given.isOfStream)
    }

    @Test func `unknown frames and settings are ignored`() {
        var rig = HTTP2Rig(.big(10))
        rig.send(Frame.head(0x42, 0xFF, stream: 7, length: 3) + [1, 2, 3])
        rig.send(Frame.bytes(.settings, [0, 99, 0, 0, 0, 1]))
        rig.request(1, "/big")
        rig.drainWrites()
        #expect(rig.body(1).count == 10)
        #expect(rig.badRequests.isEmpty)
    }

    @Test func `padding is removed and counts in the window`() {
        var rig = HTTP2Rig(.big(10))
        rig.request(1, "/big", method: "POST", ends: false)
        rig.send(
            Frame.bytes(
                .data, Frame.Flag.padded | Frame.Flag.endStream, stream: 1, [4] + Bytes.big(0, 3) + [0, 0, 0, 0]))
        #expect(rig.facts.contains(.requestEnded(request: 1, bodyBytes: 3, differsAt: nil, bodyText: nil)))
    }

    @Test func `a preface without SETTINGS is refused`() {
        var rig = HTTP2Rig(.big(10), starts: false)
        rig.send(Frame.preface + Frame.bytes(.ping, [0, 0, 0, 0, 0, 0, 0, 0]))
        rig.drainWrites()
        #expect(rig.frames(.goAway).map(\.code) == [1])
    }

    @Test func `a body that differs from its content-length ends its stream`() {
        var rig = HTTP2Rig(.big(10))
        rig.request(1, "/big", method: "POST", ends: false, [("content-length", "5")])
        rig.data(1, [1, 2, 3], ends: true)
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [1])
        rig.request(3, "/big")
        rig.drainWrites()
        #expect(rig.body(3).count == 10)
    }

    @Test(arguments: [
        [("Upper", "1")], [("connection", "close")], [("transfer-encoding", "chunked")], [("te", "gzip")],
        [(":status", "200")],
        [("a", "b\r\nc: d")],
    ])
    func `a malformed request ends its stream`(fields: [(String, String)]) {
        var rig = HTTP2Rig(.big(10))
        rig.request(1, "/big", fields)
        rig.drainWrites()
        #expect(rig.frames(.resetStream).map(\.code) == [1])
        #expect(rig.origin.requests == 0)
    }
}
