package import AdaptableSession
import AdapterProtocol
package import AdapterSupport
package import Foundation
package import FoundationNetworking

struct AdaptableImplementation: SessionImplementation {
    let description = SessionEvent.Implementation(name: "AdaptableSession", version: "1", language: "Swift")
    let resumeDataKeys: (download: String, upload: String?) = (
        AdaptableSession.downloadTaskResumeData, AdaptableSession.uploadTaskResumeData
    )

    func offers(_ capability: Capability) -> Bool { true }

    var sharedSession: AdaptableSession { .shared }
    var defaultConfiguration: AdaptableSessionConfiguration { .default }
    var ephemeralConfiguration: AdaptableSessionConfiguration { .ephemeral }

    func session(
        _ configuration: AdaptableSessionConfiguration, _ reporter: SessionReporter?, _ queue: OperationQueue?
    ) -> AdaptableSession {
        AdaptableSession(
            configuration: configuration, delegate: reporter?.delegate, delegateQueue: queue)
    }

    func setDelegate(_ reporter: SessionReporter, of task: any ClientTask) {
        (task as? AdaptableSessionTask)?.delegate = reporter.delegate
    }

    func call(_ request: AsyncRequest, of session: AdaptableSession, _ reporter: SessionReporter)
        -> (@Sendable () async throws -> AsyncResult)?
    {
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
            case .bytes(let request):
                let (bytes, response) = try await session.bytes(for: request, delegate: delegate)
                var body = Data()
                for try await byte in bytes { body.append(byte) }
                return .data(body, response)
            case .resumedDownload(let data):
                let (file, response) = try await session.download(resumeFrom: data, delegate: delegate)
                return .file(file, response)
            }
        }
    }

    func write(_ settings: SessionConfiguration, to configuration: AdaptableSessionConfiguration) {
        if let waits = settings.waitsForConnectivity { configuration.waitsForConnectivity = waits }
        if let allows = settings.allowsExpensiveNetworkAccess { configuration.allowsExpensiveNetworkAccess = allows }
        if let allows = settings.allowsConstrainedNetworkAccess {
            configuration.allowsConstrainedNetworkAccess = allows
        }
        if let pipelining = settings.pipelining { configuration.httpShouldUsePipelining = pipelining }
        if let minimum = settings.minimumTLSVersion {
            configuration.tlsMinimumSupportedProtocolVersion = minimum.adaptable
        }
        if let maximum = settings.maximumTLSVersion {
            configuration.tlsMaximumSupportedProtocolVersion = maximum.adaptable
        }
    }

    func dictionary(of proxy: ProxyAddress) -> [AnyHashable: Any] {
        func entries(_ prefix: String, _ server: String) -> [AnyHashable: Any] {
            var entries: [AnyHashable: Any] = [
                "\(prefix)Enable": 1, "\(prefix)Proxy": server, "\(prefix)Port": proxy.port,
            ]
            if let user = proxy.user { entries["\(prefix)User"] = user }
            if let password = proxy.password { entries["\(prefix)Password"] = password }
            return entries
        }
        let authority = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
        var settings: [AnyHashable: Any] = [:]
        switch proxy.kind {
        case .http, .https:
            let server = proxy.kind == .https ? "https://\(authority):\(proxy.port)" : proxy.host
            if proxy.scheme != .https { settings.merge(entries("HTTP", server)) { $1 } }
            if proxy.scheme != .http { settings.merge(entries("HTTPS", server)) { $1 } }
        case .socks5: settings = entries("SOCKS", proxy.host)
        }
        if !proxy.exceptions.isEmpty { settings["ExceptionsList"] = proxy.exceptions }
        return settings
    }

    var sharedCache: AdaptableURLCache { .shared }
    var sharedCookieStorage: AdaptableCookieStorage { .shared }
    var sharedCredentialStorage: AdaptableCredentialStorage { .shared }

    /// In memory only without a capacity on disk. Its folder belongs to the run, so a later process of the app finds its entries.
    func cache(named name: String, _ settings: CacheSettings) -> AdaptableURLCache {
        let memory = settings.memoryCapacity.map { Int($0) } ?? AdaptableURLCache.shared.memoryCapacity
        guard let disk = settings.diskCapacity, disk > 0 else { return AdaptableURLCache(memoryCapacity: memory) }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        return AdaptableURLCache(memoryCapacity: memory, diskCapacity: Int(disk), diskPath: folder)
    }

    func newCookieStorage() -> AdaptableCookieStorage? { AdaptableCookieStorage() }
    func newCredentialStorage() -> AdaptableCredentialStorage? { AdaptableCredentialStorage() }

    func add(_ store: SpyStore, _ spy: StoreSpy, to configuration: AdaptableSessionConfiguration) {
        switch store {
        case .cookies: configuration.httpCookieStorage = SpyCookieStorage(spy)
        case .cache: configuration.urlCache = SpyCache(spy)
        case .credentials: configuration.urlCredentialStorage = SpyCredentialStorage(spy)
        }
    }

    func loadingClass<Slot: ProtocolSlot>(_ slot: Slot.Type) -> AdaptableURLProtocol.Type {
        ScriptedProtocol<Slot>.self
    }

    func register(_ loadingClass: AdaptableURLProtocol.Type) { AdaptableURLProtocol.registerClass(loadingClass) }
}

