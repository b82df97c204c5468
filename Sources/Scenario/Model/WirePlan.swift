package import AdapterProtocol

/// How a route's answer stands on the wire of HTTP/1.1: what is legal but rare, and where the framing lies.
package struct WirePlan: Hashable, Sendable {
    /// A 1xx response before the answer.
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
    /// How much data each chunk but the last has.
    package var chunkSize = ByteCount(64 * 1024)!
    /// After the last chunk.
    package var trailers: [HeaderField] = []

    /// In place of the status line.
    package var statusLine: String?
    /// The values of Content-Length, as many fields as there are values; nil: as it should be.
    package var contentLength: [String]?
    /// Head lines after all others, byte for byte.
    package var lines: [String] = []
    /// One more field with a value of this length.
    package var longHeader: ByteCount?
    /// So many more fields.
    package var manyHeaders: Int?
    /// Ends the lines of the head.
    package var lineEnd = LineEnd.crlf
    /// The size line of the k-th chunk.
    package var chunkLines: [Int: String] = [:]
    /// Chunks end without the last one, which has no data.
    package var omitsLastChunk = false
    /// A body where none may be: after HEAD, with 204 and 304.
    package var sendsForbiddenBody = false
    /// No head at all, as in HTTP/0.9.
    package var omitsHead = false
    /// Bytes behind the complete answer.
    package var surplus: String?
    /// Whether the connection ends after the answer, whatever its head says; nil: as its head says.
    package var closes: Bool?
    package init() {}
}
