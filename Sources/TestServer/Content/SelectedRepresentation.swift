import AdapterProtocol
import GeneratedBodies
import HTTPFields
import ScenarioLanguage

/// The content of a path at its n-th request, in the coding selected for this client: validators and ranges refer to it
/// (RFC 9110 §3.2).
struct SelectedRepresentation {
    var body: ResponsePlan.Body
    var etag: String?
    var lastModified: String?
    /// Content-Encoding and Vary.
    var codingFields: [HeaderField] = []

    /// - Parameter start: The time of the origin's first response.
    init(of resource: Resource, for head: RequestHead, number: Int, start: HTTPDate, _ encodings: EncodedBodies) {
        var content = resource.body
        var version = resource.version
        etag = resource.etag
        lastModified = resource.modifiedAgo.map { start.later(by: .zero - $0).description } ?? resource.lastModified
        if let next = resource.replacedAt, number >= next.request {
            // A validator that the new version does not name is dropped: one that outlives its bytes would be wrong.
            etag = next.etag
            lastModified = next.lastModified
            content = next.body ?? content
            version = next.version
        }
        switch content {
        case .text(let text): body = .bytes(Array(text.utf8))
        case .pattern(let size):
            let key = PatternBody.key(path: head.path, version: version, repeats: resource.repeats)
            body = .pattern(key: key, from: 0, count: size.bytes)
        }
        guard let plan = resource.encoding else { return }
        if plan.isNegotiated { codingFields.append(HeaderField("Vary", "Accept-Encoding")) }
        let isAccepted = !plan.isNegotiated || AcceptEncoding(head.values(of: "accept-encoding")).allows(plan.codings)
        guard isAccepted, let bytes = encodings.bytes(content, head.path, version, resource.repeats, plan) else {
            return
        }
        body = .bytes(bytes)
        let label = plan.label ?? plan.codings.map(\.token).joined(separator: ", ")
        if !label.isEmpty { codingFields.append(HeaderField("Content-Encoding", label)) }
        // Another coding is another representation: they must not share a tag (RFC 9110 §8.8.3.3).
        if plan.isNegotiated, let tag = etag {
            etag = tag.dropLast() + "-" + plan.codings.map(\.rawValue).joined(separator: "-") + "\""
        }
    }
}

/// A client's preferences for content codings (RFC 9110 §12.5.3). A client without the field gets no coding.
struct AcceptEncoding {
    private let weights: [String: Double]

    init(_ fields: [String]) {
        var weights: [String: Double] = [:]
        for entry in fields.joined(separator: ",").split(separator: ",") {
            let parts = entry.split(separator: ";").map(\.trimmedOfBlanks)
            guard let name = parts.first, !name.isEmpty else { continue }
            let weight = parts.dropFirst().first { $0.lowercased().hasPrefix("q=") }
            weights[name.lowercased()] = weight.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
        }
        self.weights = weights
    }

    func allows(_ codings: [EncodingPlan.Coding]) -> Bool {
        codings.allSatisfy { (weights[$0.token] ?? weights["*"] ?? 0) > 0 }
    }
}
