import LinkEmulator

/// Reads the requests of TCP connections: HTTP/1 in the clear with its routes, and TLS and HTTP/2 as one request for each
/// connection, with the sizes.
struct HTTPCapture {
    private var traffic = CapturedTraffic()
    private let keepsBodies: Bool
    /// The number of connections whose requests cannot be read.
    private var opaque = 0

    static func traffic(_ packets: [CapturedPacket], keepsBodies: Bool) throws(CaptureError) -> CapturedTraffic {
        let connections = CapturedConnection.all(in: packets)
        guard !connections.isEmpty else { throw .noTCP(packets: packets.count) }
        var capture = HTTPCapture(keepsBodies: keepsBodies)
        for connection in connections { capture.add(connection) }
        guard !capture.traffic.exchanges.isEmpty else {
            throw .noRequests("it has \(connections.count) TCP connections, none of them with HTTP or TLS")
        }
        capture.traffic.exchanges.sort { $0.start < $1.start }
        return capture.traffic
    }

    private init(keepsBodies: Bool) { self.keepsBodies = keepsBodies }

    private mutating func add(_ connection: CapturedConnection) {
        let uplink = CapturedStream(connection.segments.lazy.filter(\.isFromClient))
        let downlink = CapturedStream(connection.segments.lazy.filter { !$0.isFromClient })
        traffic.duration = max(traffic.duration, connection.segments.last?.time ?? 0)
        if let roundTrip = connection.roundTrip { traffic.roundTrips.append(roundTrip) }
        traffic.transfers += Self.transfers(uplink.pieces, downlink.pieces, roundTrip: connection.roundTrip ?? 0)
        if HTTP1Reader.isRequest(uplink.bytes) {
            addRequests(uplink, downlink, toServer: connection.roundTripToServer ?? 0)
        } else if let kind = OpaqueKind(uplink.bytes) {
            addOpaque(kind, uplink, downlink)
        } else if !uplink.bytes.isEmpty || !downlink.bytes.isEmpty {
            traffic.omit("without connections that are neither HTTP nor TLS")
        }
    }

    // MARK: - Requests in the clear

    private mutating func addRequests(_ uplink: CapturedStream, _ downlink: CapturedStream, toServer: Int64) {
        let requests = HTTP1Reader.requests(uplink.bytes)
        let responses = HTTP1Reader.responses(downlink.bytes, methods: requests.map(\.method))
        if requests.count > responses.count {
            traffic.omit("without requests that got no response", count: requests.count - responses.count)
        }
        for (request, response) in zip(requests, responses) {
            let authority = request["host"] ?? CapturedURL.ownHost
            let url =
                request.target.contains("://")
                ? CapturedURL(request.target)
                : CapturedURL(isSecure: false, authority: authority, target: request.target)
            guard let url, !["CONNECT", "TRACE"].contains(request.method), response.status >= 200 else {
                traffic.omit("without requests for tunnels, WebSockets and invalid hosts")
                continue
            }
            let (asked, answered) = (
                uplink.time(of: request.range.upperBound - 1), downlink.time(of: response.range.lowerBound)
            )
            var exchange = CapturedExchange(
                url: url, method: request.method, start: uplink.time(of: request.range.lowerBound),
                end: downlink.time(of: response.range.upperBound - 1), status: response.status)
            exchange.requestBytes = Int64(request.bodyCount)
            exchange.wait = max(0, answered - asked - toServer)
            exchange.contentType = response["content-type"].flatMap(MediaType.plain)
            exchange.responseBytes = Int64(response.bodyCount)
            if keepsBodies { exchange.text = text(response, in: downlink.bytes, exchange.contentType) }
            if [301, 302, 303, 307, 308].contains(response.status) {
                exchange.redirect = response["location"].flatMap(url.resolving)
            }
            traffic.exchanges.append(exchange)
        }
    }

    private func text(_ response: HTTP1Message, in bytes: [UInt8], _ type: String?) -> String? {
        guard response["content-encoding"] == nil, !response.isChunked, response.bodyCount > 0,
            response.bodyCount <= HARFile.mostText, MediaType.isText(type ?? "")
        else { return nil }
        return String(validating: bytes[response.range.suffix(response.bodyCount)], as: UTF8.self)
    }