extension AdaptableSession: ClientSession {
    package func listTasks(
        _ handler: @escaping @Sendable ([any ClientTask], [any ClientTask], [any ClientTask]) -> Void
    ) { getTasksWithCompletionHandler { handler($0, $1, $2) } }

    package func resumedUpload(from data: Data, completionHandler: DataHandler?) -> AdaptableSessionUploadTask? {
        guard let completionHandler else { return uploadTask(withResumeData: data) }
        return uploadTask(withResumeData: data, completionHandler: completionHandler)
    }

    package func stream(toHost host: String, port: Int) -> (any ClientStreamTask)? {
        streamTask(withHostName: host, port: port)
    }
}

extension AdaptableSessionTask: ClientTask {}
extension AdaptableSessionUploadTask: ResumableClientTask {}
extension AdaptableSessionDownloadTask: ResumableClientTask {}
extension AdaptableSessionStreamTask: ClientStreamTask {}

extension AdaptableSessionConfiguration: ClientConfiguration {
    package var ownSettings: [(String, Any)] {
        [
            ("waitsForConnectivity", waitsForConnectivity),
            ("allowsExpensiveNetworkAccess", allowsExpensiveNetworkAccess),
            ("allowsConstrainedNetworkAccess", allowsConstrainedNetworkAccess),
            ("tlsMinimumSupportedProtocolVersion", tlsMinimumSupportedProtocolVersion),
            ("tlsMaximumSupportedProtocolVersion", tlsMaximumSupportedProtocolVersion),
        ]
    }
}

extension AdaptableSessionTaskTransactionMetrics: ClientTransactionMetrics {}
extension AdaptableURLCache: ClientCache {}
extension AdaptableCachedURLResponse: ClientCachedResponse {}
extension AdaptableCredentialStorage: ClientCredentialStorage {}
extension AdaptableSession.AuthChallengeDisposition: ClientChallengeDisposition {}
extension AdaptableSession.ResponseDisposition: ClientResponseDisposition {}

extension AdaptableSessionAuthenticationChallenge: ClientChallenge {
    package var trustCredential: URLCredential? { serverTrust.map { AdaptableTrustCredential(trust: $0) } }

    package func identity(chainPath: String, keyPath: String) throws -> URLCredential? {
        try AdaptableIdentityCredential(
            certificatePEM: String(contentsOfFile: chainPath, encoding: .utf8),
            privateKeyPEM: String(contentsOfFile: keyPath, encoding: .utf8))
    }
}

extension TLSVersion {
    fileprivate var adaptable: AdaptableTLSVersion {
        switch self {
        case .tls10: .TLSv10
        case .tls11: .TLSv11
        case .tls12: .TLSv12
        case .tls13: .TLSv13
        }
    }
}
