package import Foundation
package import FoundationNetworking
import HTTPFields

/// Decides whether a request is served from the cache or from the network (RFC 9111 §3, §4, and the cache policies of
/// URLRequest).
///
/// For a request of a data task, call `looksUp`, then `plan` with the entry that the cache has. On the response, call
/// `validated` for a 304 after the plan `validate`, `storing` for a complete body, and `invalidated` for
/// every head.
package struct CacheEvaluator: Sendable {
    package enum Plan: Sendable {
        /// Send the request to the server, with these fields added.
        case load(HeaderFields)
        /// Revalidate the entry with the server, with these fields added to the request.
        case validate(HeaderFields, AdaptableCachedURLResponse)
        /// Deliver the entry with this response, as though the server had sent it.
        case serve(AdaptableCachedURLResponse, URLResponse)
        /// The cache policy forbids the network, and nothing suitable is stored.
        case fail(URLError.Code, reason: String)
    }

    package enum Validated: Sendable {
        /// Deliver this entry with status 200, and store it in place of the old one.
        case serve(AdaptableCachedURLResponse)
        /// The 304 describes another representation: send the request again without conditions.
        case revalidate
    }

    private static let conditions = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
    ]

    package let policy: CachePolicy
    private var freshness: CacheFreshness { CacheFreshness(policy: policy) }

    package init(policy: CachePolicy = CachePolicy()) { self.policy = policy }

    /// Returns the request's cache policy if it has one, otherwise the session's.
    package static func effective(_ request: URLRequest, session: NSURLRequest.CachePolicy) -> NSURLRequest.CachePolicy
    {
        request.cachePolicy == .useProtocolCachePolicy ? session : request.cachePolicy
    }

    /// Returns true if the cache is looked up. A program that sets conditional fields itself expects the server's
    /// response to them.
    package func looksUp(_ request: URLRequest) -> Bool {
        let fields = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
        return (request.httpMethod ?? "GET") == "GET" && WebOrigin(request.url ?? URL(fileURLWithPath: "/")) != nil
            && !CacheEvaluator.conditions.contains { fields.has($0) }
    }

    /// Returns the plan for a request. `sent` holds every field that would be sent, including those that the session
    /// adds. `found` is nil if the cache was not looked up or found nothing.
    package func plan(
        _ request: URLRequest, sent: HeaderFields, found: AdaptableCachedURLResponse?,
        by cachePolicy: NSURLRequest.CachePolicy, now: Date
    ) -> Plan {
        let readRequests = CacheDirectives(sent)
        var entry: (AdaptableCachedURLResponse, StoredExchange)?
        if let found, let exchange = found.exchange(storedAt: now),
            !policy.honoursVary || exchange.matches(sent, isComplete: true)
        {
            entry = (found, exchange)
        }
        switch cachePolicy {
        case .reloadIgnoringLocalCacheData: return .load([:])
        case .reloadIgnoringLocalAndRemoteCacheData:
            return .load(sent.has("Cache-Control") ? [:] : ["Cache-Control": "no-cache", "Pragma": "no-cache"])
        case .returnCacheDataElseLoad:
            guard let entry else { return .load([:]) }
            return serve(entry, now)
        case .returnCacheDataDontLoad:
            guard let entry else { return CacheEvaluator.nothing }
            return serve(entry, now)
        case .reloadRevalidatingCacheData:
            guard let entry else { return .load([:]) }
            return validate(entry)
        case .useProtocolCachePolicy: return byProtocol(entry, readRequests, now)
        @unknown default: return byProtocol(entry, readRequests, now)
        }
    }

    private static let nothing = Plan.fail(
        .resourceUnavailable,
        reason: "The cache does not hold a usable response for the URL, and the cache policy forbids loading it.")

    private func byProtocol(
        _ entry: (AdaptableCachedURLResponse, StoredExchange)?, _ readRequests: CacheDirectives, _ now: Date
    ) -> Plan {
        let mayLoad = !readRequests.has("only-if-cached")
        guard let entry else { return mayLoad ? .load([:]) : CacheEvaluator.nothing }
        let directives = CacheDirectives(entry.1.fields)
        let mustValidate =
            policy.honoursNoCache && (directives.hasUnqualified("no-cache") || readRequests.has("no-cache"))
        let lifetime = min(freshness.lifetime(entry.1), readRequests.seconds("max-age") ?? .infinity)
        let age = freshness.age(entry.1, now: now)
        if !mustValidate, lifetime - age > (readRequests.seconds("min-fresh") ?? 0) { return serve(entry, now) }
        let staleness = age - lifetime
        if !mustValidate, staleness >= 0, !directives.has("must-revalidate") {
            let allowed = readRequests.hasUnqualified("max-stale") ? .infinity : readRequests.seconds("max-stale") ?? -1
            if policy.servesStale || staleness <= allowed { return serve(entry, now) }
        }
        return mayLoad ? validate(entry) : CacheEvaluator.nothing
    }

    private func serve(_ entry: (AdaptableCachedURLResponse, StoredExchange), _ now: Date) -> Plan {
        var fields = entry.1.fields
        fields["Age"] = "\(CacheFreshness.wholeSeconds(freshness.age(entry.1, now: now)))"
        return .serve(entry.0, AdaptableCachedURLResponse.response(entry.1, fields))
    }

    private func validate(_ entry: (AdaptableCachedURLResponse, StoredExchange)) -> Plan {
        let fields = validators(entry.1)
        return fields.fields.isEmpty ? .load([:]) : .validate(fields, entry.0)
    }

    /// Returns the conditional fields that revalidate the response (§4.3.1).
    private func validators(_ exchange: StoredExchange) -> HeaderFields {
        var fields = HeaderFields()
        if policy.validatesByTag, let tag = exchange.fields.values("ETag").first { fields.append("If-None-Match", tag) }
        if policy.validatesByDate, let date = exchange.fields.values("Last-Modified").first {
            fields.append("If-Modified-Since", date)
        }
        return fields
    }

    // MARK: The response

    /// Updates an entry with the fields of a 304 (§4.3.4).
    package func validated(
        _ entry: AdaptableCachedURLResponse, by fields: HeaderFields, requestTime: Date, responseTime: Date
    ) -> Validated {
        guard var exchange = entry.exchange(storedAt: responseTime) else { return .revalidate }
        if let new = fields.values("ETag").first, let old = exchange.fields.values("ETag").first,
            CacheEvaluator.opaque(new) != CacheEvaluator.opaque(old)
        {
            return .revalidate
        }
        if policy.updatesOn304 {
            for name in Set(fields.fields.map { HTTPFieldSyntax.lowercased($0.name) })
            where !CacheEvaluator.ofTheBody.contains(name) {
                exchange.fields.remove(name)
                for value in fields.values(name) { exchange.fields.append(name, value) }
            }
            exchange.requestTime = requestTime
            exchange.responseTime = responseTime
            // The Age of the first exchange does not apply to this one.
            if !fields.has("Age") { exchange.fields.remove("Age") }
        }
        return .serve(
            AdaptableCachedURLResponse(
                exchange, data: entry.data, userInfo: entry.userInfo, storagePolicy: entry.storagePolicy))
    }

    /// §3.2: fields that describe the body as it was sent, or the connection, are not updated.
    private static let ofTheBody: Set<String> = [
        "connection", "content-encoding", "content-length", "content-range", "content-type", "keep-alive",
        "proxy-authenticate",
        "proxy-authentication-info", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    private static func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

    /// Returns the entry to store for a complete response to a data task, or nil if it must not be stored (§3). The
    /// delegate may change or refuse it.
    package func storing(
        _ request: URLRequest, sent: HeaderFields, exchange: StoredExchange, data: Data
    ) -> AdaptableCachedURLResponse? {
        let own = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
        guard (request.httpMethod ?? "GET") == "GET", policy.storableStatuses.contains(exchange.status),
            !own.has("Range")
        else { return nil }
        let directives = CacheDirectives(exchange.fields)
        if policy.honoursNoStore, directives.has("no-store") || CacheDirectives(sent).has("no-store") { return nil }
        if policy.honoursVary, exchange.varyNames.contains("*") { return nil }
        // §3.5 about Authorization concerns shared caches. A response that is neither fresh nor can be validated can never
        // be reused.
        if freshness.lifetime(exchange) <= 0, !freshness.hasValidator(exchange) { return nil }
        var exchange = exchange
        exchange.recordVariance(sent: sent, own: own)
        return AdaptableCachedURLResponse(exchange, data: data)
    }

    /// Returns the entry to store if the delegate returned `given` in place of `proposed`; nil if its storage policy
    /// forbids storing.
    package func storing(_ given: AdaptableCachedURLResponse, inPlaceOf proposed: AdaptableCachedURLResponse)
        -> AdaptableCachedURLResponse?
    {
        guard given.storagePolicy != .notAllowed else { return nil }
        var stored = given
        if stored.exchange == nil { stored.exchange = proposed.exchange }
        return stored
    }

    /// Returns the URLs whose entries a response to an unsafe method invalidates (§4.4).
    package func invalidated(method: String, url: URL, status: Int, fields: HeaderFields) -> [URL] {
        guard policy.invalidatesAfterUnsafe, !["GET", "HEAD", "OPTIONS", "TRACE"].contains(method),
            (200..<400).contains(status)
        else { return [] }
        let origin = WebOrigin(url)
        let named = ["Location", "Content-Location"].compactMap { fields.values($0).first }
            .compactMap { URL(string: $0, relativeTo: url)?.absoluteURL }.filter { WebOrigin($0) == origin }
        return [url] + named
    }
}
