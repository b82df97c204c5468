/// The rules for cookies (draft-ietf-httpbis-rfc6265bis). Ages are in seconds, lengths in bytes.
package struct CookiePolicy: Hashable, Sendable {
    /// The session's settings decide if cookies are sent and stored (COOK-03, COOK-04).
    package var honoursSettings = true
    /// The longest name and value together (§5.6).
    package var longestPair = 4_096
    /// Refuses cookies for public suffixes, so that unrelated organisations do not share cookies (§5.7).
    package var refusesPublicSuffixes = true
    package var maxAgeOutranksExpires = true
    package var sendsSecureOnlySecurely = true
    package var acceptsSecureOnlySecurely = true
    /// A response over plain HTTP must not set a cookie that hides a Secure one (§5.7).
    package var protectsSecureFromOverlay = true
    package var checksPrefixes = true
    package var checksDomain = true
    package var checksPath = true
    package var checksSameSite = true
    package var requiresSecureForSameSiteNone = true
    package var sortsLongerPathsFirst = true
    package var removesExpired = true
    /// A Cookie field that the program sets in the request is sent unchanged; no cookies of the storage are added.
    package var ownFieldStands = true
}
