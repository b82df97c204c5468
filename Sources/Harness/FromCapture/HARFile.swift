import AdapterProtocol
import Foundation
import LinkEmulator

/// Reads a HAR file (HTTP Archive 1.2), as browsers and proxies export it. Times in it are milliseconds as decimal
/// numbers; an absent, null or negative number means "unknown".
struct HARFile {
    private var traffic = CapturedTraffic()
    private let keepsBodies: Bool
    /// The round trip of requests on reused connections, for which the file has none.
    private var usualRoundTrip: Int64 = 0
    /// Texts that are longer become sizes.
    static let mostText = 4096

    /// - Parameter keepsBodies: true to copy small bodies of text from responses.
    static func traffic(_ bytes: [UInt8], keepsBodies: Bool) throws(CaptureError) -> CapturedTraffic {
        // Some exports begin with a byte order mark.
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
        guard let value = JSONValue.parse(text) else { throw .json }
        guard let entries = value.object?["log"]?.object?["entries"]?.list else { throw .notHAR }
        var file = HARFile(keepsBodies: keepsBodies)
        let read = entries.compactMap { $0.object.flatMap(Entry.init) }
        file.traffic.omit("without entries that lack a start or a URL", count: entries.count - read.count)
        let origin = read.map(\.started).min() ?? 0
        let roundTrips = read.compactMap(\.roundTrip).sorted()
        if !roundTrips.isEmpty { file.usualRoundTrip = roundTrips[roundTrips.count / 2] }
        for entry in read.sorted(by: { $0.started < $1.started }) { file.add(entry, since: origin) }
        file.traffic.omitted = file.traffic.omitted.filter { $0.value > 0 }
        guard !file.traffic.exchanges.isEmpty else {
            throw .noRequests("it has \(entries.count) entries, none of them with a response over HTTP from a server")
        }
        return file.traffic
    }

    private init(keepsBodies: Bool) { self.keepsBodies = keepsBodies }

    // MARK: - Entries

    private mutating func add(_ entry: Entry, since origin: Int64) {
        guard let url = CapturedURL(entry.url) else {
            return traffic.omit("without requests whose URL is not http or https")
        }
        // Browsers report blocked and failed requests with the status 0.
        guard (200...599).contains(entry.status) else {
            return traffic.omit(
                entry.status == 101 ? "without connections of WebSockets" : "without requests that got no response")
        }
        guard !entry.isFromCache else {
            return traffic.omit("without requests that the browser served from its cache")
        }
        guard !["CONNECT", "TRACE"].contains(entry.method) else {
            return traffic.omit("without requests of the methods CONNECT and TRACE")
        }
        let start = entry.started - origin
        traffic.duration = max(traffic.duration, start + entry.whole)
        if let roundTrip = entry.roundTrip { traffic.roundTrips.append(roundTrip) }
        var exchange = CapturedExchange(
            url: url, method: entry.method, start: start, end: start + entry.whole, status: entry.status)
        exchange.requestBytes = entry.requestBytes
        exchange.wait = max(0, entry.time("wait") - (entry.roundTrip ?? usualRoundTrip))
        exchange.contentType = entry.contentType
        exchange.responseBytes = entry.responseBytes
        exchange.announcedBytes = entry.announcedBytes
        if entry.status == 206 { traffic.omit("parts of a resource are whole responses of their size") }
        if keepsBodies { exchange.text = entry.text }
        exchange.redirect = entry.redirect.flatMap(url.resolving)
        exchange.usesHTTP2 = entry.usesHTTP2
        traffic.exchanges.append(exchange)
        addTransfer(.uplink, exchange.requestBytes, ends: start + entry.beforeWait, lasting: entry.time("send"))
        addTransfer(.downlink, exchange.responseBytes, ends: start + entry.whole, lasting: entry.time("receive"))
    }

    /// Adds a transfer whose bytes came evenly, because a HAR file does not have more about it.
    private mutating func addTransfer(_ direction: LinkDirectionName, _ bytes: Int64, ends: Int64, lasting: Int64) {
        guard bytes > 0, lasting > 0 else { return }
        let count = min(max(1, bytes / 1500), 20_000)
        let pieces = (0...count).map { index in
            let (share, time) = (bytes / count, ends - lasting + lasting * index / count)
            return CapturedTransfer.Piece(time: time, bytes: index == 0 ? 0 : share)
        }
        traffic.transfers.append(CapturedTransfer(direction: direction, pieces: pieces))
    }
}

/// One entry of a HAR file.
private struct Entry {
    private let timings: [String: JSONValue]
    private let request: [String: JSONValue]
    private let response: [String: JSONValue]
    private let content: [String: JSONValue]
    /// Nanoseconds since the Unix epoch.
    let started: Int64
    /// The whole time of the entry in nanoseconds.
    let whole: Int64
    let url: String
    let method: String
    let status: Int
    let isFromCache: Bool

    init?(_ entry: [String: JSONValue]) {
        guard let started = entry["startedDateTime"]?.text.flatMap(Entry.nanoseconds),
            let request = entry["request"]?.object, let url = request["url"]?.text
        else { return nil }
        self.started = started
        self.request = request
        self.url = url
        method = request["method"]?.text ?? "GET"
        response = entry["response"]?.object ?? [:]
        content = response["content"]?.object ?? [:]
        status = response["status"]?.number.flatMap { Int(exactly: $0) } ?? 0
        timings = entry["timings"]?.object ?? [:]
        // Chrome's own field; other browsers do not list such requests.
        isFromCache = entry["_fromCache"]?.text != nil
        let parts = ["blocked", "dns", "connect", "send", "wait", "receive"]
        let sum = parts.reduce(0) { [timings] in $0 + Entry.time(timings[$1]) }
        whole = max(Entry.time(entry["time"]), sum)
        isTLSApart = Entry.isTLSApart(timings, sum: sum, whole: Entry.time(entry["time"]))
    }

