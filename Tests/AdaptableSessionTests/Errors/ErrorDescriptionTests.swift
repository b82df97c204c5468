import NetworkMonitor
import Foundation
import FoundationNetworking
import Glibc
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import OpenSSLTLS
import Synchronization
import Testing

@testable import AdaptableSession

/// People read these texts, and programs read the URL and errno.
@Suite struct ErrorDescriptionTests {
    private static let url = URL(string: "http://host.test/path?q=1")

    /// Names that only developers of the underlying libraries understand.
    private static let insides = [
        "NIO", "ChannelError", "IOError", "HTTPParserError", "ResponseSyntaxError", "HTTP2Error", "ByteToMessage",
        "SocketAddressError",
        "TransportFailure",
        "TLSError", "errno", "Optional(", "Error Domain", "(null)", "HostLookupError", "DecodingError", "Cocoa",
    ]

    private static func check(_ error: URLError?, _ url: URL?, number: CInt? = nil) {
        guard let error else {
            Issue.record("no URLError")
            return
        }
        #expect(error.failingURL == url)
        #expect(error.userInfo["NSErrorFailingURLStringKey"] as? String == url?.absoluteString)
        let underlying = (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { $0 as NSError }
        #expect(underlying?.domain == number.map { _ in NSPOSIXErrorDomain })
        #expect(underlying?.code == number.map { Int($0) })
        for text in [error.localizedDescription, underlying?.localizedDescription ?? "none"] {
            #expect(!text.isEmpty)
            #expect(!insides.contains { text.contains($0) }, "\(text)")
        }
        #expect(error.localizedDescription == error.userInfo[NSLocalizedDescriptionKey] as? String)
    }

    /// All errors that a channel may throw on a connection.
    private static let connectionErrors: [(any Error, CInt?)] = [
        (IOError(errnoCode: ECONNRESET, reason: "read(descriptor:pointer:size:)"), ECONNRESET),
        (IOError(errnoCode: ETIMEDOUT, reason: "connection reset (error set)"), ETIMEDOUT),
        (ChannelError.eof, nil), (ChannelError.ioOnClosedChannel, nil), (ChannelError.inputClosed, nil),
        (ChannelError.outputClosed, nil),
        (ChannelError.connectTimeout(.seconds(3)), nil), (ChannelError.writeMessageTooLarge, nil),
        (ResponseSyntaxError.status, nil), (ResponseSyntaxError.tooLong, nil), (ResponseSyntaxError.chunkSize, nil),
        (ResponseSyntaxError.version, nil), (ResponseSyntaxError.truncated, nil),
        (NIOHTTP2Errors.excessiveEmptyDataFrames(), nil), (NIOHTTP2Errors.badClientMagic(), nil),
        (NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .protocolError), nil),
        (SocketAddressError.unsupported, nil),
        (TLSError.truncated, nil), (TLSError.alertReceived(40), nil),
        (TLSError.peerNotTrusted(reason: "certificate has expired", code: 10), nil),
        (TransportFailure.lost("the connection was closed"), nil),
        (TransportFailure.proxy(.failed("the proxy is silent")), nil),
        (TransportFailure.goneAway(served: true), nil), (TransportFailure.streamRefused, nil),
        (CocoaError(.fileWriteOutOfSpace), nil), (POSIXError(.ENOSPC), ENOSPC),
    ]

    @Test func `errors of a connection are described in plain words`() {
        for (error, number) in Self.connectionErrors {
            Self.check(TransportFailure(onConnection: error).urlError(Self.url), Self.url, number: number)
        }
    }

    @Test func `failed connection attempts are described in plain words`() {
        let failure = Dialer.Failure(
            reason: .refused, host: "host.test",
            errors: [
                HostLookupError.unanswered, IOError(errnoCode: ECONNREFUSED, reason: "connect(descriptor:addr:size:)"),
            ])
        let error = TransportFailure(failure).urlError(Self.url)
        Self.check(error, Self.url, number: ECONNREFUSED)
        #expect(error.localizedDescription.contains("Connection refused"))
    }

    // MARK: As an application receives them

