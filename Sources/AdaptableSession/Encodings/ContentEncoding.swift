package import Foundation

/// What is offered to a server, and what is made of what it chose.
package struct ContentEncoding: Sendable {
    package enum Plan: Hashable, Sendable {
        /// The body goes on as it came.
        case asItIs
        /// To be taken off in this order; the length of the outcome is unknown.
        case decode([ContentCoding])
    }

    package let policy: EncodingPolicy

    package init(policy: EncodingPolicy = EncodingPolicy()) { self.policy = policy }

    /// The value of Accept-Encoding; nil where the request has its own.
    package func offer(for url: URL, fields: HeaderFields) -> String? {
        guard !fields.has("Accept-Encoding") else { return nil }
        guard policy.offersWithRange || !fields.has("Range") else { return "identity" }
        let codings = WebOrigin(url)?.isSecure == true ? policy.offeredSecurely : policy.offeredPlainly
        return codings.isEmpty ? "identity" : codings.map(\.rawValue).joined(separator: ", ")
    }

    /// For a final response. An unknown coding leaves the body as it is: the program can look at the field.
    package func plan(method: String, status: Int, fields: HeaderFields) -> Plan {
        let hasBody = method != "HEAD" && status != 204 && status != 304
        // Part of a coded representation does not begin where the coding does.
        guard hasBody, status != 206 else { return .asItIs }
        let names = fields.list("Content-Encoding").filter { !HTTPFieldSyntax.equal($0, "identity") }
        let codings = names.compactMap(ContentCoding.init(name:))
        guard !codings.isEmpty, codings.count == names.count, codings.count <= policy.mostCodings,
            policy.decodes.isSuperset(of: codings)
        else { return .asItIs }
        return .decode(codings.reversed())
    }

    /// The fields of the response as the program sees them.
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
