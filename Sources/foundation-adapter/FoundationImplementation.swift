import AdapterProtocol
package import AdapterSupport
import Foundation
import FoundationNetworking

/// URLSession of swift-corelibs-foundation.
struct FoundationImplementation: SessionImplementation {
    var description: SessionEvent.Implementation {
        #if compiler(>=6.4)
            let version = "with Swift 6.4 or later"
        #elseif compiler(>=6.3)
            let version = "with Swift 6.3"
        #else
            let version = "with Swift before 6.3"
        #endif
        return SessionEvent.Implementation(name: "FoundationNetworking", version: version, language: "Swift")
    }

    let resumeDataKeys: (download: String, upload: String?) = (URLSessionDownloadTaskResumeData, nil)

    func offers(_ capability: Capability) -> Bool { capability.isOfferedByFoundation }

    var sharedSession: URLSession { .shared }
    var defaultConfiguration: URLSessionConfiguration { .default }
    var ephemeralConfiguration: URLSessionConfiguration { .ephemeral }

    func session(_ configuration: URLSessionConfiguration, _ reporter: SessionReporter?, _ queue: OperationQueue?)
        -> URLSession
    {
        URLSession(configuration: configuration, delegate: reporter?.delegate, delegateQueue: queue)
    }

    func setDelegate(_ reporter: SessionReporter, of task: any ClientTask) {
        (task as? URLSessionTask)?.delegate = reporter.delegate
    }

    func call(_ request: AsyncRequest, of session: URLSession, _ reporter: SessionReporter)
        -> (@Sendable () async throws -> AsyncResult)?
    {
        switch request {
        case .bytes, .resumedDownload: return nil
        case .data, .upload, .fileUpload, .download: break
        }
        return {
            let delegate = reporter.delegate
            switch request {
            case .data(let request):
                let (body, response) = try await session.data(for: request, delegate: delegate)
                return .data(body, response)
            case .upload(let request, let bytes):
                let (body, response) = try await session.upload(for: request, from: bytes, delegate: delegate)
                return .data(body, response)
            case .fileUpload(let request, let file):
                let (body, response) = try await session.upload(for: request, fromFile: file, delegate: delegate)
                return .data(body, response)
            case .download(let request):
                let (file, response) = try await session.download(for: request, delegate: delegate)
                return .file(file, response)
            case .bytes, .resumedDownload: throw URLError(.unknown)  // Refused above.
            }
        }
    }

    /// The keys are the values of the kCFNetworkProxies… and kCFStreamPropertySOCKS… constants, which this platform does
    /// not declare.
    func dictionary(of proxy: ProxyAddress) -> [AnyHashable: Any] {
        func entries(_ prefix: String) -> [AnyHashable: Any] {
            ["\(prefix)Enable": 1, "\(prefix)Proxy": proxy.host, "\(prefix)Port": proxy.port]
        }
        var settings: [AnyHashable: Any] = [:]
        switch proxy.kind {
        case .http, .https:
            if proxy.scheme != .https { settings.merge(entries("HTTP")) { $1 } }
            if proxy.scheme != .http { settings.merge(entries("HTTPS")) { $1 } }
        case .socks5:
            settings = entries("SOCKS")
            if let user = proxy.user { settings["kCFStreamPropertySOCKSUser"] = user }
            if let password = proxy.password { settings["kCFStreamPropertySOCKSPassword"] = password }
        }
        if !proxy.exceptions.isEmpty { settings["ExceptionsList"] = proxy.exceptions }
        return settings
    }

    var sharedCache: URLCache { .shared }
    var sharedCookieStorage: HTTPCookieStorage { .shared }
    var sharedCredentialStorage: URLCredentialStorage { .shared }

    /// Capacities without a value are those of the shared cache. Without a folder it would write to the harness's
    /// working directory.
    func cache(named name: String, _ settings: CacheSettings) -> URLCache {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        return URLCache(
            memoryCapacity: settings.memoryCapacity.map { Int($0) } ?? URLCache.shared.memoryCapacity,
            diskCapacity: settings.diskCapacity.map { Int($0) } ?? URLCache.shared.diskCapacity, diskPath: folder)
    }

    // The only private stores that this library makes are those of an ephemeral configuration.
    func newCookieStorage() -> HTTPCookieStorage? { URLSessionConfiguration.ephemeral.httpCookieStorage }
    func newCredentialStorage() -> URLCredentialStorage? { URLSessionConfiguration.ephemeral.urlCredentialStorage }

    func add(_ store: SpyStore, _ spy: StoreSpy, to configuration: URLSessionConfiguration) {
        switch store {
        case .cache: configuration.urlCache = SpyCache(spy)
        // Not offered, so no session with these spies is made.
        case .cookies, .credentials: break
        }
    }

    func loadingClass<Slot: ProtocolSlot>(_ slot: Slot.Type) -> AnyClass { ScriptedProtocol<Slot>.self }
    func register(_ loadingClass: AnyClass) { _ = URLProtocol.registerClass(loadingClass) }
}

extension URLSession: ClientSession {
    package func listTasks(
        _ handler: @escaping @Sendable ([any ClientTask], [any ClientTask], [any ClientTask]) -> Void
    ) { getTasksWithCompletionHandler { handler($0, $1, $2) } }
}
extension URLSessionTask: ClientTask {}
extension URLSessionDownloadTask: ResumableClientTask {}
extension URLSessionConfiguration: ClientConfiguration {
    package typealias LoadingClass = AnyClass
    package var ownSettings: [(String, Any)] { [("isDiscretionary", isDiscretionary)] }
}
extension URLSessionTaskTransactionMetrics: ClientTransactionMetrics {}
extension URLCache: ClientCache {}
extension CachedURLResponse: ClientCachedResponse {}
extension URLCredentialStorage: ClientCredentialStorage {}
extension URLAuthenticationChallenge: ClientChallenge {}
extension URLSession.AuthChallengeDisposition: ClientChallengeDisposition {}
extension URLSession.ResponseDisposition: ClientResponseDisposition {}

/// A cache of an app's own class: reports each access and then behaves like the stock one.
private final class SpyCache: URLCache, @unchecked Sendable {
    private let spy: StoreSpy

    init(_ spy: StoreSpy) {
        self.spy = spy
        super.init(memoryCapacity: URLCache.shared.memoryCapacity, diskCapacity: 0, diskPath: nil)
    }

    override func getCachedResponse(
        for dataTask: URLSessionDataTask, completionHandler: @escaping @Sendable (CachedURLResponse?) -> Void
    ) {
        spy.read(.cache, for: dataTask) {
            super.getCachedResponse(for: dataTask, completionHandler: completionHandler)
        }
    }

    override func storeCachedResponse(_ cachedResponse: CachedURLResponse, for dataTask: URLSessionDataTask) {
        spy.wrote(to: .cache, for: dataTask)
        super.storeCachedResponse(cachedResponse, for: dataTask)
    }
}
