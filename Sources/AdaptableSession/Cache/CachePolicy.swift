/// What is decided about stored responses (RFC 9111, for a cache of one user).
package struct CachePolicy: Hashable, Sendable {
    /// What is kept. Redirects are not: each hop is the delegate's to see.
    package var storableStatuses: Set<Int> = [200, 203]
    package var honoursNoStore = true
    package var honoursNoCache = true
    package var honoursVary = true
    /// §3.5 is for shared caches; this one may keep what Authorization brought.
    package var storesAuthorized = true
    /// Nothing could ever be made of it: neither fresh nor to be validated.
    package var storesUseless = false
    /// §5.3.
    package var maxAgeOutranksExpires = true
    /// §4.2.2: part of the time since Last-Modified, where no lifetime is given.
    package var heuristicShare = 0.1
    package var longestHeuristic = 7 * 86_400
    /// §4.2.3.
    package var countsAge = true
    /// §4.2.4: only what the request allows with max-stale.
    package var servesStale = false
    /// RFC 5861 §3, else the stale response is validated first.
    package var servesWhileRevalidating = false
    /// RFC 5861 §4: after a failure or an error of the server.
    package var servesOnError = false
    /// §4.3.1.
    package var validatesByTag = true
    package var validatesByDate = true
    /// §4.3.4.
    package var updatesOn304 = true
    /// §4.4.
    package var invalidatesAfterUnsafe = true
    /// §5.1.
    package var sendsAge = true
    /// A response may be so large a part of the disk's capacity; an observed limit of URLSession's.
    package var largestDiskShare = 0.05
    package var largestMemoryShare = 1.0
    /// Variants of one URL.
    package var mostVariants = 8

    package init() {}
}
