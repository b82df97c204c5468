/// The rules for storing and reusing responses (RFC 9111, for a private cache).
package struct CachePolicy: Hashable, Sendable {
    /// The statuses of responses that are stored. Redirects are not stored, so that the delegate is called for each of
    /// them.
    package var storableStatuses: Set<Int> = [200, 203]
    package var honoursNoStore = true
    package var honoursNoCache = true
    package var honoursVary = true
    /// §3.5 applies to shared caches; this one may store responses to requests with Authorization.
    package var storesAuthorized = true
    /// Stores responses that can never be reused, because they are neither fresh nor can be validated.
    package var storesUseless = false
    /// max-age takes precedence over Expires (§5.3).
    package var maxAgeOutranksExpires = true
    /// The heuristic lifetime of a response without an explicit one, as a part of the time since Last-Modified
    /// (§4.2.2).
    package var heuristicShare = 0.1
    package var longestHeuristic = 7 * 86_400
    /// The Age and Date fields and the response delay count toward the age (§4.2.3).
    package var countsAge = true
    /// Serves stale responses even if the request does not allow it with max-stale (§4.2.4).
    package var servesStale = false
    /// Serves a stale response and revalidates it in the background (RFC 5861 §3); false revalidates it first.
    package var servesWhileRevalidating = false
    /// Serves a stale response after a network failure or a server error (RFC 5861 §4).
    package var servesOnError = false
    /// ETag and Last-Modified are used to revalidate (§4.3.1).
    package var validatesByTag = true
    package var validatesByDate = true
    /// A 304 updates the fields of the stored response (§4.3.4).
    package var updatesOn304 = true
    /// A successful unsafe request removes the entries of its URLs (§4.4).
    package var invalidatesAfterUnsafe = true
    /// A response from the cache has an Age field (§5.1).
    package var sendsAge = true
    /// The largest part of the capacity that one response may occupy; 5 % on disk is an observed limit of URLSession.
    package var largestDiskShare = 0.05
    package var largestMemoryShare = 1.0
    /// The maximum number of stored variants of one URL.
    package var mostVariants = 8

    package init() {}
}
