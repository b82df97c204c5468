package import AdapterProtocol

/// The HTTP/1.1 wire format of a route's response: legal but rare forms, and incorrect framing.
package struct WirePlan: Hashable, Sendable {
    /// A 1xx response before the final response.
    package struct Interim: Hashable, Sendable {
        package var status: Int
        package var headers: [HeaderField]
        package init(status: Int, headers: [HeaderField] = []) {
            self.status = status
            self.headers = headers
        }
    }
    package enum LineEnd: String, CaseIterable, Hashable, Sendable {
        case crlf = "CRLF"
        case lf = "LF"
        case cr = "CR"
    }

    /// Sent when the request is complete, before the route's delay.
    package var interim: [Interim] = []
    /// The data size of each chunk except the last.
    package var chunkSize = ByteCount(64 * 1024)!
    /// The trailer fields after the last chunk.
    package var trailers: [HeaderField] = []

    /// Text that replaces the status line.
    package var statusLine: String?
    /// The values of Content-Length, one field for each; nil: the correct field.
    package var contentLength: [String]?
    /// Lines at the end of the head, sent byte for byte.
    package var lines: [String] = []
    /// The length of the value of one additional field.
    package var longHeader: ByteCount?
    /// The number of additional fields.
    package var manyHeaders: Int?
    /// The line end in the head.
    package var lineEnd = LineEnd.crlf
    /// Size lines that replace those of the k-th chunks.
    package var chunkLines: [Int: String] = [:]
    /// The final, empty chunk is not sent.
    package var omitsLastChunk = false
    /// A body is sent where none is allowed: after HEAD, with 204 and 304.
    package var sendsForbiddenBody = false
    /// The head is not sent, as in HTTP/0.9.
    package var omitsHead = false
    /// Bytes after the complete response.
    package var surplus: String?
    /// The connection closes after the response, whatever the head announces; nil: as the head announces.
    package var closes: Bool?
    package init() {}
}
