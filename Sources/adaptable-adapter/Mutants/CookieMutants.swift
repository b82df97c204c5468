@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in accepting cookies and in choosing the cookies of a request.
    static let cookies = [
        SessionMutant(
            "ignores-the-cookie-settings", breaks: ["COOK-03", "COOK-04"],
            "sends and stores cookies although the session's settings forbid it"
        ) {
            $0.cookies.honoursSettings = false
        },
        SessionMutant(
            "cookies-for-everybody", breaks: ["RFC-COOKIE-03"], "accepts cookies for other domains and sends them there"
        ) {
            $0.cookies.checksDomain = false
        },
        SessionMutant("cookies-for-all-paths", breaks: ["RFC-COOKIE-04"], "sends cookies to all paths of a host") {
            $0.cookies.checksPath = false
        },
        SessionMutant("secure-cookies-in-clear", breaks: ["RFC-COOKIE-01"], "sends a Secure cookie over plain HTTP") {
            $0.cookies.sendsSecureOnlySecurely = false
        },
        SessionMutant(
            "expires-outranks-max-age", breaks: ["RFC-COOKIE-06"], "prefers Expires over Max-Age"
        ) {
            $0.cookies.maxAgeOutranksExpires = false
        },
        SessionMutant(
            "expired-cookies-stay", breaks: ["RFC-COOKIE-06"], "keeps a cookie that was set again with a past date"
        ) {
            $0.cookies.removesExpired = false
        },
        SessionMutant("cookies-for-a-public-suffix", breaks: ["PSLT-01"], "accepts a cookie for a public suffix") {
            $0.cookies.refusesPublicSuffixes = false
        },
        SessionMutant("cookies-without-end", breaks: ["RFC-COOKIE-08"], "keeps cookies that exceed the size limit") {
            $0.cookies.longestPair = .max
        },
        SessionMutant(
            "ignores-prefixes", breaks: ["RFC-COOKIE-09"],
            "accepts __Host- and __Secure- cookies that break the rules of their prefix"
        ) {
            $0.cookies.checksPrefixes = false
        },
        SessionMutant("insecure-sets-secure", breaks: ["RFC-COOKIE-02"], "accepts a Secure cookie over plain HTTP") {
            $0.cookies.acceptsSecureOnlySecurely = false
        },
        SessionMutant(
            "insecure-overlays-secure", breaks: ["RFC-COOKIE-02"],
            "lets a response over plain HTTP replace a Secure cookie"
        ) {
            $0.cookies.protectsSecureFromOverlay = false
        },
        SessionMutant("same-site-none-in-the-clear", breaks: ["RFC-COOKIE-10"], "accepts SameSite=None without Secure")
        {
            $0.cookies.requiresSecureForSameSiteNone = false
        },
        SessionMutant(
            "ignores-same-site", breaks: ["RFC-COOKIE-10"], "sends SameSite cookies for main documents of any site"
        ) {
            $0.cookies.checksSameSite = false
        },
        SessionMutant("shortest-path-first", breaks: ["RFC-COOKIE-05"], "orders sent cookies by age only") {
            $0.cookies.sortsLongerPathsFirst = false
        },
        SessionMutant("jar-over-own-field", breaks: ["COOK-08"], "replaces the request's own Cookie field") {
            $0.cookies.ownFieldStands = false
        },
    ]
}
