public import Foundation
public import FoundationNetworking
import Synchronization

/// Loads requests in a program's own way: for a scheme that the session does not know, or in place of its handling of http and https
/// (PROT-03, PROT-04).
///
/// A subclass says which requests are its own (`canInit`), begins in `startLoading()`, and tells its `client` what it has, from any
/// thread. The session makes one object for each load, gives it the task that it loads for (STOR-06), calls `startLoading()` once and,
/// when the load is over or nobody wants it any more, `stopLoading()` once, both on a thread of the session's where the class may take
/// its time. A subclass with its own `init(request:cachedResponse:client:)` marks it `required`.
///
/// URLProtocol's `property(forKey:in:)` and `setProperty` have no counterpart: on this platform a URLRequest loses its properties with
/// every copy. A class that forwards its own requests does so in a session that has not the class.
///
/// The only state of this class is constant or behind a lock; Swift has no other way than `@unchecked` to say that of a class that can
/// be subclassed.
open class AdaptableURLProtocol: NSObject, @unchecked Sendable {
    private let given: URLRequest
    private let stored: AdaptableCachedURLResponse?
    private let listener: (any AdaptableURLProtocolClient)?
    private let loading = Mutex<AdaptableSessionTask?>(nil)

    public required init(
        request: URLRequest, cachedResponse: AdaptableCachedURLResponse?, client: (any AdaptableURLProtocolClient)?
    ) {
        given = request
        stored = cachedResponse
        listener = client
        super.init()
    }

    /// The one that the session calls: the request is the task's current one.
    public required convenience init(
        task: AdaptableSessionTask, cachedResponse: AdaptableCachedURLResponse?,
        client: (any AdaptableURLProtocolClient)?
    ) {
        let request = task.currentRequest ?? task.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        loading.withLock { $0 = task }
    }

    /// As the class made it canonical, with the session's additional header fields and the body of an upload.
    open var request: URLRequest { given }
    /// What the session's cache holds for the request, where its cache policy lets the cache be asked.
    open var cachedResponse: AdaptableCachedURLResponse? { stored }
    /// Who is told; nil for an object that a program made without one.
    open var client: (any AdaptableURLProtocolClient)? { listener }
    /// For which the object loads.
    open var task: AdaptableSessionTask? { loading.withLock { $0 } }

    // MARK: For subclasses to override

    /// Whether the class loads such requests; it does not unless it says so.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Asked by the session. Goes by the task's current request unless a class looks at more of the task.
    open class func canInit(with task: AdaptableSessionTask) -> Bool {
        task.currentRequest.map { canInit(with: $0) } ?? false
    }

    /// The request in the form in which the class loads it.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Whether the answer to one request serves for the other. For classes that keep answers; the session's cache goes by HTTP's rules.
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        canonicalRequest(for: a) == canonicalRequest(for: b)
    }

    /// A class that does not override it loads nothing: the load fails.
    open func startLoading() {
        client?.urlProtocol(
            self,
            didFailWithError: URLError.made(
                .unsupportedURL, "\(type(of: self)) takes the request and does not load it.", request.url))
    }

    /// The client hears nothing more.
    open func stopLoading() {}

    // MARK: The list of the process

    /// Makes a class known to the shared session, and to every other behind its own `protocolClasses` (PROT-06). The one that was
    /// registered last is asked first. Counts for loads that begin later.
    @discardableResult
    open class func registerClass(_ protocolClass: AdaptableURLProtocol.Type) -> Bool {
        RegisteredProtocols.add(protocolClass)
        return true
    }

    open class func unregisterClass(_ protocolClass: AdaptableURLProtocol.Type) {
        RegisteredProtocols.remove(protocolClass)
    }
}
