@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the target of a redirect and in the redirected request.
    static let redirecting = [
        SessionMutant("follows-for-ever", breaks: ["REDR-09"], "follows a redirect loop without limit") {
            $0.redirects.limit = .max
        },
        SessionMutant("follows-one-only", breaks: ["REDR-01"], "gives up after one redirect") {
            $0.redirects.limit = 1
        },
        SessionMutant("follows-none", breaks: ["REDR-01"], "delivers redirects instead of following them") {
            $0.redirects.followed = []
        },
        SessionMutant(
            "keeps-authorization-across-origins", breaks: ["REDR-01"], "sends the Authorization field to another origin"
        ) {
            $0.redirects.dropsCredentialsAcrossOrigins = false
        },
        SessionMutant("307-becomes-get", breaks: ["REDR-01"], "follows 307 and 308 with GET") {
            $0.redirects.everythingBecomesGet = [303, 307, 308]
        },
        SessionMutant("303-stays-a-post", breaks: ["REDR-01"], "keeps POST after a 303") {
            $0.redirects.everythingBecomesGet = []
        },
        SessionMutant("put-becomes-get", breaks: ["REDR-01"], "follows a 302 to a PUT with GET") {
            $0.redirects.everythingBecomesGet = [302, 303]
        },
        SessionMutant("redirect-loses-the-body", breaks: ["REDR-01"], "follows 307 and 308 without the body") {
            $0.redirects.sendsBodyAgain = false
        },
        SessionMutant("missing-location-fails", breaks: ["REDR-01"], "fails on a redirect without a Location") {
            $0.redirects.withoutLocation = .failed
        },
        SessionMutant(
            "keeps-origin-and-referer", breaks: ["REDR-01"],
            "sends Referer and Origin of the first request to another origin"
        ) {
            $0.redirects.regeneratedAcrossOrigins = []
        },
        SessionMutant(
            "takes-user-information", breaks: ["REDR-01"], "uses the user and password in a Location as credentials"
        ) {
            $0.redirects.removesUserInformation = false
        },
        SessionMutant("head-becomes-get", breaks: ["REDR-01"], "follows a redirected HEAD with GET") {
            $0.redirects.keepsHead = false
        },
        SessionMutant(
            "content-fields-without-content", breaks: ["REDR-01"], "keeps Content-Type when the body is dropped"
        ) {
            $0.redirects.dropsContentFieldsWithBody = false
        },
        SessionMutant("drops-the-fragment", breaks: ["REDR-01"], "drops the fragment at a redirect") {
            $0.redirects.inheritsFragment = false
        },
    ]
}
