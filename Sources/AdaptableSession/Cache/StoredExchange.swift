package import Foundation
import HTTPFields

/// The facts about a stored response's exchange that a cache needs (RFC 9111 §4).
package struct StoredExchange: Hashable, Sendable {
    package var url: URL
    package var status: Int
    /// The fields as received, or as a 304 updated them.
    package var fields: HeaderFields
    package var requestTime: Date
    package var responseTime: Date
    /// The request's value of each field that Vary names (in lower case); a field that the request did not have is
    /// missing.
    package var varying: [String: String] = [:]
    /// The fields in Vary that the session added, which the program's request does not contain.
    package var addedBySession: Set<String> = []

    package init(url: URL, status: Int, fields: HeaderFields, requestTime: Date, responseTime: Date) {
        self.url = url
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    package var varyNames: [String] { fields.list("Vary").map { HTTPFieldSyntax.lowercased($0) } }

    /// Records the request fields that Vary names. `sent` holds all fields of the request, `own` those that the program
    /// set.
    package mutating func recordVariance(sent: HeaderFields, own: HeaderFields) {
        for name in varyNames where name != "*" {
            varying[name] = sent[name]
            if !own.has(name) { addedBySession.insert(name) }
        }
    }

    /// Returns true if the response matches such a request (§4.1). With `isComplete` false, fields that the session
    /// adds are ignored if `request` lacks them; the evaluator checks again with all fields.
    package func matches(_ request: HeaderFields, isComplete: Bool) -> Bool {
        varyNames.allSatisfy { name in
            if name == "*" { return false }
            let value = request[name]
            if !isComplete, value == nil, addedBySession.contains(name) { return true }
            return value == varying[name]
        }
    }
}