    // MARK: - Times

    /// True if `connect` does not contain the time of TLS, unlike in the specification: Firefox.
    private let isTLSApart: Bool

    private static func isTLSApart(_ timings: [String: JSONValue], sum: Int64, whole: Int64) -> Bool {
        let tls = time(timings["ssl"])
        return tls > 0 && whole > 0 && abs(whole - sum - tls) < abs(whole - sum)
    }

    /// Returns nanoseconds; 0 for an unknown time. An hour is longer than any request that is worth repeating.
    private static func time(_ value: JSONValue?) -> Int64 {
        guard let milliseconds = value?.number, milliseconds > 0 else { return 0 }
        return Int64(min(milliseconds, 3_600_000) * 1e6)
    }

    func time(_ name: String) -> Int64 { Entry.time(timings[name]) }

    /// The time from the start to the end of the request.
    var beforeWait: Int64 { max(0, whole - time("wait") - time("receive")) }

    /// The time of the TCP handshake; nil for a reused connection.
    var roundTrip: Int64? {
        let connect = time("connect") - (isTLSApart ? 0 : time("ssl"))
        return connect > 0 ? connect : nil
    }

    /// Parses `2026-08-01T12:00:00.000+02:00`, with any number of decimals.
    private static func nanoseconds(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: #/(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)/#),
            let date = ISO8601DateFormatter().date(from: "\(match.1)\(match.3)")
        else { return nil }
        let fraction = match.2.flatMap { Double("0\($0)") } ?? 0
        return Int64(date.timeIntervalSince1970) * 1_000_000_000 + Int64(fraction * 1e9)
    }

    // MARK: - Contents

    private static func size(_ value: JSONValue?) -> Int64? {
        value?.number.flatMap { $0 >= 0 && $0 < 1e12 ? Int64($0) : nil }
    }

    var requestBytes: Int64 {
        let size = Entry.size(request["bodySize"]) ?? 0
        if size > 0 { return size }
        return Int64(request["postData"]?.object?["text"]?.text?.utf8.count ?? 0)
    }

    /// The bytes on the wire: Firefox and proxies have `bodySize`, Chrome has `_transferSize` with the head, and where both
    /// are unknown, those after decoding are the nearest.
    var responseBytes: Int64 {
        let decoded = Entry.size(content["size"]) ?? 0
        if let size = Entry.size(response["bodySize"]), size > 0 { return size }
        if let transferred = Entry.size(response["_transferSize"]), transferred > 0, decoded > 0 {
            let body = transferred - (Entry.size(response["headersSize"]) ?? 0)
            if body > 0 { return body }
        }
        return max(0, decoded - (Entry.size(content["compression"]) ?? 0))
    }

    /// The announced length of a body that the network broke off. Chrome reports that as an error beside the response, and
    /// also that a script or the user stopped reading (`net::ERR_ABORTED`) or that the browser did (`net::ERR_BLOCKED_…`).
    var announcedBytes: Int64? {
        guard let error = response["_error"]?.text, error.hasPrefix("net::ERR_"), error != "net::ERR_ABORTED",
            !error.hasPrefix("net::ERR_BLOCKED"), method != "HEAD", status != 304,
            let length = header("content-length").flatMap({ Int64($0) }), length > responseBytes,
            length < 1_000_000_000_000
        else { return nil }
        return length
    }

    private func header(_ name: String) -> String? {
        response["headers"]?.list?.lazy.compactMap(\.object)
            .first { $0["name"]?.text?.lowercased() == name }?["value"]?.text
    }

    var contentType: String? { content["mimeType"]?.text.flatMap(MediaType.plain) }

    var text: String? {
        guard content["encoding"]?.text == nil, let text = content["text"]?.text, !text.isEmpty,
            text.utf8.count <= HARFile.mostText, MediaType.isText(contentType ?? "")
        else { return nil }
        return text
    }

    var redirect: String? {
        guard [301, 302, 303, 307, 308].contains(status) else { return nil }
        return response["redirectURL"]?.text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Chrome writes h2, Firefox HTTP/2.
    var usesHTTP2: Bool {
        let version = (response["httpVersion"]?.text ?? request["httpVersion"]?.text ?? "").lowercased()
        return ["h2", "http/2", "http/2.0"].contains(version)
    }
}

/// The parts of media types that a scenario keeps.
enum MediaType {
    /// Returns `type/subtype` with the character set, if any; other parameters may be anything.
    static func plain(_ text: String) -> String? {
        let parts = text.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
        guard let type = parts.first, type.wholeMatch(of: #/[a-z0-9.+-]+\/[a-z0-9.+-]+/#) != nil else { return nil }
        let set = parts.dropFirst().first { $0.wholeMatch(of: #/charset="?[a-z0-9_-]+"?/#) != nil }
        return type + (set.map { "; " + $0.filter { $0 != "\"" } } ?? "")
    }

    static func isText(_ type: String) -> Bool {
        let type = type.prefix { $0 != ";" }
        return type.hasPrefix("text/") || ["json", "xml", "javascript"].contains(where: type.hasSuffix)
    }
}
