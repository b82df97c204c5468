/// The rules for storing and reusing responses (RFC 9111, for a private cache).
package struct CachePolicy: Hashable, Sendable {
    /// The maximum number of stored variants of one URL.
    package static let mostVariants = 8

    /// The statuses of responses that are stored. Redirects are not stored, so that the delegate is called for each of
    /// them.
    package var storableStatuses: Set<Int> = [200, 203]
    package var honoursNoStore = true
    /// Only responses to data tasks are stored (CACH-12).
    package var leavesOutDownloads = true
    package var honoursNoCache = true
    package var honoursVary = true
    /// The Age and Date fields and the response delay count toward the age (§4.2.3).
    package var countsAge = true
    /// Serves stale responses even if the request does not allow it with max-stale (§4.2.4).
    package var servesStale = false
    /// ETag and Last-Modified are used to revalidate (§4.3.1).
    package var validatesByTag = true
    package var validatesByDate = true
    /// A 304 updates the fields of the stored response (§4.3.4).
    package var updatesOn304 = true
    /// A successful unsafe request removes the entries of its URLs (§4.4).
    package var invalidatesAfterUnsafe = true
}
