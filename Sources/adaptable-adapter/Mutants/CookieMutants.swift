import AdaptableSession

extension SessionMutant {
    /// Which cookies are kept, and to whom they go.
    static let cookies = [
        SessionMutant("cookies-for-everybody", breaks: ["COOK-01"], "takes cookies for other domains and sends them there") {
            $0.cookies.checksDomain = false
        },
        SessionMutant("cookies-for-all-paths", breaks: ["COOK-01"], "sends a cookie to paths that it is not for") {
            $0.cookies.checksPath = false
        },
        SessionMutant("secure-cookies-in-clear", breaks: ["COOK-01"], "sends a Secure cookie over plain HTTP") {
            $0.cookies.sendsSecureOnlySecurely = false
        },
        SessionMutant("expires-outranks-max-age", breaks: ["COOK-01"], "believes Expires where Max-Age stands beside it") {
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
    ]
}
