public import Foundation
import FoundationNetworking
package import NIOCore

/// Pairs of streams that are not part of a session. They are used as other streams of Foundation: with a delegate on a
/// run loop, or on threads that may block.
public enum AdaptableStream {
    /// Returns a pair of streams to a host name, an IPv4 address or an IPv6 address (NSTR-03). The connection is opened
    /// when the first of the two streams is opened, without a proxy; a failure is the `streamError` (`URLError`) of
    /// both. It ends when both are closed or released and all written bytes have been sent. A port outside 1 to 65535
    /// is `URLError.badURL`.
    public static func getStreamsToHost(
        withName hostname: String, port: Int, inputStream: inout InputStream?, outputStream: inout OutputStream?
    ) {
        (inputStream, outputStream) = StreamConnection { $0(.success([(hostname, port)])) }.makeStreams()
    }

    /// Returns an input stream that reads what is written to the output stream, in order (NSTR-04). At most
    /// `bufferSize` bytes, and at least one, are written and not yet read; writing blocks until there is room. The
    /// input ends after the last byte when the output stream is closed or released. Writing fails when the input stream
    /// is closed or released.
    public static func getBoundStreams(
        withBufferSize bufferSize: Int, inputStream: inout InputStream?, outputStream: inout OutputStream?
    ) {
        let buffer = BoundStreamBuffer(capacity: bufferSize)
        (inputStream, outputStream) = (
            CapturedInputStream(buffer, offer: 0), CapturedOutputStream(buffer, offer: 0)
        )
    }
}

/// A connection that is used through a pair of streams.
package struct StreamConnection: Sendable {
    /// Connects streams without the proxies and the stores of other sessions.
    private static let session: AdaptableSession = {
        let configuration = AdaptableSessionConfiguration.ephemeral
        configuration.connectionProxyDictionary = [:]
        return AdaptableSession(configuration: configuration)
    }()

    private let connection: CapturedConnection

    /// Creates a connection that is opened with the first of its streams. `resolve` then finds the hosts and ports to
    /// try, in this order, or the reason why there are none; it calls back once, on any thread.
    package init(
        resolvingWith resolve:
            @escaping @Sendable (@escaping @Sendable (Result<[(host: String, port: Int)], any Error>) -> Void) -> Void
    ) {
        let session = Self.session
        connection = CapturedConnection(on: session.eventLoop) { connection in
            resolve { result in
                switch result {
                case .success(let places):
                    session.connect(StreamPairTarget(connection: connection, session: session, rest: places[...]))
                case .failure(let error): session.eventLoop.execute { connection.failed(error) }
                }
            }
        }
    }

    /// Takes over an accepted channel that does not read by itself. Must be called on the channel's event loop, before
    /// the first read.
    package init(accepting channel: any Channel) throws {
        let handler = StreamHandler()
        try channel.pipeline.syncOperations.addHandler(handler)
        connection = CapturedConnection(
            channel: channel, handler: handler, unread: ByteBuffer(), hasInputEnded: false, isOutputClosed: false)
    }

    /// Creates the connection's streams; for one pair only.
    package func makeStreams() -> (InputStream, OutputStream) { connection.makeStreams() }

    /// Closes a connection whose streams are not needed.
    package func close() {
        connection.closeInput()
        connection.closeOutput()
    }
}

/// The connection of a pair of streams and the places that have not been tried.
struct StreamPairTarget: Sendable {
    let connection: CapturedConnection
    let session: AdaptableSession
    var rest: ArraySlice<(host: String, port: Int)>

    /// Called on the session's event loop.
    func failed(_ error: any Error) { rest.isEmpty ? connection.failed(error) : session.connect(self) }
}

extension AdaptableSession {
    /// Connects to the target's next place.
    fileprivate func connect(_ target: StreamPairTarget) {
        var target = target
        let connection = target.connection
        guard let place = target.rest.popFirst() else {
            return eventLoop.execute {
                connection.failed(URLError.made(.cannotFindHost, "The service does not have an address.", nil))
            }
        }
        let (number, rest) = (nextIdentifier(), target)
        let task = AdaptableSessionStreamTask(session: self, identifier: number, load: number, facts: TaskFacts())
        perform { $0.add(StreamLoad(task, host: place.host, port: place.port, core: $0, pair: rest)) }
        task.resume()
        task.captureStreams()
    }
}
