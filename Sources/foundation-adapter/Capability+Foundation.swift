import AdapterProtocol

extension Capability {
    /// True when FoundationNetworking declares the feature, it can be called, and its interface does not document it as
    /// having no effect. A declared feature that does not work is a finding, not a missing capability.
    var isOfferedByFoundation: Bool {
        switch self {
        case .data, .upload, .download, .delegate, .completionHandler, .suspend, .cancel, .invalidate, .sessionReset:
            true
        case .requestTimeout, .resourceTimeout, .maximumConnectionsPerHost, .sessionHeaders, .allowsCellularAccess: true
        case .tls, .basicChallenge, .digestChallenge, .followRedirects, .redirectDecision, .redirectRequest: true
        // Deprecated with a note to use HTTP/2 instead, and removed from libcurl in 7.62.
        case .pipelining: false
        // Declared as constants for a protection space's method.
        case .ntlmChallenge, .negotiateChallenge: true
        case .uploadProgress, .downloadProgress, .inspectTask, .cookies, .cache: true
        // `connectionProxyDictionary` is declared and not documented as having no effect; its SOCKS keys are those of
        // the documentation.
        case .sessionProxy, .proxySelection, .socksProxy, .systemProxy, .proxyChallenge: true
        // The dictionary does not have a key for it.
        case .secureProxy: false
        // Declared with a note that resume data is not supported: the task fails, the data is always nil.
        case .resumeData, .storedResumeData, .cancelProducingResumeData: false
        // Marked unavailable on this platform.
        case .waitsForConnectivity, .backgroundSession, .applicationState, .streamTask, .streamCapture: false
        // Not declared.
        case .allowsExpensiveNetworkAccess, .allowsConstrainedNetworkAccess, .tlsVersionLimits, .serverTrustChallenge,
            .clientCertificateChallenge, .informationalResponse:
            false
        // Declared with a note that the argument of the completion handler is ignored.
        case .responseDisposition: false
        // Decisions go through handlers, and data and files are delivered as on other platforms.
        case .heldDecisions, .readRetained: true
        case .streamedUpload, .requestStream, .failingStream: true
        // Not declared.
        case .uploadResumeData: false
        // Deprecated with a note that it is not supported.
        case .becomeDownload: false
        // Declared as an ordinary callback.
        case .metrics, .transactionMetrics, .taskDelegate, .optionalDelegateMethods: true
        case .asyncMethods: true
        // Not declared.
        case .asyncResume, .asyncBytes: false
        // Declared as documented; cookie stores and caches can be made and given to a configuration.
        case .cachePolicy, .cacheStorage, .cacheDecision, .cacheLookup, .cookieAcceptance, .cookieControl,
            .cookieStorage:
            true
        case .credentialStorage, .taskPriority: true
        // Parts of `requestTimeout`, of challenges and of loading, all documented.
        case .connectTimeout, .responseTimeout, .idleTimeout, .challengeDecision, .contentDecoding, .idempotentRetry,
            .connectionReuse, .incrementalData:
            true
        // The queue is an argument of the initialiser; `progress` is declared and not documented as having no effect.
        case .delegateQueue, .blockedCallbacks, .progress: true
        // Offered during the TLS handshake by the distribution's libcurl.
        case .http2: true
        case .taskProperties, .sessionProperties, .configurationObjects, .sharedSession, .sessionWithoutDelegate,
            .delegateRelease:
            true
        // Declared, with the value for an unknown size.
        case .taskList, .transferSizeHints: true
        // The class is open, and its methods with the data task can be overridden.
        case .cacheSpy, .networkServiceType: true
        // Declared, with the property that names the task.
        case .protocolClasses: true
        // The documentation of this class lists both schemes as supported, and nothing in this library removes them.
        case .fileURLs, .dataURLs: true
        // A store cannot be made of a subclass; the methods with the task are missing, or declared where they cannot be
        // overridden.
        case .cookieSpy, .credentialSpy: false
        }
    }
}
