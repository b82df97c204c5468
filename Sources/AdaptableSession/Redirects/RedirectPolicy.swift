/// The rules for redirects (RFC 9110 §15.4).
package struct RedirectPolicy: Hashable, Sendable {
    package enum MissingLocationPolicy: Hashable, Sendable {
        /// The redirect response is the result, as when a delegate refuses the redirect.
        case delivered
        /// `URLError.redirectToNonExistentLocation`.
        case failed
    }

    /// The number of redirects that one task follows before `URLError.httpTooManyRedirects`. Sources give 16 and 20;
    /// Fetch specifies 20.
    package var limit = 20
    /// The status codes that are followed. Other 3xx responses are results: 300 is a choice, 304 belongs to the cache,
    /// 305 and 306 are obsolete.
    package var followed: Set<Int> = [301, 302, 303, 307, 308]
    /// The status codes after which every method except HEAD becomes a GET (§15.4.4).
    package var everythingBecomesGet: Set<Int> = [303]
    package var keepsHead = true
    /// Remove the fields that describe a body when the body is not sent again (§15.4).
    package var dropsContentFieldsWithBody = true
    package var sendsBodyAgain = true
    /// Remove credentials when the origin changes. §15.4 leaves this to the client; without it any server could
    /// redirect a user's secrets to another one.
    package var dropsCredentialsAcrossOrigins = true
    package var regeneratedAcrossOrigins: Set<String> = ["host", "origin", "referer"]
    /// Keep the original URL's fragment when the Location has none of its own (§10.2.2).
    package var inheritsFragment = true
    /// Remove a user name and password from the Location: in a URL from another party they serve to deceive (§4.2.4).
    package var removesUserInformation = true
    package var withoutLocation: MissingLocationPolicy = .delivered
    package var malformedLocation: MissingLocationPolicy = .delivered

    package init() {}
}
