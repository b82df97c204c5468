@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in storing responses and serving them from the cache.
    static let caching = [
        SessionMutant(
            "stores-what-is-forbidden", breaks: ["CACH-17", "RFC-CACHE-01"], "stores responses with no-store"
        ) {
            $0.cache.honoursNoStore = false
        },
        SessionMutant("stores-downloads", breaks: ["CACH-12"], "stores the responses to downloads") {
            $0.cache.leavesOutDownloads = false
        },
        SessionMutant(
            "stores-nothing", breaks: ["CACH-01", "CACH-02", "CACH-08", "CACH-13"], "never uses a cached response"
        ) {
            $0.cache.storableStatuses = []
        },
        SessionMutant(
            "ignores-vary", breaks: ["CACH-02", "RFC-CACHE-02"],
            "ignores Vary and uses a stored response for another variant"
        ) {
            $0.cache.honoursVary = false
        },
        SessionMutant("serves-stale", breaks: ["CACH-23"], "uses expired responses") {
            $0.cache.servesStale = true
        },
        SessionMutant(
            "does-not-validate-by-tag", breaks: ["CACH-04", "CACH-05", "CACH-06"],
            "requests the whole resource instead of validating with its ETag"
        ) {
            $0.cache.validatesByTag = false
        },
        SessionMutant(
            "does-not-validate-by-date", breaks: ["CACH-03", "CACH-05"],
            "requests the whole resource instead of validating with its date"
        ) {
            $0.cache.validatesByDate = false
        },
        SessionMutant(
            "serves-what-no-cache-forbids", breaks: ["CACH-23", "CACH-04"],
            "uses a response with no-cache without validating it"
        ) {
            $0.cache.honoursNoCache = false
        },
        SessionMutant(
            "post-leaves-the-entry", breaks: ["CACH-01", "CACH-07", "RFC-CACHE-03"],
            "keeps the stored response for a URL after a POST to it"
        ) {
            $0.cache.invalidatesAfterUnsafe = false
        },
        SessionMutant("304-updates-nothing", breaks: ["CACH-05"], "keeps the old lifetime after a 304") {
            $0.cache.updatesOn304 = false
        },
        SessionMutant("ignores-age", breaks: ["CACH-02", "CACH-23", "RFC-CACHE-04"], "ignores the Age of a response") {
            $0.cache.countsAge = false
        },
    ]

    /// Mutants in content coding: the offered codings and the decoding.
    static let decoding = [
        SessionMutant("brotli-in-the-clear", breaks: ["ENCD-02"], "offers Brotli over plain http") {
            $0.encodings.offeredPlainly.append(.brotli)
        },
        SessionMutant("offers-no-brotli", breaks: ["ENCD-01"], "does not offer Brotli") {
            $0.encodings.offeredSecurely = [.gzip, .deflate]
        },
        SessionMutant("leaves-gzip", breaks: ["ENCD-03", "RFC-CODING-01"], "delivers the coded bytes") {
            $0.encodings.decodes = []
        },
        SessionMutant(
            "takes-half-a-coding", breaks: ["ENCD-03", "ERRR-04", "RFC-CODING-04"],
            "accepts a body that ends before its coding is complete"
        ) {
            $0.encodings.requiresEnd = false
        },
        SessionMutant("empty-coding-fails", breaks: ["ENCD-03"], "fails on an empty body with a coding") {
            $0.encodings.acceptsEmptyBody = false
        },
        SessionMutant("offers-codings-with-ranges", breaks: ["RFC-CODING-05"], "offers codings with a Range") {
            $0.encodings.offersWithRange = true
        },
    ]
}
