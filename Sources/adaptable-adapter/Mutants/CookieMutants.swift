@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in accepting cookies and in choosing the cookies of a request.
    static let cookies = [
        SessionMutant(
            "cookies-for-everybody", breaks: ["COOK-01"], "takes cookies for other domains and sends them there"
        ) {
            $0.cookies.checksDomain = false
        },
        SessionMutant("cookies-for-all-paths", breaks: ["COOK-01"], "sends a cookie to paths that it is not for") {
            $0.cookies.checksPath = false
        },
        SessionMutant("secure-cookies-in-clear", breaks: ["COOK-01"], "sends a Secure cookie over plain HTTP") {
            $0.cookies.sendsSecureOnlySecurely = false
        },
        SessionMutant(
            "expires-outranks-max-age", breaks: ["COOK-01"], "believes Expires where Max-Age stands beside it"
        ) {
            $0.cookies.maxAgeOutranksExpires = false
        },
        SessionMutant("expired-cookies-stay", breaks: ["COOK-01"], "keeps a cookie that its server has taken back") {
            $0.cookies.removesExpired = false
        },
        SessionMutant("cookies-for-a-public-suffix", breaks: ["PSLT-01"], "takes a cookie for all of a registry") {
            $0.cookies.refusesPublicSuffixes = false
        },
        SessionMutant("cookies-without-end", breaks: ["COOK-01"], "keeps cookies larger than any session may") {
            $0.cookies.longestPair = .max
        },
        SessionMutant(
            "ignores-prefixes", breaks: ["COOK-01"],
            "takes __Host- and __Secure- cookies that do not keep to their prefix"
        ) {
            $0.cookies.checksPrefixes = false
        },
        SessionMutant("insecure-sets-secure", breaks: ["COOK-01"], "takes a Secure cookie over plain HTTP") {
            $0.cookies.acceptsSecureOnlySecurely = false
        },
        SessionMutant("insecure-overlays-secure", breaks: ["COOK-01"], "lets plain HTTP shadow a Secure cookie") {
            $0.cookies.protectsSecureFromOverlay = false
        },
        SessionMutant("same-site-none-in-the-clear", breaks: ["COOK-01"], "takes SameSite=None without Secure") {
            $0.cookies.requiresSecureForSameSiteNone = false
        },
        SessionMutant("ignores-same-site", breaks: ["COOK-01"], "sends SameSite cookies from anywhere") {
            $0.cookies.checksSameSite = false
        },
        SessionMutant("shortest-path-first", breaks: ["COOK-01"], "sends cookies in the order of their age only") {
            $0.cookies.sortsLongerPathsFirst = false
        },
        SessionMutant("jar-over-own-field", breaks: ["COOK-08"], "replaces the request's own Cookie field") {
            $0.cookies.ownFieldStands = false
        },
    ]
}
