package import LinkEmulator

/// The traffic of a client as a capture file shows it, from which a scenario is written. Times are nanoseconds since the
/// start of the capture.
package struct CapturedTraffic: Hashable, Sendable {
    /// In the order of their starts.
    package var exchanges: [CapturedExchange] = []
    package var transfers: [CapturedTransfer] = []
    /// The round trips that were measured, one for each new connection.
    package var roundTrips: [Int64] = []
    package var duration: Int64 = 0
    /// The traffic that is not in `exchanges`, by the reason.
    package var omitted: [String: Int] = [:]

    package init() {}

    mutating func omit(_ reason: String, count: Int = 1) { omitted[reason, default: 0] += count }
}

/// A request with its response.
package struct CapturedExchange: Hashable, Sendable {
    package var url: CapturedURL
    package var method: String
    /// The bytes of the request's body; the bytes themselves are not kept.
    package var requestBytes: Int64 = 0
    package var start: Int64
    package var end: Int64
    /// The server's own time between the whole request and the first byte of the response, without the round trip.
    package var wait: Int64 = 0
    package var status: Int
    /// The media type, without parameters other than the character set.
    package var contentType: String?
    /// The bytes of the response's body on the wire.
    package var responseBytes: Int64 = 0
    /// The length that the response announced, if its body broke off after `responseBytes`.
    package var announcedBytes: Int64?
    /// A text that the body consists of.
    package var text: String?
    /// The target of a redirect.
    package var redirect: CapturedURL?
    package var usesHTTP2 = false
}

/// The bytes of one direction of a connection that were sent without waiting for the other side.
package struct CapturedTransfer: Hashable, Sendable {
    package struct Piece: Hashable, Sendable {
        package var time: Int64
        /// Bytes of layer 3.
        package var bytes: Int64
        package init(time: Int64, bytes: Int64) {
            self.time = time
            self.bytes = bytes
        }
    }

    package var direction: LinkDirectionName
    /// In the order of time.
    package var pieces: [Piece]

    package init(direction: LinkDirectionName, pieces: [Piece]) {
        self.direction = direction
        self.pieces = pieces
    }

    package var bytes: Int64 { pieces.reduce(0) { $0 + $1.bytes } }
}

/// The reason that no scenario can be made of a file.
package enum CaptureError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(String)
    case tooLarge(limit: Int)
    case compressed
    case unknownKind
    case pcapng(PcapngError)
    case json
    case notHAR
    case noTCP(packets: Int)
    case noRequests(String)

    package var description: String {
        switch self {
        case .unreadable(let reason): "it cannot be read: \(reason)"
        case .tooLarge(let limit): "it has more than \(limit >> 20) MiB; capture a shorter time"
        case .compressed: "it is compressed; unpack it first, as with gunzip"
        case .unknownKind: "it is neither a pcapng capture nor a HAR file (JSON)"
        case .pcapng(let error): error.description
        case .json: "it is not valid JSON; an incomplete export of a browser looks like this, so export it again"
        case .notHAR: "it is JSON, but not a HAR file: `log.entries` is not a list"
        case .noTCP(let packets):
            "none of its \(packets) IP packets is TCP; requests over QUIC or inside a VPN cannot be read, so capture without them"
        case .noRequests(let found): "it does not contain a request with a response: \(found)"
        }
    }
}
