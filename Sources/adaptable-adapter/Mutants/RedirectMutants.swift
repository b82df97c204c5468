@_spi(Mutants) import AdaptableSession

extension SessionMutant {
    /// Mutants in the target of a redirect and in the redirected request.
    static let redirecting = [
        SessionMutant("follows-for-ever", breaks: ["REDR-09"], "never gives up on a loop") {
            $0.redirects.limit = .max
        },
        SessionMutant("follows-one-only", breaks: ["REDR-01"], "gives up after one redirect") {
            $0.redirects.limit = 1
        },
        SessionMutant("follows-none", breaks: ["REDR-01"], "delivers each redirect as the answer") {
            $0.redirects.followed = []
        },
        SessionMutant(
            "keeps-authorization-across-origins", breaks: ["REDR-01"], "hands the user's secret to another server"
        ) {
            $0.redirects.dropsCredentialsAcrossOrigins = false
        },
        SessionMutant("307-becomes-get", breaks: ["REDR-01"], "makes a GET of what 307 and 308 send on") {
            $0.redirects.everythingBecomesGet = [303, 307, 308]
        },
        SessionMutant("303-stays-a-post", breaks: ["REDR-01"], "sends the POST to the place where its result is") {
            $0.redirects.everythingBecomesGet = []
        },
        SessionMutant("put-becomes-get", breaks: ["REDR-01"], "makes a GET of a PUT on 302") {
            $0.redirects.everythingBecomesGet = [302, 303]
        },
        SessionMutant("redirect-loses-the-body", breaks: ["REDR-01"], "sends 307 and 308 on without the body") {
            $0.redirects.sendsBodyAgain = false
        },
        SessionMutant("missing-location-fails", breaks: ["REDR-01"], "fails on a redirect that names no place") {
            $0.redirects.withoutLocation = .failed
        },
        SessionMutant(
            "keeps-origin-and-referer", breaks: ["REDR-01"],
            "tells the second server of the first in Referer and Origin"
        ) {
            $0.redirects.regeneratedAcrossOrigins = []
        },
        SessionMutant("takes-user-information", breaks: ["REDR-01"], "signs in as a redirect tells it") {
            $0.redirects.removesUserInformation = false
        },
        SessionMutant("head-becomes-get", breaks: ["REDR-01"], "asks for a body after a redirected HEAD") {
            $0.redirects.keepsHead = false
        },
        SessionMutant(
            "content-fields-without-content", breaks: ["REDR-01"], "keeps Content-Type where the body is dropped"
        ) {
            $0.redirects.dropsContentFieldsWithBody = false
        },
        SessionMutant("drops-the-fragment", breaks: ["REDR-01"], "loses the fragment at a redirect") {
            $0.redirects.inheritsFragment = false
        },
    ]
}
