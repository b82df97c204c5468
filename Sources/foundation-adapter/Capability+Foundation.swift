import AdapterProtocol

extension Capability {
    /// True when FoundationNetworking declares the feature, it can be called, and nothing in its interface says that it is without
    /// effect. A feature that is declared and does not work is a finding, not a missing capability.
    var isOfferedByFoundation: Bool {
        switch self {
        case .data, .upload, .download, .delegate, .completionHandler, .suspend, .cancel, .invalidate: true
        case .requestTimeout, .resourceTimeout, .maximumConnectionsPerHost, .sessionHeaders, .allowsCellularAccess: true
        case .tls, .basicChallenge, .digestChallenge, .followRedirects, .redirectDecision: true
        // Declared as words for a protection space's method.
        case .ntlmChallenge, .negotiateChallenge: true
        case .uploadProgress, .downloadProgress, .inspectTask, .cookies, .cache: true
        // `connectionProxyDictionary` is declared, without a word that it does nothing; its SOCKS keys are those of the documentation.
        case .sessionProxy, .socksProxy, .systemProxy, .proxyChallenge: true
        // The dictionary has no word for it.
        case .secureProxy: false
        // Declared with the words that resume data is not supported: the task fails, the blob is always nil.
        case .resumeData, .cancelProducingResumeData: false
        // Marked unavailable on this platform.
        case .waitsForConnectivity, .backgroundSession, .streamTask, .streamCapture: false
        // Not declared.
        case .tlsVersionLimits, .serverTrustChallenge, .clientCertificateChallenge, .informationalResponse: false
        // Declared with a note that what the completion handler is given is ignored.
        case .responseDisposition: false
        // Answers come through handlers, and data and files are handed over as anywhere.
        case .heldDecisions, .readRetained: true
        case .streamedUpload: true
        // Not declared.
        case .uploadResumeData: false
        // Deprecated with the words that it is not supported.
        case .becomeDownload: false
        // Declared as a callback like any other.
        case .metrics: true
        // Declared, each as the documentation has it; cookie stores and caches can be made and given to a configuration.
        case .cachePolicy, .cacheStorage, .cacheDecision, .cacheLookup, .cookieAcceptance, .cookieControl,
            .cookieStorage:
            true
        case .credentialStorage, .taskPriority: true
        // The queue is an argument of the initialiser; `progress` is declared without a word that it does nothing.
        case .delegateQueue, .blockedCallbacks, .progress: true
        // Offered in TLS by the distribution's libcurl.
        case .http2: true
        case .taskProperties, .sessionProperties, .configurationObjects, .sharedSession, .sessionWithoutDelegate,
            .delegateRelease:
            true
        // The class is open, and its methods with the data task can be overridden.
        case .cacheSpy, .networkServiceType: true
        // Declared, with the property that names the task.
        case .protocolClasses: true
        // The documentation of this class names both schemes among those that it supports, and nothing here takes them away.
        case .fileURLs, .dataURLs: true
        // No store can be made of a subclass; the methods with the task are missing, or declared where nobody can override them.
        case .cookieSpy, .credentialSpy: false
        }
    }

    /// What a handshake asks; nobody's capabilities are not ours either.
    static func decisionCapabilities(to names: [String]) -> [String: Bool] {
        var answers: [String: Bool] = [:]
        for name in names { answers[name] = Capability(rawValue: name)?.isOfferedByFoundation ?? false }
        return answers
    }
}
