public import Foundation
public import FoundationNetworking
import Synchronization

extension NSNotification.Name {
    /// Posted after the stored cookies have changed, like NSHTTPCookieManagerCookiesChanged, on the thread that changed
    /// them. The notification's object is the storage. The expiry of a cookie does not count as a change.
    public static let adaptableCookieStorageCookiesChanged = NSNotification.Name("AdaptableCookieStorageCookiesChanged")
    /// Posted after the accept policy has changed, like NSHTTPCookieManagerAcceptPolicyChanged. The notification's
    /// object is the storage.
    public static let adaptableCookieStorageAcceptPolicyChanged = NSNotification.Name(
        "AdaptableCookieStorageAcceptPolicyChanged")
}

/// A store of cookies like HTTPCookieStorage. Cookies are kept in memory only: those with an expiry date end with the
/// process, too.
///
/// A session uses the methods that take the task; a subclass may call their completion handlers later and on any
/// thread. `@unchecked` is safe because the only state is behind a lock; Swift does not allow a checked `Sendable` for
/// a class that can be subclassed.
open class AdaptableCookieStorage: @unchecked Sendable {
    /// The storage that default sessions share (COOK-02).
    public static let shared = AdaptableCookieStorage()

    private struct State: Sendable {
        var jar: CookieJar
        var acceptance = HTTPCookie.AcceptPolicy.always
    }

    private let state: Mutex<State>

    /// Creates an empty storage, as ephemeral sessions have.
    public convenience init() { self.init(publicSuffixes: .system) }

    /// Creates an empty storage with the given list of public suffixes.
    public init(publicSuffixes: PublicSuffixList) {
        state = Mutex(State(jar: CookieJar(suffixes: publicSuffixes)))
    }

    /// Called by a session with a non-default cookie policy; the storage adopts that policy.
    package func adopt(_ policy: CookiePolicy) { state.withLock { $0.jar.policy = policy } }

    /// The accept policy of the storage. A session's `httpCookieAcceptPolicy` applies too, so the stricter one decides.
    open var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { state.withLock { $0.acceptance } }
        set {
            let hasChanged = state.withLock { state in
                defer { state.acceptance = newValue }
                return state.acceptance != newValue
            }
            if hasChanged {
                NotificationCenter.default.post(name: .adaptableCookieStorageAcceptPolicyChanged, object: self)
            }
        }
    }

    /// The cookies that have not expired, in the order of their creation; never nil. Optional as in HTTPCookieStorage.
    open var cookies: [AdaptableCookie]? { state.withLock { $0.jar.all(now: Date()) } }

    /// Returns the cookies for a request of the same site, in the order in which they are sent; never nil. Optional as in
    /// HTTPCookieStorage.
    open func cookies(for url: URL) -> [AdaptableCookie]? { cookies(for: url, mainDocumentURL: nil) }

    /// Returns the cookies for a request, in the order in which they are sent.
    open func cookies(for url: URL, mainDocumentURL: URL?) -> [AdaptableCookie] {
        state.withLock { $0.jar.cookies(for: CookieJar.Site(url, mainDocument: mainDocumentURL), now: Date()) }
    }

    /// Stores a cookie without a response to check it against; refused only if the accept policy is `never`.
    open func setCookie(_ cookie: AdaptableCookie) {
        change { if $0.acceptance != .never { $0.jar.set(cookie, now: Date()) } }
    }

    /// Stores the cookies of a response to `url`, without those that it may not set. Without a URL nothing is stored.
    open func setCookies(_ cookies: [AdaptableCookie], for url: URL?, mainDocumentURL: URL?) {
        guard let url else { return }
        change { state in
            let site = CookieJar.Site(url, mainDocument: mainDocumentURL)
            guard CookieExchange.accepts(state.acceptance, isCrossSite: state.jar.isCrossSite(site)) else { return }
            for cookie in cookies { state.jar.store(cookie, from: site, now: Date()) }
        }
    }

    /// Removes the cookie with the same name, domain and path.
    open func deleteCookie(_ cookie: AdaptableCookie) { change { $0.jar.remove(cookie) } }

    /// Removes the cookies that were created at or after the date.
    open func removeCookies(since date: Date) { change { $0.jar.remove(since: date) } }

    /// Removes all cookies, as `reset()` of a session does.
    open func removeAllCookies() { change { $0.jar.removeAll() } }

    /// Posts the notification without the lock: an observer may use the storage.
    private func change(_ act: (inout State) -> Void) {
        let hasChanged = state.withLock { state in
            let before = state.jar.changes
            act(&state)
            return state.jar.changes != before
        }
        if hasChanged { NotificationCenter.default.post(name: .adaptableCookieStorageCookiesChanged, object: self) }
    }

    func isCrossSite(_ site: CookieJar.Site) -> Bool { state.withLock { $0.jar.isCrossSite(site) } }

    // MARK: Methods that take the task (STOR-01)

    /// Returns the cookies for the task's current request.
    open func getCookiesFor(
        _ task: AdaptableSessionTask, completionHandler: @escaping @Sendable ([AdaptableCookie]?) -> Void
    ) {
        guard let request = task.currentRequest, let url = request.url else { return completionHandler(nil) }
        completionHandler(cookies(for: url, mainDocumentURL: request.mainDocumentURL))
    }

    /// Stores the cookies of a response to the task's current request.
    open func storeCookies(_ cookies: [AdaptableCookie], for task: AdaptableSessionTask) {
        guard let request = task.currentRequest, let url = request.url else { return }
        setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }
}