    struct Failing: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: URLError.Code
        var number: CInt?
        /// nil: no server listens.
        var response: (@Sendable (ScriptedServer.Request) -> [ScriptedServer.Step])?
        var url: (@Sendable (URL) -> URL) = { $0 }
    }

    private static let table = [
        Failing(testDescription: "refused", code: .cannotConnectToHost, number: ECONNREFUSED),
        Failing(testDescription: "closed at once", code: .networkConnectionLost) { _ in [.close] },
        Failing(testDescription: "closed in the body", code: .networkConnectionLost) { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\none"), .close]
        },
        Failing(testDescription: "not HTTP", code: .cannotParseResponse) { _ in [.send("garbage\r\n\r\n")] },
        Failing(testDescription: "no status", code: .cannotParseResponse) { _ in [.send("HTTP/1.1 xyz OK\r\n\r\n")] },
        Failing(testDescription: "a bad chunk", code: .cannotParseResponse) { _ in
            [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n")]
        },
        Failing(testDescription: "a bad coding", code: .cannotDecodeContentData) { _ in
            [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nhello")]
        },
        Failing(testDescription: "redirects without an end", code: .httpTooManyRedirects) { request in
            [.send("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")]
        },
        Failing(
            testDescription: "a missing file", code: .fileDoesNotExist,
            url: { _ in URL(fileURLWithPath: "/nowhere/at/all") }),
        Failing(
            testDescription: "an unknown scheme", code: .unsupportedURL,
            url: { URL(string: "gopher://host.test/x") ?? $0 }),
    ]

    private final class Listener: AdaptableSessionDownloadDelegate, AdaptableSessionDataDelegate {
        private let promise = MultiThreadedEventLoopGroup.singleton.any().makePromise(of: (any Error)?.self)

        func urlSession(
            _ session: AdaptableSession, downloadTask: AdaptableSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) {}

        func urlSession(
            _ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?
        ) {
            promise.succeed(error)
        }

        func error() async throws -> (any Error)? { try await promise.futureResult.get() }
    }

    @Test(.timeLimit(.minutes(1)), arguments: table)
    func `an application receives the URL, errno and a plain description from every kind of task`(_ failing: Failing)
        async throws
    {
        let server = try await ScriptedServer(failing.response ?? { _ in [.close] })
        // A port on which no server listens any more.
        let unused = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
            host: "127.0.0.1", port: 0
        ).get()
        let port = unused.localAddress?.port ?? 0
        try await unused.close().get()
        let http = failing.response == nil ? URL(string: "http://127.0.0.1:\(port)/a?b=c") : server.url("/")
        let url = failing.url(try #require(http))
        let session = AdaptableSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }

        var errors: [any Error] = []
        do { _ = try await session.data(from: url) } catch { errors.append(error) }
        do { _ = try await session.bytes(from: url).0.reduce(0) { sum, _ in sum + 1 } } catch { errors.append(error) }
        do { _ = try await session.download(from: url) } catch { errors.append(error) }
        await withCheckedContinuation { (done: CheckedContinuation<(any Error)?, Never>) in
            session.dataTask(with: url) { _, _, error in
                done.resume(returning: error)
            }.resume()
        }.map { errors.append($0) }
        for isDownload in [false, true] {
            let listener = Listener()
            let notified = AdaptableSession(configuration: .ephemeral, delegate: listener, delegateQueue: nil)
            let task = isDownload ? notified.downloadTask(with: url) : notified.dataTask(with: url)
            task.resume()
            try await listener.error().map { errors.append($0) }
            task.error.map { errors.append($0) }
            notified.invalidateAndCancel()
        }
        #expect(errors.count == 8)
        for error in errors {
            #expect((error as? URLError)?.code == failing.code, "\(error)")
            Self.check(error as? URLError, url, number: failing.number)
        }
    }

    @Test(.timeLimit(.minutes(1))) func `a cancelled task, a timeout and a missing file to upload name their URL`()
        async throws
    {
        let server = try await ScriptedServer { _ in [] }
        let url = server.url("/slow")
        let session = AdaptableSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let cancelled = await withCheckedContinuation { done in
            let task = session.dataTask(with: url) { _, _, error in done.resume(returning: error as? URLError) }
            task.resume()
            task.cancel()
        }
        #expect(cancelled?.code == .cancelled)
        Self.check(cancelled, url)
        let timedOut = await #expect(throws: URLError.self) {
            try await session.data(for: URLRequest(url: url, timeoutInterval: 0.2))
        }
        #expect(timedOut?.code == .timedOut)
        Self.check(timedOut, url)
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        let missing = await #expect(throws: URLError.self) {
            try await session.upload(for: request, fromFile: URL(fileURLWithPath: "/nowhere/at/all"))
        }
        #expect(missing?.code == .fileDoesNotExist)
        #expect(missing?.failingURL == url)
    }

    /// A stream task does not have a URL; its description is plain nevertheless.
    @Test(.timeLimit(.minutes(1))) func `a stream that cannot connect reports errno`() async throws {
        let unused = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton).bind(
            host: "127.0.0.1", port: 0
        ).get()
        let port = unused.localAddress?.port ?? 0
        try await unused.close().get()
        let session = AdaptableSession(configuration: .ephemeral)
        defer { session.invalidateAndCancel() }
        let task = session.streamTask(withHostName: "127.0.0.1", port: port)
        task.resume()
        let error = await withCheckedContinuation { done in
            task.readData(ofMinLength: 1, maxLength: 10, timeout: 0) { _, _, error in
                done.resume(returning: error as? URLError)
            }
        }
        #expect(error?.code == .cannotConnectToHost)
        Self.check(error, nil, number: ECONNREFUSED)
    }
}
