package import Foundation
import HTTPFields

/// The cookies of one storage (rfc6265bis §5.7, §5.8). The time is an argument of every call.
package struct CookieJar: Sendable {
    /// The reason why a cookie was not stored.
    package enum Refusal: Hashable, Sendable {
        case publicSuffix, foreignDomain, secureFromPlain, coversSecure, prefix, sameSiteNoneWithoutSecure, crossSite
    }

    /// The URL of a request and the main document for which it is made.
    package struct Site: Hashable, Sendable {
        package var url: URL
        /// nil if the request is its own main document.
        package var mainDocument: URL?

        package init(_ url: URL, mainDocument: URL? = nil) {
            self.url = url
            self.mainDocument = mainDocument
        }
    }

    /// The largest numbers of cookies, of one host and of all together (§5.7).
    static let mostOfDomain = 180
    static let mostOfAll = 3_000

    private struct Key: Hashable {
        var name: String
        var domain: String
        var path: String

        init(_ cookie: AdaptableCookie) {
            name = cookie.name
            domain = cookie.domain
            path = cookie.path
        }
    }

    private struct StoredCookie {
        var cookie: AdaptableCookie
        var created: Date
        /// Orders cookies that were created at the same time.
        var number: Int
        var used: Date
    }

    package var policy: CookiePolicy
    private let suffixes: PublicSuffixList
    private var kept: [Key: StoredCookie] = [:]
    private var count = 0
    /// Incremented for each cookie that is added, removed or replaced by a different one.
    package private(set) var changes = 0

    package init(policy: CookiePolicy = CookiePolicy(), suffixes: PublicSuffixList = .system) {
        self.policy = policy
        self.suffixes = suffixes
    }

    /// Returns the cookies that have not expired, in the order of their creation.
    package func all(now: Date) -> [AdaptableCookie] {
        kept.values.filter { !isExpired($0.cookie, now) }.sorted { ($0.created, $0.number) < ($1.created, $1.number) }
            .map(\.cookie)
    }

    // MARK: Storing

    /// Stores a cookie of a response to `site`. Returns nil if it was stored, or if it was expired and removed the
    /// cookie that it replaces.
    @discardableResult
    package mutating func store(_ cookie: AdaptableCookie, from site: Site, now: Date) -> Refusal? {
        guard let origin = WebOrigin(site.url) else { return .foreignDomain }
        var cookie = cookie
        if let refusal = refusalByDomain(&cookie, origin.host) { return refusal }
        if cookie.isSecure, !origin.isSecure, policy.acceptsSecureOnlySecurely { return .secureFromPlain }
        if policy.checksSameSite {
            if cookie.sameSitePolicy == AdaptableCookie.SameSite.none, !cookie.isSecure,
                policy.requiresSecureForSameSiteNone
            {
                return .sameSiteNoneWithoutSecure
            }
            if let sameSite = cookie.sameSitePolicy, sameSite != .none, isCrossSite(site) { return .crossSite }
        }
        if policy.checksPrefixes, breaksPrefix(cookie) { return .prefix }
        if policy.protectsSecureFromOverlay, !cookie.isSecure, !origin.isSecure, covers(cookie, now) {
            return .coversSecure
        }
        keep(cookie, now)
        return nil
    }

    /// Stores a cookie that the program sets itself, without checks.
    package mutating func set(_ cookie: AdaptableCookie, now: Date) { keep(cookie, now) }

    package mutating func remove(_ cookie: AdaptableCookie) { remove(Key(cookie)) }

    private mutating func remove(_ key: Key) { if kept.removeValue(forKey: key) != nil { changes += 1 } }

    package mutating func remove(since date: Date) { retain { $0.created < date } }

    package mutating func removeAll() { retain { _ in false } }

    private mutating func retain(_ isKept: (StoredCookie) -> Bool) {
        let before = kept.count
        kept = kept.filter { isKept($0.value) }
        changes += before - kept.count
    }

    private func refusalByDomain(_ cookie: inout AdaptableCookie, _ host: String) -> Refusal? {
        if !cookie.isHostOnly, policy.refusesPublicSuffixes, suffixes.isPublicSuffix(cookie.host) {
            guard cookie.host == host else { return .publicSuffix }
            cookie.domain = host
        }
        if policy.checksDomain {
            let matches = cookie.isHostOnly ? cookie.host == host : CookieMatch.domain(host, within: cookie.host)
            guard matches else { return .foreignDomain }
        }
        // An IP address is a single host regardless of the attribute.
        if !cookie.isHostOnly, CookieMatch.isAddress(cookie.host) { cookie.domain = cookie.host }
        return nil
    }

    private func breaksPrefix(_ cookie: AdaptableCookie) -> Bool {
        // A cookie without a name is sent as its value, which a server would read as the prefixed name.
        let name = HTTPFieldSyntax.lowercased(cookie.name.isEmpty ? cookie.value : cookie.name)
        let isHost = name.hasPrefix("__host-")
        guard isHost || name.hasPrefix("__secure-") else { return false }
        if cookie.name.isEmpty || !cookie.isSecure { return true }
        return isHost && !(cookie.isHostOnly && cookie.path == "/" && cookie.namesPath)
    }

    private func covers(_ cookie: AdaptableCookie, _ now: Date) -> Bool {
        kept.values.contains { old in
            old.cookie.isSecure && old.cookie.name == cookie.name && !isExpired(old.cookie, now)
                && (CookieMatch.domain(old.cookie.host, within: cookie.host)
                    || CookieMatch.domain(cookie.host, within: old.cookie.host))
                && CookieMatch.path(cookie.path, under: old.cookie.path)
        }
    }

    private mutating func keep(_ cookie: AdaptableCookie, _ now: Date) {
        let key = Key(cookie)
        guard !isExpired(cookie, now) else {
            return remove(key)
        }
        count += 1
        var new = StoredCookie(cookie: cookie, created: now, number: count, used: now)
        if let old = kept[key] {
            new.created = old.created
            new.number = old.number
        }
        if kept[key]?.cookie != cookie { changes += 1 }
        kept[key] = new
        makeRoom(cookie.host, now)
    }

    /// Removes cookies above the limits (§5.7): expired ones first, then of a domain with too many those that are not
    /// Secure, then the least recently used.
    private mutating func makeRoom(_ host: String, _ now: Date) {
        let ofDomain = kept.values.lazy.filter { $0.cookie.host == host }.count
        guard ofDomain > Self.mostOfDomain || kept.count > Self.mostOfAll else { return }
        kept = kept.filter { !isExpired($0.value.cookie, now) }
        func shed(_ excess: Int, among: [(key: Key, value: StoredCookie)]) {
            let order = among.sorted {
                if $0.value.cookie.isSecure != $1.value.cookie.isSecure { return !$0.value.cookie.isSecure }
                return ($0.value.used, $0.value.number) < ($1.value.used, $1.value.number)
            }
            for entry in order.prefix(max(0, excess)) { kept[entry.key] = nil }
        }
        let mine = kept.filter { $0.value.cookie.host == host }.map { (key: $0.key, value: $0.value) }
        shed(mine.count - Self.mostOfDomain, among: mine)
        shed(kept.count - Self.mostOfAll, among: kept.map { (key: $0.key, value: $0.value) })
    }

    // MARK: Sending

    /// Returns the cookies for a request, in the order in which they are sent.
    package mutating func cookies(for site: Site, now: Date) -> [AdaptableCookie] {
        guard let origin = WebOrigin(site.url) else { return [] }
        let path = site.url.path(percentEncoded: true)
        let isCross = policy.checksSameSite && isCrossSite(site)
        let found = kept.filter { _, entry in
            let cookie = entry.cookie
            if isExpired(cookie, now) { return false }
            if policy.checksDomain {
                let matches =
                    cookie.isHostOnly
                    ? cookie.host == origin.host : CookieMatch.domain(origin.host, within: cookie.host)
                if !matches { return false }
            }
            if policy.checksPath, !CookieMatch.path(path.isEmpty ? "/" : path, under: cookie.path) { return false }
            if cookie.isSecure, !origin.isSecure, policy.sendsSecureOnlySecurely { return false }
            if isCross, let sameSite = cookie.sameSitePolicy, sameSite != .none { return false }
            return true
        }
        for key in found.keys { kept[key]?.used = now }
        return found.values.sorted { one, other in
            let (left, right) = (one.cookie.path.utf8.count, other.cookie.path.utf8.count)
            if left != right, policy.sortsLongerPathsFirst { return left > right }
            return (one.created, one.number) < (other.created, other.number)
        }.map(\.cookie)
    }

    private func isExpired(_ cookie: AdaptableCookie, _ now: Date) -> Bool {
        guard policy.removesExpired, let expiry = cookie.expiresDate else { return false }
        return expiry <= now
    }

    // MARK: Sites

    /// Returns true if the request's registrable domain differs from that of its main document.
    package func isCrossSite(_ site: Site) -> Bool {
        guard let main = site.mainDocument?.host(percentEncoded: false).map(WebOrigin.canonical),
            let host = site.url.host(percentEncoded: false).map(WebOrigin.canonical)
        else { return false }
        if main == host { return false }
        guard let one = suffixes.registrableDomain(main), let other = suffixes.registrableDomain(host) else {
            return true
        }
        return one != other
    }
}
