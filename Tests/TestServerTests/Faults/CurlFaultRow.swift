import AdapterProtocol
import Foundation
import Scenario
import Testing

@testable import TestServer

/// One fault, and what curl must say of it.
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
        /// Twice by one curl, which would use its connection again.
        case getTwice = ", twice"
        /// Ten bytes, which leave together with the head.
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
        "\(fault.effect.description.filter { !$0.isNewline && $0 != "\u{0}" }) at \(fault.point.description), \(transport.rawValue)\(request.rawValue) → \(answers.map(\.words).joined(separator: " or "))"
    }

    /// What ends by curl's own limit only waits.
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

/// curl's exit status, the HTTP status and the count of body bytes that it passed on, of two transfers the last one's; and what was in them.
struct CurlResult: Sendable, Equatable {
    var words: String
    var exit: Int32
    /// curl 7.88 ends with this status, and others with an error of their own: to a client it is an error, and the number says nothing about the fault.
    var isOfVersion: Bool
    var status: String
    var bytes: Int
    var body: String
    /// Seconds.
    var least = 0.0

    /// `18 200 5`, `18* 200 5` by version, and where it matters `> 0.1` for its time, or `= text` for a body that is not the resource's beginning.
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
        // Its own limit would be silence.
        return isOfVersion && !version.hasPrefix("7.88.") && exit != 0 && exit != 28
    }
}

extension CurlFaultRow {
    /// Rows of one point: each effect with its answer, or with the answers between which a race decides.
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
