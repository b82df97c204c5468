import AdapterProtocol
import GeneratedBodies
import ScenarioLanguage

/// One response, decided completely before its first byte is written.
struct ResponsePlan: Hashable {
    enum Body: Hashable {
        case bytes([UInt8])
        case pattern(key: PatternBody.Key, from: Int64, count: Int64)

        var count: Int64 {
            switch self {
            case .bytes(let bytes): Int64(bytes.count)
            case .pattern(key: _, from: _, let count): count
            }
        }
    }

    var status: Int
    /// The fields as written, in this order.
    var headers: [HeaderField]
    /// The body that is really sent: empty for HEAD, 204 and 304.
    var body: Body
    var framing: Resource.Framing
    /// True if the connection ends after this response.
    var closes: Bool
    /// The body that this response must not have.
    var withheld = Body.bytes([])

    var head: [UInt8] {
        var text = "HTTP/1.1 \(status) \(ReasonPhrase.of(status))\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}
