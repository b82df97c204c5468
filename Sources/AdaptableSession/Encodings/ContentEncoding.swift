package import Foundation
import HTTPFields

/// The content codings that a session offers to a server, and the handling of the coding that the server chose.
package struct ContentEncoding: Sendable {
    package enum Plan: Hashable, Sendable {
        /// The body is delivered as received.
        case asItIs
        /// The codings to remove, in this order; the length of the result is unknown.
        case decode([ContentCoding])
    }

    package let policy: EncodingPolicy

    package init(policy: EncodingPolicy = EncodingPolicy()) { self.policy = policy }

    /// Returns the value of Accept-Encoding; nil if the program set the field itself.
    package func offer(for url: URL, fields: HeaderFields) -> String? {
        guard !fields.has("Accept-Encoding") else { return nil }
        guard policy.offersWithRange || !fields.has("Range") else { return "identity" }
        let codings = HTTPFieldSyntax.equal(url.scheme ?? "", "https") ? policy.offeredSecurely : policy.offeredPlainly
        return codings.isEmpty ? "identity" : codings.map(\.rawValue).joined(separator: ", ")
    }

    /// Returns the plan for a final response. A body with an unknown coding is delivered as received: the program can
    /// read the field.
    package func plan(method: String, status: Int, fields: HeaderFields) -> Plan {
        let hasBody = method != "HEAD" && status != 204 && status != 304
        // A part of an encoded representation cannot be decoded, because it does not begin where the coding begins.
        guard hasBody, status != 206 else { return .asItIs }
        let names = fields.list("Content-Encoding").filter { !HTTPFieldSyntax.equal($0, "identity") }
        let codings = names.compactMap(ContentCoding.init(name:))
        // Nested codings multiply the size that one byte can expand to; four are more than any server needs.
        guard !codings.isEmpty, codings.count == names.count, codings.count <= 4,
            policy.decodes.isSuperset(of: codings)
        else { return .asItIs }
        return .decode(codings.reversed())
    }

    /// Returns the fields of the response as the program sees them.
    package func visible(_ fields: HeaderFields, _ plan: Plan) -> HeaderFields {
        switch (plan, policy.fields) {
        case (.asItIs, _), (_, .kept): return fields
        case (.decode, .removed):
            var fields = fields
            fields.remove("Content-Encoding")
            fields.remove("Content-Length")
            return fields
        }
    }
}
