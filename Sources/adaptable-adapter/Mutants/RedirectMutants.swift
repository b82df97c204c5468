@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the target of a redirect and in the redirected request.
    static let redirecting = [
        SessionMutant(
            "follows-for-ever", breaks: ["REDR-09", "RFC-REDIRECT-14"], "follows a redirect loop without limit"
        ) {
            $0.redirects.limit = .max
        },
        SessionMutant("follows-one-only", breaks: ["REDR-01"], "gives up after one redirect") {
            $0.redirects.limit = 1
        },
        SessionMutant("follows-none", breaks: ["REDR-01", "REDR-03"], "delivers redirects instead of following them") {
            $0.redirects.followed = []
        },
        SessionMutant(
            "keeps-authorization-across-origins", breaks: ["RFC-REDIRECT-06"],
            "sends the Authorization field to another origin"
        ) {
            $0.redirects.dropsCredentialsAcrossOrigins = false
        },
        SessionMutant(
            "307-becomes-get", breaks: ["RFC-REDIRECT-02", "RFC-REDIRECT-03"], "follows 307 and 308 with GET"
        ) {
            $0.redirects.everythingBecomesGet = [303, 307, 308]
        },
        SessionMutant("sends-the-fragment", breaks: ["RFC-REDIRECT-10"], "sends the fragment of a Location in the path")
        {
            $0.redirects.withholdsFragment = false
        },
        SessionMutant("303-stays-a-post", breaks: ["RFC-REDIRECT-01"], "keeps POST after a 303") {
            $0.redirects.everythingBecomesGet = []
        },
        SessionMutant("put-becomes-get", breaks: ["RFC-REDIRECT-04"], "follows a 302 to a PUT with GET") {
            $0.redirects.everythingBecomesGet = [302, 303]
        },
        SessionMutant(
            "redirect-loses-the-body", breaks: ["RFC-REDIRECT-02", "RFC-REDIRECT-03"],
            "follows 307 and 308 without the body"
        ) {
            $0.redirects.sendsBodyAgain = false
        },
        SessionMutant("missing-location-fails", breaks: ["RFC-REDIRECT-13"], "fails on a redirect without a Location") {
            $0.redirects.withoutLocation = .failed
        },
        SessionMutant(
            "keeps-origin-and-referer", breaks: ["RFC-REDIRECT-11"],
            "sends Referer and Origin of the first request to another origin"
        ) {
            $0.redirects.regeneratedAcrossOrigins = []
        },
        SessionMutant(
            "takes-user-information", breaks: ["RFC-REDIRECT-12"],
            "uses the user and password in a Location as credentials"
        ) {
            $0.redirects.removesUserInformation = false
        },
        SessionMutant("head-becomes-get", breaks: ["RFC-REDIRECT-01"], "follows a redirected HEAD with GET") {
            $0.redirects.keepsHead = false
        },
        SessionMutant(
            "content-fields-without-content", breaks: ["RFC-REDIRECT-05"], "keeps Content-Type when the body is dropped"
        ) {
            $0.redirects.dropsContentFieldsWithBody = false
        },
        SessionMutant("drops-the-fragment", breaks: ["RFC-REDIRECT-09"], "drops the fragment at a redirect") {
            $0.redirects.inheritsFragment = false
        },
    ]
}
