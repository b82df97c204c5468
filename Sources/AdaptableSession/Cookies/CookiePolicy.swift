/// What is decided about cookies (draft-ietf-httpbis-rfc6265bis).
package struct CookiePolicy: Hashable, Sendable {
    /// §5.5: 400 days.
    package var longestAge = 400 * 86_400
    /// §5.6: octets of name and value.
    package var longestPair = 4_096
    package var longestAttribute = 1_024
    package var mostOfDomain = 180
    package var mostOfAll = 3_000
    /// §5.7: unrelated organisations must not share cookies.
    package var refusesPublicSuffixes = true
    package var maxAgeOutranksExpires = true
    package var sendsSecureOnlySecurely = true
    package var acceptsSecureOnlySecurely = true
    /// A page that came unprotected may not lay its cookie over a protected one's.
    package var protectsSecureFromOverlay = true
    package var checksPrefixes = true
    package var checksDomain = true
    package var checksPath = true
    package var checksSameSite = true
    package var requiresSecureForSameSiteNone = true
    package var keepsCreationTime = true
    package var sortsLongerPathsFirst = true
    package var removesExpired = true
    /// A Cookie field that the request brings itself stands; nothing of the storage is added.
    package var ownFieldStands = true

    package init() {}
}
