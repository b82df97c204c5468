/// One thing an implementation may or may not offer; a scenario that needs a missing one is *unsupported*, never failed.
///
/// The set is open on the wire: a name that neither side knows must be answered with `false`. The harness asks a nonsense name in
/// every handshake to find adapters that say yes to everything.
package enum Capability: String, CaseIterable, Hashable, Sendable {
    /// Data tasks.
    case data
    /// Upload tasks whose body is a file or memory.
    case upload
    /// Upload tasks whose body the delegate supplies as a stream.
    case streamedUpload
    /// An upload can be cancelled with resume data, and started from it; its error may bring some.
    case uploadResumeData
    /// Download tasks that deliver a file.
    case download
    /// Callbacks to a delegate, one event each.
    case delegate
    /// The completion-handler form of a task.
    case completionHandler
    /// A download can be started from resume data.
    case resumeData
    /// `cancel(byProducingResumeData:)`.
    case cancelProducingResumeData
    case suspend
    case cancel
    case invalidate
    case waitsForConnectivity
    case backgroundSession
    case requestTimeout
    case resourceTimeout
    case maximumConnectionsPerHost
    case sessionHeaders
    case allowsCellularAccess
    case tls
    case tlsVersionLimits
    /// The client decides about a server certificate in a challenge.
    case serverTrustChallenge
    case basicChallenge
    case digestChallenge
    case ntlmChallenge
    case negotiateChallenge
    /// The client is asked for a certificate of its own.
    case clientCertificateChallenge
    case followRedirects
    /// The client decides on each redirect.
    case redirectDecision
    /// The client may stop or convert a load when the response head arrives.
    case responseDisposition
    /// What the client decides about a redirect, a challenge or a response may be said later, and from another thread.
    case heldDecisions
    /// What was delivered can be looked at again later: the data objects themselves, and the place where a file was handed over.
    case readRetained
    case becomeDownload
    case uploadProgress
    case downloadProgress
    case informationalResponse
    case metrics
    /// State and counters of a task can be read at any time.
    case inspectTask
    /// A session can be given a proxy for all its requests.
    case sessionProxy
    /// A session can be given a SOCKS 5 proxy.
    case socksProxy
    /// A session can be given a proxy that is itself spoken to in TLS.
    case secureProxy
    /// Without a proxy of its own a session uses the system's, on Linux that of the environment.
    case systemProxy
    /// The client is asked for a proxy's credentials in a challenge.
    case proxyChallenge
    case cookies
    case cache
    /// The cache policies of `URLRequest`, on a session and on a request.
    case cachePolicy
    /// A session can be given a cache of its own with its sizes, or none.
    case cacheStorage
    /// The client is asked before a response is cached, and may refuse or change it.
    case cacheDecision
    /// What the cache holds for a request can be looked up without loading.
    case cacheLookup
    /// When cookies are kept can be configured.
    case cookieAcceptance
    /// Cookies can be left out, for a session or for a request.
    case cookieControl
    /// A session can be given a cookie store of its own, or none.
    case cookieStorage
    /// A session has a store of credentials that answers challenges, and an app can put credentials there.
    case credentialStorage
    /// A task can be given a priority.
    case taskPriority
    /// A session can be given the queue for its delegate's callbacks.
    case delegateQueue
    /// A callback may take its time: it blocks its thread until the client lets it return.
    case blockedCallbacks
    /// A task reports its progress through an object that can be read, cancelled, paused, resumed and combined.
    case progress
    /// Stream tasks: a connection to a host and port, TLS when it is asked for.
    case streamTask
    /// A stream task can be turned into a pair of streams.
    case streamCapture
    case http2
    /// Properties of tasks can be asked for.
    case taskProperties
    /// Properties of sessions can be asked for.
    case sessionProperties
    /// A configuration is an object that can be written to when its session has been made.
    case configurationObjects
    /// There is a session for the whole process that nobody makes.
    case sharedSession
    /// A session can be made without a delegate.
    case sessionWithoutDelegate
    /// It can be told when nothing holds a session's delegate any more.
    case delegateRelease
    /// A session can be given a cookie store of the program's own class.
    case cookieSpy
    /// A session can be given a cache of the program's own class.
    case cacheSpy
    /// A session can be given a credential store of the program's own class.
    case credentialSpy
    /// A session can be given classes of the program's own that load its requests, and the process too; they know the task.
    case protocolClasses
    /// `file:` URLs are loaded.
    case fileURLs
    /// `data:` URLs are loaded.
    case dataURLs
    /// A session's traffic can be given a class.
    case networkServiceType
}