    // MARK: - Connections that cannot be read

    private mutating func addOpaque(_ kind: OpaqueKind, _ uplink: CapturedStream, _ downlink: CapturedStream) {
        guard !downlink.bytes.isEmpty else { return traffic.omit("without connections that got no response") }
        // The first bytes of both sides are the handshake; those that the client sends next contain its request.
        let first = downlink.time(of: 0)
        let later = uplink.count(before: first)
        let start = later < uplink.bytes.count ? uplink.time(of: later) : first
        opaque += 1
        let url = CapturedURL(
            isSecure: kind.isSecure, authority: kind.serverName ?? CapturedURL.ownHost, target: "/connection-\(opaque)")
        guard let url else { return traffic.omit("without connections to invalid hosts") }
        let sent = uplink.bytes.count - later
        var exchange = CapturedExchange(
            url: url, method: sent > Self.leastUpload ? "POST" : "GET", start: start,
            end: downlink.time(of: downlink.bytes.count - 1), status: 200)
        if sent > Self.leastUpload { exchange.requestBytes = Int64(sent) }
        exchange.responseBytes = Int64(downlink.bytes.count - downlink.count(before: start))
        traffic.exchanges.append(exchange)
        traffic.omit("one request for each connection with TLS or HTTP/2")
    }

    /// Heads of requests are shorter.
    private static let leastUpload = 16_384

    // MARK: - Transfers

    /// Separates what one side sent at a stretch. The other side's data in between ends a transfer only if the next
    /// piece comes a round trip later, as the response to a request does; acknowledgements of HTTP/2 do not.
    static func transfers(
        _ uplink: [CapturedTransfer.Piece], _ downlink: [CapturedTransfer.Piece], roundTrip: Int64
    ) -> [CapturedTransfer] {
        let pause = max(1_000_000, roundTrip / 10 * 9)
        func split(
            _ pieces: [CapturedTransfer.Piece], _ others: [CapturedTransfer.Piece], _ direction: LinkDirectionName
        ) -> [CapturedTransfer] {
            var found: [CapturedTransfer] = []
            var other = 0
            for piece in pieces {
                let before = other
                while other < others.count, others[other].time <= piece.time { other += 1 }
                if let last = found.last?.pieces.last, other == before || piece.time - last.time < pause {
                    found[found.count - 1].pieces.append(piece)
                } else {
                    found.append(CapturedTransfer(direction: direction, pieces: [piece]))
                }
            }
            return found
        }
        return split(uplink, downlink, .uplink) + split(downlink, uplink, .downlink)
    }
}

/// The kinds of connections whose requests cannot be read.
private struct OpaqueKind {
    var isSecure: Bool
    /// The name in a ClientHello.
    var serverName: String?

    init?(_ bytes: [UInt8]) {
        if bytes.starts(with: "PRI * HTTP/2.0\r\n".utf8) {
            isSecure = false
        } else if bytes.count > 5, bytes[0] == 0x16, bytes[1] == 3 {
            isSecure = true
            serverName = OpaqueKind.serverName(bytes)
        } else {
            return nil
        }
    }

    /// Reads the server name of a ClientHello in the first record (RFC 8446 §4.1.2, RFC 6066 §3).
    private static func serverName(_ bytes: [UInt8]) -> String? {
        func number(_ offset: Int, _ count: Int) -> Int? {
            offset + count <= bytes.count ? bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } : nil
        }
        // The headers of record and message, the version and the random bytes; then three lists to skip.
        var offset = 5 + 4 + 2 + 32
        for width in [1, 2, 1] {
            guard let count = number(offset, width) else { return nil }
            offset += width + count
        }
        offset += 2
        while let type = number(offset, 2), let count = number(offset + 2, 2) {
            offset += 4
            if type == 0, let name = number(offset + 3, 2), offset + 5 + name <= bytes.count {
                return String(validating: bytes[offset + 5..<offset + 5 + name], as: UTF8.self)
            }
            offset += count
        }
        return nil
    }
}
