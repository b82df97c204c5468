public import Foundation
public import FoundationNetworking
import Synchronization

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
        set { state.withLock { $0.acceptance = newValue } }
    }

    /// In the order in which they were created.
    open var cookies: [AdaptableCookie] { state.withLock { $0.jar.all(now: Date()) } }

    /// In the order in which they are sent.
    open func cookies(for url: URL, mainDocumentURL: URL? = nil) -> [AdaptableCookie] {
        state.withLock { $0.jar.cookies(for: CookieJar.Site(url, mainDocument: mainDocumentURL), now: Date()) }
    }

    /// Without a response to judge it by; refused only where nothing is accepted.
    open func setCookie(_ cookie: AdaptableCookie) {
        state.withLock { if $0.acceptance != .never { $0.jar.set(cookie, now: Date()) } }
    }

    /// Cookies of a response to `url`; those that it may not set are left out.
    open func setCookies(_ cookies: [AdaptableCookie], for url: URL, mainDocumentURL: URL?) {
        state.withLock { state in
            let site = CookieJar.Site(url, mainDocument: mainDocumentURL)
            guard CookieExchange.accepts(state.acceptance, isCrossSite: state.jar.isCrossSite(site)) else { return }
            for cookie in cookies { state.jar.store(cookie, from: site, now: Date()) }
        }
    }

    open func deleteCookie(_ cookie: AdaptableCookie) { state.withLock { $0.jar.remove(cookie) } }

    open func removeCookies(since date: Date) { state.withLock { $0.jar.remove(since: date) } }

    /// As `reset()` of a session wants it.
    open func removeAllCookies() { state.withLock { $0.jar.removeAll() } }

    func isCrossSite(_ site: CookieJar.Site) -> Bool { state.withLock { $0.jar.isCrossSite(site) } }

    // MARK: With the task that asks (STOR-01)

    /// The cookies for the task's current request.
    open func getCookiesFor(_ task: AdaptableSessionTask, completionHandler: @escaping @Sendable ([AdaptableCookie]?) -> Void) {
        guard let request = task.currentRequest, let url = request.url else { return completionHandler(nil) }
        completionHandler(cookies(for: url, mainDocumentURL: request.mainDocumentURL))
    }

    /// Cookies of a response to the task's current request.
    open func storeCookies(_ cookies: [AdaptableCookie], for task: AdaptableSessionTask) {
        guard let request = task.currentRequest, let url = request.url else { return }
        setCookies(cookies, for: url, mainDocumentURL: request.mainDocumentURL)
    }
}
