package import Foundation

/// What a cache has to know of the exchange that brought a response (RFC 9111 §4).
package struct StoredExchange: Hashable, Sendable {
    package var url: URL
    package var status: Int
    /// As received, or as a 304 made them.
    package var fields: HeaderFields
    package var requestTime: Date
    package var responseTime: Date
    /// The request's value of each field that Vary names (lower case); a missing one had none.
    package var varying: [String: String] = [:]
    /// Those among them that the session added, which a program's request does not show.
    package var addedBySession: Set<String> = []

    package init(url: URL, status: Int, fields: HeaderFields, requestTime: Date, responseTime: Date) {
        self.url = url
        self.status = status
        self.fields = fields
        self.requestTime = requestTime
        self.responseTime = responseTime
    }

    package var varyNames: [String] { fields.list("Vary").map { HTTPFieldSyntax.lowercased($0) } }

    /// Takes down what the response varies by. `sent` has all fields of the request, `own` those of the program's.
    package mutating func recordVariance(sent: HeaderFields, own: HeaderFields) {
        for name in varyNames where name != "*" {
            varying[name] = sent[name]
            if !own.has(name) { addedBySession.insert(name) }
        }
    }

    /// Whether the response is for such a request (§4.1). Fields that the session adds are not looked at where `fields` lacks them: whoever
    /// knows them asks again with all.
    package func matches(_ request: HeaderFields, isComplete: Bool) -> Bool {
        varyNames.allSatisfy { name in
            if name == "*" { return false }
            let value = request[name]
            if !isComplete, value == nil, addedBySession.contains(name) { return true }
            return value == varying[name]
        }
    }
}
