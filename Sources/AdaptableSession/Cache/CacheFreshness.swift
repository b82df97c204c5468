package import Foundation
import HTTPFields

/// Computes the age and the freshness lifetime of a response (RFC 9111 §4.2), in seconds.
package struct CacheFreshness: Sendable {
    package let policy: CachePolicy

    package init(policy: CachePolicy = CachePolicy()) { self.policy = policy }

    package func lifetime(_ exchange: StoredExchange) -> Double {
        let directives = CacheDirectives(exchange.fields)
        let date = HTTPDate.parse(exchange.fields["Date"] ?? "", now: exchange.responseTime) ?? exchange.responseTime
        // §5.3: max-age takes precedence over Expires, whose invalid dates, in particular `0`, mean already expired.
        if let seconds = directives.seconds("max-age") { return seconds }
        if let text = exchange.fields.values("Expires").first {
            return HTTPDate.parse(text, now: exchange.responseTime).map { max(0, $0.timeIntervalSince(date)) } ?? 0
        }
        guard let text = exchange.fields["Last-Modified"],
            let modified = HTTPDate.parse(text, now: exchange.responseTime), modified < date
        else { return 0 }
        // The heuristic of §4.2.2: a tenth of the time since the last change, and a week at most.
        return min(date.timeIntervalSince(modified) / 10, 7 * 86_400)
    }

    /// Rounds an age down for the Age field, limited to the largest number that a cache has to support (§1.2.2): a
    /// wrong clock or file can produce any number.
    static func wholeSeconds(_ age: Double) -> Int { age > 0 ? Int(min(age, CacheDirectives.longest)) : 0 }

    /// Returns the current age (§4.2.3).
    package func age(_ exchange: StoredExchange, now: Date) -> Double {
        let resident = max(0, now.timeIntervalSince(exchange.responseTime))
        guard policy.countsAge else { return resident }
        let date = HTTPDate.parse(exchange.fields["Date"] ?? "", now: exchange.responseTime) ?? exchange.responseTime
        let apparent = max(0, exchange.responseTime.timeIntervalSince(date))
        let notified = exchange.fields.values("Age").first.flatMap { UInt32($0) }.map(Double.init) ?? 0
        let corrected = notified + max(0, exchange.responseTime.timeIntervalSince(exchange.requestTime))
        return max(apparent, corrected) + resident
    }

    package func hasValidator(_ exchange: StoredExchange) -> Bool {
        policy.validatesByTag && exchange.fields.has("ETag")
            || policy.validatesByDate && exchange.fields.has("Last-Modified")
    }
}
