package import Record
package import ScenarioLanguage
package import AdapterProtocol

/// One request as the origin received it, with its response.
package struct WireRequest: Sendable {
    package var number: Int
    package var connection: Int
    /// The number of the exchange on its connection, from 1.
    package var exchange: Int
    package var method: String
    package var target: String
    package var headers: [HeaderField]
    package var moment: RecordView.Moment
    /// The length of the body; nil while it is incomplete.
    package var bodyBytes: Int64?
    package var bodyDiffersAt: Int64?
    package var bodyText: String?
    package var status: Int?
    package var responseHeaders: [HeaderField] = []
    /// The number of response body bytes handed to the kernel.
    package var sentBytes: Int64 = 0
    package var hasResponse = false
    /// The effects of the faults that were applied to it.
    package var faults: [Labelled<Fault.Effect.Word>] = []
    /// The HTTP/2 stream; nil in HTTP/1.1.
    package var stream: Int?
    /// The priority in the HEADERS frame; nil if there was none.
    package var priority: String?

    package var path: String { String(target.prefix { $0 != "?" }) }

    package func header(_ name: String) -> String? { headers.value(of: name) }

    /// True if the response names a content coding, which changes the length of its body.
    var isCoded: Bool { responseHeaders.isCoded }

    /// Returns true if the request offers to decode this coding (RFC 9110 §12.5.3).
    func offers(_ coding: String) -> Bool {
        headers.tokens(of: "Accept-Encoding").contains {
            ($0.token == coding || $0.token == "*") && !$0.hasZeroQuality
        }
    }

    /// The end, within the resource, of the bytes that this response sent.
    var sentBytesEnd: Int64 { (status == 206 ? contentRange?.first ?? 0 : 0).plus(sentBytes) }

    /// The first byte of a `Range: bytes=N-` (or `N-M`) header.
    package var rangeStart: Int64? {
        guard let range = header("Range"), range.hasPrefix("bytes=") else { return nil }
        return Int64(range.dropFirst(6).prefix { $0 != "-" })
    }

    /// The first byte and complete length in the response's `Content-Range: bytes N-M/L`.
    package var contentRange: (first: Int64, complete: Int64?)? {
        guard let text = responseHeaders.value(of: "Content-Range"), text.hasPrefix("bytes ") else { return nil }
        guard let first = Int64(text.dropFirst(6).prefix { $0 != "-" }) else { return nil }
        return (first, text.split(separator: "/").last.flatMap { Int64($0) })
    }
}

extension [HeaderField] {
    /// Returns the first value of the field with this name, ignoring case.
    package func value(of name: String) -> String? {
        first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var isCoded: Bool { !codings.isEmpty }

    /// The content codings, in the order in which they were applied.
    var codings: [String] { tokens(of: "Content-Encoding").map(\.token).filter { $0 != "identity" } }

    /// Returns the members of a list of tokens in lower case, in the order of the fields.
    fileprivate func tokens(of name: String) -> [(token: String, hasZeroQuality: Bool)] {
        filter { $0.name.lowercased() == name.lowercased() }.flatMap { $0.value.split(separator: ",") }.compactMap {
            let parts = $0.split(separator: ";").map { $0.lowercased().filter { !$0.isWhitespace } }
            guard let token = parts.first, !token.isEmpty else { return nil }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }?.dropFirst(2)
            return (token == "x-gzip" ? "gzip" : token, quality.flatMap { Double($0) } == 0)
        }
    }
}

extension [WireRequest] {
    mutating func note(_ fact: ServerFact, _ moment: RecordView.Moment) {
        switch fact {
        case .requestHead(let connection, let exchange, let request, let method, let target, let headers):
            append(
                WireRequest(
                    number: request, connection: connection, exchange: exchange, method: method, target: target,
                    headers: headers, moment: moment))
        case .requestEnded(let request, let bytes, let differsAt, let text):
            change(request) {
                $0.bodyBytes = bytes
                $0.bodyDiffersAt = differsAt
                $0.bodyText = text
            }
        case .responseHead(let request, let status, let headers):
            change(request) {
                $0.status = status
                $0.responseHeaders = headers
            }
        case .responseBody(let request, let bytes): change(request) { $0.sentBytes = Swift.max($0.sentBytes, bytes) }
        case .responseEnded(let request, let bytes):
            change(request) {
                $0.sentBytes = Swift.max($0.sentBytes, bytes)
                $0.hasResponse = true
            }
        case .stream(let request, let stream, let priority):
            change(request) {
                $0.stream = stream
                $0.priority = priority
            }
        case .fault(_, let request?, _, let effect): change(request) { $0.faults.append(Labelled(text: effect)) }
        default: break
        }
    }

    private mutating func change(_ number: Int, _ body: (inout WireRequest) -> Void) {
        guard let index = lastIndex(where: { $0.number == number }) else { return }
        body(&self[index])
    }
}
