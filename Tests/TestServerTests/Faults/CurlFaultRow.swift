import Record
import AdapterProtocol
import Foundation
import ScenarioLanguage
import Testing

@testable import TestServer

/// One fault, and the results that curl may report for it.
struct CurlFaultRow: Sendable, CustomTestStringConvertible {
    enum Transport: String, Sendable {
        case http1 = "HTTP/1.1"
        case tls = "HTTP/1.1 in TLS"
        case http2 = "HTTP/2"
        case http2TLS = "HTTP/2 in TLS"

        var isSecure: Bool { self == .tls || self == .http2TLS }
        var isHTTP2: Bool { self == .http2 || self == .http2TLS }
    }

    enum Request: String, Sendable {
        case get = ""
        /// Two transfers by one curl, which would use its connection again.
        case getTwice = ", twice"
        /// Ten bytes, sent together with the head.
        case post = ", with 10 bytes"
        /// 64 MiB, more than the buffers of both kernels hold: the fault comes while curl still sends.
        case put = ", with 64 MiB"
    }

    static let text = "0123456789"

    var transport: Transport
    var request: Request
    var framing: Resource.Framing
    var fault: Fault
    var answers: [CurlResult]

    var testDescription: String {
        "\(fault.effect.recorded.text.filter { !$0.isNewline && $0 != "\u{0}" }) at \(fault.point.description), \(transport.rawValue)\(request.rawValue) → \(answers.map(\.words).joined(separator: " or "))"
    }

    /// True if the row ends by curl's time limit, which is only a wait.
    var waits: Bool { answers.contains { $0.exit == 28 } }

    var plan: OriginPlan {
        var resource = Resource(body: .text(Self.text))
        resource.framing = framing
        var plan = OriginPlan()
        plan.routes = [Route(path: "/x", content: .resource(resource))]
        plan.routes[0].wire.chunkSize = ByteCount(4)!
        if fault.point == .trailers { plan.routes[0].wire.trailers = [HeaderField("X-Sum", "45")] }
        plan.faults = [fault]
        plan.protocols = transport.isHTTP2 ? [.http2, .http1] : [.http1]
        return plan
    }
}

/// curl's exit status, the HTTP status and the number of body bytes that it output (with two transfers, of the last
/// one), and the output.
struct CurlResult: Sendable, Equatable {
    var words: String
    var exit: Int32
    /// curl 7.88 ends with this status, and other versions with an error of their own: the client sees an error, and
    /// the number is not part of the fault.
    var isOfVersion: Bool
    var status: String
    var bytes: Int
    var body: String
    /// The least time in seconds.
    var least = 0.0

    /// `18 200 5`, `18* 200 5` if it depends on the version, and where it matters `> 0.1` for its time, or `= text` for
    /// a body that is not the resource's beginning.
    init(_ words: String) {
        self.words = words
        let parts = words.split(separator: " = ", maxSplits: 1).map(String.init)
        let counts = parts[0].split(separator: " ").map(String.init)
        isOfVersion = counts[0].hasSuffix("*")
        exit = Int32(counts[0].prefix { $0 != "*" })!
        status = counts[1]
        bytes = Int(counts[2])!
        body = parts.count > 1 ? parts[1] : String(CurlFaultRow.text.prefix(bytes))
        if counts.count > 4 { least = Double(counts[4])! }
    }

    func matches(_ exit: Int32, of version: String, _ status: String, _ bytes: Int) -> Bool {
        guard status == self.status, bytes == self.bytes else { return false }
        if exit == self.exit { return true }
        // Its own limit would mean silence.
        return isOfVersion && !version.hasPrefix("7.88.") && exit != 0 && exit != 28
    }
}

extension CurlFaultRow {
    /// Returns rows of one point: each effect with its result, or with the possible results of a race.
    static func at(
        _ point: Fault.Point, _ transport: Transport = .http1, _ request: Request = .get,
        framing: Resource.Framing = .contentLength,
        says rows: KeyValuePairs<Fault.Effect, String>
    ) -> [CurlFaultRow] {
        rows.map { effect, words in
            CurlFaultRow(
                transport: transport, request: request, framing: framing, fault: Fault(point: point, effect: effect),
                answers: words.components(separatedBy: " | ").map(CurlResult.init))
        }
    }
}
