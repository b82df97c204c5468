/// What is decided about redirects (RFC 9110 §15.4).
package struct RedirectPolicy: Hashable, Sendable {
    package enum MissingLocationPolicy: Hashable, Sendable {
        /// The redirect response is the result, as where a delegate refuses it.
        case delivered
        /// `URLError.redirectToNonExistentLocation`.
        case failed
    }

    /// Redirects of one task before `URLError.httpTooManyRedirects`. Sources say 16 and 20; Fetch says 20.
    package var limit = 20
    /// The other codes of the class are answers: 300 is a choice, 304 is the cache's, 305 and 306 are gone.
    package var followed: Set<Int> = [301, 302, 303, 307, 308]
    /// §15.4.2 and §15.4.3 let a client make a GET of a POST, and clients do; of nothing else.
    package var postBecomesGet: Set<Int> = [301, 302]
    /// §15.4.4: anything but HEAD.
    package var everythingBecomesGet: Set<Int> = [303]
    package var keepsHead = true
    /// §15.4: they tell of a body that is not sent any more.
    package var dropsContentFieldsWithBody = true
    package var sendsBodyAgain = true
    /// §15.4 lets a client consider it; not to do so gives a user's secret to whomever the first server names.
    package var dropsCredentialsAcrossOrigins = true
    package var credentialFields: Set<String> = ["authorization", "cookie"]
    /// Some sessions do this even where the origin stays.
    package var dropsCredentialsAlways = false
    /// §15.4: those that belong to one connection or to one host are made anew.
    package var regeneratedFields: Set<String> = [
        "connection", "content-length", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
        "upgrade",
    ]
    package var regeneratedAcrossOrigins: Set<String> = ["host", "origin", "referer"]
    /// §10.2.2.
    package var inheritsFragment = true
    /// §4.2.4: a name and password that another party puts into a URL serve to deceive.
    package var removesUserInformation = true
    package var followsSecureToPlain = true
    package var withoutLocation: MissingLocationPolicy = .delivered
    package var malformedLocation: MissingLocationPolicy = .delivered

    package init() {}
}
