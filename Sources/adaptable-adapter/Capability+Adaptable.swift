import AdapterProtocol

extension Capability {
    /// The capabilities of AdaptableSession.
    static let offeredByAdaptable: Set<Capability> = [
        .data, .upload, .download, .delegate, .completionHandler, .suspend, .cancel, .invalidate, .requestTimeout,
        .resourceTimeout,
        .maximumConnectionsPerHost, .sessionHeaders, .tls, .tlsVersionLimits, .followRedirects, .redirectDecision,
        .responseDisposition, .becomeDownload, .uploadProgress, .downloadProgress, .informationalResponse, .metrics,
        .inspectTask,
        .heldDecisions, .readRetained, .streamedUpload, .taskPriority, .resumeData, .cancelProducingResumeData,
        .basicChallenge,
        .digestChallenge, .ntlmChallenge, .negotiateChallenge, .serverTrustChallenge, .clientCertificateChallenge,
        .credentialStorage, .cookies, .cookieAcceptance, .cookieControl,
        .http2, .cookieStorage, .waitsForConnectivity, .allowsCellularAccess, .cache, .cachePolicy, .cacheStorage,
        .cacheDecision, .cacheLookup, .sessionProxy, .secureProxy, .socksProxy, .systemProxy, .proxyChallenge,
        .uploadResumeData,
        .delegateQueue, .blockedCallbacks, .progress, .streamTask, .streamCapture,
        .taskProperties, .sessionProperties, .configurationObjects, .sharedSession, .sessionWithoutDelegate,
        .delegateRelease, .cookieSpy,
        .cacheSpy, .credentialSpy, .networkServiceType, .protocolClasses, .fileURLs, .dataURLs,
    ]

    /// Returns the reply for each name of a handshake; an unknown name is false.
    static func decisionCapabilities(to names: [String]) -> [String: Bool] {
        var answers: [String: Bool] = [:]
        for name in names {
            answers[name] = Capability(rawValue: name).map { offeredByAdaptable.contains($0) } ?? false
        }
        return answers
    }
}
