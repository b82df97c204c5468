public import Foundation
public import FoundationNetworking
import Synchronization

/// A custom loader for requests: for a scheme that the session does not support, or in place of its handling of http
/// and https (PROT-03, PROT-04).
///
/// A subclass declares which requests it handles (`canInit`), starts in `startLoading()`, and reports to its `client`
/// from any thread. The session creates one object for each load, passes it the task (STOR-06), calls `startLoading()`
/// once and, when the load is over or cancelled, `stopLoading()` once. Both run on one of the session's threads and may
/// block. A subclass with its own `init(request:cachedResponse:client:)` marks it `required`.
///
/// A class that forwards its own requests marks them with `setProperty`, or uses a session without this class in its
/// `protocolClasses`.
///
/// The state of this class is either constant or protected by a lock. A class that can be subclassed can express this
/// in Swift only with `@unchecked`.
open class AdaptableURLProtocol: NSObject, @unchecked Sendable {
    private let given: URLRequest
    private let stored: AdaptableCachedURLResponse?
    private let listener: (any AdaptableURLProtocolClient)?
    private let loading = Mutex<AdaptableSessionTask?>(nil)

    /// Creates an object for a request. `cachedResponse` is the stored response that `request` may use, if any;
    /// `client` receives the load's events.
    public required init(
        request: URLRequest, cachedResponse: AdaptableCachedURLResponse?, client: (any AdaptableURLProtocolClient)?
    ) {
        given = request
        stored = cachedResponse
        listener = client
        super.init()
    }

    /// Creates the object for a task, with the task's current request. The session calls this initializer.
    public required convenience init(
        task: AdaptableSessionTask, cachedResponse: AdaptableCachedURLResponse?,
        client: (any AdaptableURLProtocolClient)?
    ) {
        let request = task.currentRequest ?? task.originalRequest ?? URLRequest(url: URL(fileURLWithPath: "/"))
        self.init(request: request, cachedResponse: cachedResponse, client: client)
        loading.withLock { $0 = task }
    }

    /// The canonical request, with the session's additional header fields and the body of an upload.
    open var request: URLRequest { given }
    /// The cached response for the request; nil without one, and when the cache policy does not allow reading the
    /// cache.
    open var cachedResponse: AdaptableCachedURLResponse? { stored }
    /// The receiver of the load's events; nil for an object that a program created without one.
    open var client: (any AdaptableURLProtocolClient)? { listener }
    /// The task that the object loads for; nil when it was not created for a task.
    open var task: AdaptableSessionTask? { loading.withLock { $0 } }

    // MARK: For subclasses to override

    /// Returns true if the class loads such requests. Default: false.
    open class func canInit(with request: URLRequest) -> Bool { false }

    /// Returns true if the class loads the task's request. The session calls this method. By default it passes the
    /// task's current request to `canInit(with:)`.
    open class func canInit(with task: AdaptableSessionTask) -> Bool {
        task.currentRequest.map { canInit(with: $0) } ?? false
    }

    /// Returns the request in the form in which the class loads it. Default: unchanged.
    open class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    /// Returns true if the response to one request can be used for the other. For classes that cache responses
    /// themselves; the session's cache follows the rules of HTTP.
    open class func requestIsCacheEquivalent(_ a: URLRequest, to b: URLRequest) -> Bool {
        canonicalRequest(for: a) == canonicalRequest(for: b)
    }

    /// Starts the load. The default implementation fails with `URLError.unsupportedURL`.
    open func startLoading() {
        client?.urlProtocol(
            self,
            didFailWithError: URLError.made(
                .unsupportedURL, "\(type(of: self)) accepts the request but does not implement loading.", request.url))
    }

    /// Stops the load. Everything that is sent to the client afterwards is ignored.
    open func stopLoading() {}

    // MARK: Registration for the process

    /// Registers a class for all sessions of the process, including the shared one (PROT-06). A session queries its own
    /// `protocolClasses` first, then the registered classes, the last registered first. Affects only loads that start
    /// later. Returns true.
    @discardableResult
    open class func registerClass(_ protocolClass: AdaptableURLProtocol.Type) -> Bool {
        RegisteredProtocols.add(protocolClass)
        return true
    }

    /// Removes a registered class. Loads that it has already started continue.
    open class func unregisterClass(_ protocolClass: AdaptableURLProtocol.Type) {
        RegisteredProtocols.remove(protocolClass)
    }
}
