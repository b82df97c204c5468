import Foundation
import FoundationNetworking
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import AdaptableSession

/// A server that sends frames endlessly instead of a response: the client must close the connection and fail its
/// exchange. As in `ResponseLimitsTests` the server would send 64 MiB, and the socket buffers hold less than 16 MiB.
@Suite struct HTTP2FloodTests {
    /// A frame (RFC 9113 §4.1).
    private static func frame(_ kind: UInt8, stream: UInt8 = 1, flags: UInt8 = 0, _ payload: [UInt8] = []) -> [UInt8] {
        [0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF), kind, flags, 0, 0, 0, stream] + payload
    }

    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// The bytes sent after SETTINGS.
        var prefix: [UInt8] = []
        var repeated: [UInt8]
        /// The expected failure of the exchange; nil: the one of the first frame or of the flood, depending on how they
        /// are read.
        var code: URLError.Code? = .cannotParseResponse
    }

    /// ":status: 103" and ":status: 200" without Huffman coding and without use of the table.
    private static let early: [UInt8] = [0x08, 3] + Array("103".utf8)
    private static let ok: [UInt8] = [0x88]
    private static let endHeaders: UInt8 = 4

    private static let floods = [
        Flood(testDescription: "informational responses", repeated: frame(1, flags: endHeaders, early)),
        Flood(testDescription: "CONTINUATION", prefix: frame(1, early), repeated: frame(9)),
        Flood(
            testDescription: "CONTINUATION with fields", prefix: frame(1, early),
            repeated: frame(9, [0x00, 1] + Array("x".utf8) + [1] + Array("y".utf8))),
        Flood(testDescription: "empty DATA", prefix: frame(1, flags: endHeaders, ok), repeated: frame(0)),
        Flood(
            testDescription: "DATA of padding", prefix: frame(1, flags: endHeaders, ok),
            repeated: frame(0, flags: 8, [200] + Array(repeating: 0, count: 200))),
        Flood(testDescription: "PRIORITY", repeated: frame(2, [0, 0, 0, 0, 16])),
        Flood(testDescription: "PRIORITY of other streams", repeated: frame(2, stream: 99, [0, 0, 0, 0, 16])),
        // The first frame resets the stream; the others are for a stream that no longer exists.
        Flood(
            testDescription: "RST_STREAM", prefix: frame(1, flags: endHeaders, ok), repeated: frame(3, [0, 0, 0, 8]),
            code: nil),
        Flood(testDescription: "SETTINGS", repeated: frame(4, stream: 0)),
        Flood(
            testDescription: "long SETTINGS",
            repeated: frame(4, stream: 0, Array(repeating: [0, 0x99, 0, 0, 0, 1], count: 2000).flatMap { $0 })),
        Flood(testDescription: "PING", repeated: frame(6, stream: 0, Array(repeating: 1, count: 8))),
        Flood(
            testDescription: "acknowledged PING", repeated: frame(6, stream: 0, flags: 1, Array(repeating: 1, count: 8))
        ),
        Flood(
            testDescription: "GOAWAY that allows every stream",
            repeated: frame(7, stream: 0, [0x7F, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])),
        Flood(testDescription: "WINDOW_UPDATE of the connection", repeated: frame(8, stream: 0, [0, 0, 0, 1])),
        Flood(testDescription: "WINDOW_UPDATE of the stream", repeated: frame(8, [0, 0, 0, 1])),
        Flood(
            testDescription: "WINDOW_UPDATE within a body", prefix: frame(1, flags: endHeaders, ok) + frame(0, [1]),
            repeated: frame(8, [0, 0, 0, 1])),
        Flood(testDescription: "unknown frames", repeated: frame(0x2A, stream: 0)),
        Flood(testDescription: "unknown frames of the stream", repeated: frame(0xFA)),
        Flood(
            testDescription: "long unknown frames", repeated: frame(0x2A, stream: 0, Array(repeating: 0, count: 16_000))
        ),
        Flood(testDescription: "ALTSVC", repeated: frame(10, stream: 0, [0, 1, 0x61, 0x62])),
        Flood(testDescription: "pushes", repeated: frame(5, flags: endHeaders, [0, 0, 0, 2, 0x82])),
    ]

    private final class Receiver: ExchangeReceiver {
        let done: EventLoopPromise<TransportFailure?>
        var informational = 0
        var whenInformational: () -> Void = {}
        init(_ done: EventLoopPromise<TransportFailure?>) { self.done = done }

        func exchange(informational head: HTTPResponseHead) {
            informational += 1
            whenInformational()
        }
        func exchange(head: HTTPResponseHead) {}
        func exchange(body: ByteBuffer) {}
        func exchangeEnded(trailers: HTTPHeaders?) {}
        func exchangeFailed(_ failure: TransportFailure) { done.succeed(failure) }
    }

    /// Sends one request; returns the failure of its exchange when its connection has closed.
    private func exchange(
        _ server: FloodServer, policy: HTTP2Policy = HTTP2Policy(), pauses: Bool = false
    ) async throws -> TransportFailure? {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let client = try await ClientBootstrap(group: loop).channelOption(.autoRead, value: false).connect(
            host: "127.0.0.1", port: server.port
        )
        .get()
        let done = loop.makePromise(of: TransportFailure?.self)
        loop.execute {
            do {
                let connection = try HTTP2Connection(on: client, isSecure: false, policy: policy) { _ in }
                connection.open { result in
                    guard case .success(let stream) = result else { return done.succeed(nil) }
                    let receiver = Receiver(done)
                    let response = PendingResponse(stream.handler)
                    if pauses {
                        receiver.whenInformational = {
                            response.isPaused = true
                            // Nothing is read until the connection is closed.
                            client.closeFuture.assumeIsolated().whenComplete { _ in response.isPaused = false }
                        }
                    }
                    response.begin(receiver)
                    var head = HTTPRequestHead(version: .http1_1, method: .GET, uri: "/")
                    head.headers.add(name: "Host", value: "a.test")
                    stream.handler.send(head)
                    stream.handler.sendEnd()
                    client.closeFuture.assumeIsolated().whenComplete { _ in
                        withExtendedLifetime((receiver, connection)) {}
                    }
                }
            } catch {
                done.fail(error)
            }
        }
        try await client.closeFuture.get()
        return try await done.futureResult.get()
    }

    private func server(_ flood: Flood) async throws -> FloodServer {
        try await FloodServer(prefix: Self.frame(4, stream: 0) + flood.prefix, repeated: flood.repeated) { received in
            // After the preface: until HEADERS has arrived.
            var rest = received.dropFirst(24)[...]
            while rest.count >= 9 {
                let head = Array(rest.prefix(9))
                if head[3] == 1 { return true }
                rest = rest.dropFirst(9 + Int(head[0]) << 16 + Int(head[1]) << 8 + Int(head[2]))
            }
            return false
        }
    }

    @Test(.timeLimit(.minutes(1)), arguments: floods)
    func `a flood of frames ends the connection`(_ flood: Flood) async throws {
        let server = try await server(flood)
        let failure = try await exchange(server)
        #expect(failure != nil)
        if let code = flood.code { #expect(failure?.code == code, "\(String(describing: failure))") }
        #expect(server.sent < 16 << 20)
    }

    /// HEADERS frames are not subject to flow control: they arrive although the stream is not read.
    @Test(.timeLimit(.minutes(1))) func `unread informational responses end the connection`() async throws {
        let server = try await server(
            Flood(testDescription: "", repeated: Self.frame(1, flags: Self.endHeaders, Self.early)))
        let failure = try await exchange(server, pauses: true)
        #expect(failure?.code == .cannotParseResponse, "\(String(describing: failure))")
        #expect(server.sent < 16 << 20)
    }

    /// A thousand references to one long entry of the table: 5 KB on the wire, 4 MB in memory.
    @Test(.timeLimit(.minutes(1))) func `a header list that grows by compression is refused`() async throws {
        let entry: [UInt8] =
            [0x40, 1, UInt8(ascii: "x"), 0x7F, 0x81, 0x1E] + Array(repeating: UInt8(ascii: "v"), count: 4000)
        let block = Self.ok + entry + Array(repeating: 0xBE, count: 1000)
        let server = try await server(
            Flood(testDescription: "", repeated: Self.frame(1, flags: Self.endHeaders, block)))
        let failure = try await exchange(server)
        #expect(failure?.code == .cannotParseResponse, "\(String(describing: failure))")
        #expect(server.sent < 16 << 20)
    }
}
