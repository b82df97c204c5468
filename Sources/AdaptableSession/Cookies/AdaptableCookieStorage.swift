public import Foundation
public import FoundationNetworking
import Synchronization

extension NSNotification.Name {
    /// Posted when the stored cookies have changed, as NSHTTPCookieManagerCookiesChanged is. Its object is the storage; it comes on the
    /// thread that changed the storage, after the change. A cookie that expires is not a change.
    public static let adaptableCookieStorageCookiesChanged = NSNotification.Name("AdaptableCookieStorageCookiesChanged")
    /// Posted when the accept policy has changed, as NSHTTPCookieManagerAcceptPolicyChanged is. Its object is the storage.
    public static let adaptableCookieStorageAcceptPolicyChanged = NSNotification.Name(
        "AdaptableCookieStorageAcceptPolicyChanged")
}

/// Cookies that sessions keep and send, as HTTPCookieStorage does. They live in memory: those with a date end with the process.
///
/// A session asks and tells it through the variants that take the task; a subclass may answer them later and from any thread.
/// The only state is behind a lock; Swift has no other way than `@unchecked` to say that of a class that can be subclassed.
open class AdaptableCookieStorage: @unchecked Sendable {
    /// What default sessions share (COOK-02).
    public static let shared = AdaptableCookieStorage()

    private struct State: Sendable {
        var jar: CookieJar
        var acceptance = HTTPCookie.AcceptPolicy.always
    }

    private let state: Mutex<State>

    /// An empty one, as ephemeral sessions have.
    public convenience init() { self.init(publicSuffixes: .system) }

    /// With a list of public suffixes of one's own.
    public init(publicSuffixes: PublicSuffixList) {
        state = Mutex(State(jar: CookieJar(suffixes: publicSuffixes)))
    }

    /// A session whose policy is another than the usual makes it the storage's.
    package func adopt(_ policy: CookiePolicy) { state.withLock { $0.jar.policy = policy } }

    /// A session's own `httpCookieAcceptPolicy` decides for it as well; the narrower holds.
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

    /// In the order in which they were created.
    open var cookies: [AdaptableCookie] { state.withLock { $0.jar.all(now: Date()) } }

    /// In the order in which they are sent.
    open func cookies(for url: URL, mainDocumentURL: URL? = nil) -> [AdaptableCookie] {
        state.withLock { $0.jar.cookies(for: CookieJar.Site(url, mainDocument: mainDocumentURL), now: Date()) }
    }

    /// Without a response to judge it by; refused only where nothing is accepted.
    open func setCookie(_ cookie: AdaptableCookie) {
        change { if $0.acceptance != .never { $0.jar.set(cookie, now: Date()) } }
    }

    /// Cookies of a response to `url`; those that it may not set are left out.
    open func setCookies(_ cookies: [AdaptableCookie], for url: URL, mainDocumentURL: URL?) {
        change { state in
            let site = CookieJar.Site(url, mainDocument: mainDocumentURL)
            guard CookieExchange.accepts(state.acceptance, isCrossSite: state.jar.isCrossSite(site)) else { return }
            for cookie in cookies { state.jar.store(cookie, from: site, now: Date()) }
        }
    }

    open func deleteCookie(_ cookie: AdaptableCookie) { change { $0.jar.remove(cookie) } }

    open func removeCookies(since date: Date) { change { $0.jar.remove(since: date) } }

    /// As `reset()` of a session wants it.
    open func removeAllCookies() { change { $0.jar.removeAll() } }

    /// Posts outside the lock: an observer may use the storage.
    private func change(_ act: (inout State) -> Void) {
        let hasChanged = state.withLock { state in
            let before = state.jar.changes
            act(&state)
            return state.jar.changes != before
        }
        if hasChanged { NotificationCenter.default.post(name: .adaptableCookieStorageCookiesChanged, object: self) }
    }

    func isCrossSite(_ site: CookieJar.Site) -> Bool { state.withLock { $0.jar.isCrossSite(site) } }

    // MARK: With the task that asks (STOR-01)

    /// The cookies for the task's current request.
    open func getCookiesFor(
        _ task: AdaptableSessionTask, completionHandler: @escaping @Sendable ([AdaptableCookie]?) -> Void
    ) {
        guard let request = task.currentRequest, let url = request.url else { return completionHandler(nil) }
        completionHandler(cookies(for: url, mainDocumentURL: request.mainDocumentURL))
    }

    /// Cookies of a response to the task's current request.
    open func storeCookies(_ cookies: [AdaptableCookie], for task: AdaptableSessionTask) {
        guard let request = task.currentRequest, let url = request.url else { return }
        setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }
}
