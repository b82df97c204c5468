/// One feature that an implementation may or may not offer; a scenario that needs a missing one is *unsupported*, never
/// failed.
///
/// The set is open on the wire: the reply for an unknown name must be `false`. Every handshake includes a made-up name,
/// to find adapters that reply `true` to everything.
package enum Capability: String, CaseIterable, Hashable, Sendable {
    /// Data tasks.
    case data
    /// Upload tasks whose body is a file or memory.
    case upload
    /// Upload tasks whose body the delegate supplies as a stream.
    case streamedUpload
    /// Data and download tasks whose request has a stream as its body; the delegate supplies further ones.
    case requestStream
    /// The stream of a body can fail while it is read.
    case failingStream
    /// An upload can be cancelled with resume data and started from it; its error may contain some.
    case uploadResumeData
    /// Download tasks that deliver a file.
    case download
    /// Callbacks to a delegate, one event each.
    case delegate
    /// The completion-handler form of a task.
    case completionHandler
    /// A download can be started from resume data.
    case resumeData
    /// Resume data can be stored in a file, from which a later process of the client continues.
    case storedResumeData
    /// `cancel(byProducingResumeData:)`.
    case cancelProducingResumeData
    case suspend
    case cancel
    case invalidate
    /// A session can be emptied: `flush` makes later requests use new connections, `reset` empties its stores as well.
    case sessionReset
    case waitsForConnectivity
    /// Sessions of the kind background: their transfers continue without the client's process, and a later process with a
    /// session of the same identifier receives their events.
    case backgroundSession
    /// The client learns from a command that its app enters the background or the foreground.
    case applicationState
    /// `timeoutIntervalForRequest`: the longest silence, whatever the client waits for. A client that limits every
    /// phase separately offers `connectTimeout`, `responseTimeout` and `idleTimeout`, which together are the same.
    case requestTimeout
    /// `requestTimeout` limits a connection attempt, with TLS.
    case connectTimeout
    /// `requestTimeout` limits the wait for the head of a response.
    case responseTimeout
    /// `requestTimeout` limits silence inside a body.
    case idleTimeout
    case resourceTimeout
    case maximumConnectionsPerHost
    /// HTTP/1.1 requests can be sent before earlier responses on their connection have arrived (RFC 9112 §9.3.2).
    case pipelining
    case sessionHeaders
    case allowsCellularAccess
    /// A session can be kept off interfaces whose use is expensive.
    case allowsExpensiveNetworkAccess
    /// A session can be kept off interfaces in low data mode.
    case allowsConstrainedNetworkAccess
    case tls
    case tlsVersionLimits
    /// The client decides about a server certificate in a challenge.
    case serverTrustChallenge
    /// Without a callback: credentials that the task is made with answer such a challenge.
    case basicChallenge
    case digestChallenge
    case ntlmChallenge
    case negotiateChallenge
    /// The client receives a challenge for its own certificate.
    case clientCertificateChallenge
    /// The client decides on each challenge: several decisions, or another than a credential.
    case challengeDecision
    /// Codings that the client offers in Accept-Encoding are decoded.
    case contentDecoding
    /// A request with an idempotent method is sent again by itself when a kept connection turns out to be closed
    /// (RFC 9110 §9.2.2).
    case idempotentRetry
    /// Connections are kept, and later tasks use them.
    case connectionReuse
    /// Bytes of a body are delivered when they arrive, and not at the end of the task.
    case incrementalData
    case followRedirects
    /// The client decides on each redirect.
    case redirectDecision
    /// The request that the client returns for a redirect can have its own method and body.
    case redirectRequest
    /// The client may stop or convert a load when the response head arrives.
    case responseDisposition
    /// Decisions about a redirect, a challenge or a response may be made later, and from another thread.
    case heldDecisions
    /// Delivered content can be examined later: the data objects themselves, and the path of a delivered file.
    case readRetained
    case becomeDownload
    case uploadProgress
    case downloadProgress
    case informationalResponse
    case metrics
    /// The metrics contain the steps and byte counts of each request.
    case transactionMetrics
    /// A task can have a delegate of its own.
    case taskDelegate
    /// A delegate of a session or task that implements some of its methods only.
    case optionalDelegateMethods
    /// The asynchronous methods `data(for:)`, `upload(for:…)` and `download(for:)`.
    case asyncMethods
    /// `download(resumeFrom:)`.
    case asyncResume
    /// `bytes(for:)`.
    case asyncBytes
    /// State and counters of a task can be read at any time.
    case inspectTask
    /// A session can use a proxy for all its requests.
    case sessionProxy
    /// A session can use a SOCKS 5 proxy.
    case socksProxy
    /// A session can use a proxy that it connects to with TLS.
    case secureProxy
    /// A session's proxy can be limited to one scheme, and can have hosts as exceptions.
    case proxySelection
    /// Without its own proxy a session uses the system's, on Linux the one in the environment.
    case systemProxy
    /// The client receives a challenge for a proxy's credentials.
    case proxyChallenge
    case cookies
    case cache
    /// The cache policies of `URLRequest`, on a session and on a request.
    case cachePolicy
    /// A session can use its own cache with its own sizes, or none.
    case cacheStorage
    /// The client is called before a response is cached, and may refuse or change it.
    case cacheDecision
    /// The cached response for a request can be looked up without loading.
    case cacheLookup
    /// The rule for accepting cookies can be configured.
    case cookieAcceptance
    /// Cookies can be left out, for a session or for a request.
    case cookieControl
    /// A session can use its own cookie store, or none.
    case cookieStorage
    /// A session has a store of credentials for challenges, and an app can put credentials there.
    case credentialStorage
    /// A task can be given a priority.
    case taskPriority
    /// A session can use a given queue for its delegate's callbacks.
    case delegateQueue
    /// A callback may block its thread until the client lets it return.
    case blockedCallbacks
    /// A task reports its progress through an object that can be read, cancelled, paused, resumed and combined.
    case progress
    /// Stream tasks: a connection to a host and port, with TLS on request.
    case streamTask
    /// A stream task can be turned into a pair of streams.
    case streamCapture
    case http2
    /// Properties of tasks can be read.
    case taskProperties
    /// Properties of sessions can be read.
    case sessionProperties
    /// The outstanding tasks of a session can be listed.
    case taskList
    /// A task holds the client's estimates of the bytes to send and to receive.
    case transferSizeHints
    /// A configuration is an object that can be written to after its session has been made.
    case configurationObjects
    /// The process has a shared session that no client has to make.
    case sharedSession
    /// A session can be made without a delegate.
    case sessionWithoutDelegate
    /// The adapter can detect when nothing holds a session's delegate any more.
    case delegateRelease
    /// A session can use a cookie store of a class that the program defines.
    case cookieSpy
    /// A session can use a cache of a class that the program defines.
    case cacheSpy
    /// A session can use a credential store of a class that the program defines.
    case credentialSpy
    /// A session or the whole process can use protocol classes of the program to load requests; these classes know the
    /// task.
    case protocolClasses
    /// `file:` URLs are loaded.
    case fileURLs
    /// `data:` URLs are loaded.
    case dataURLs
    /// A session's traffic can have a service type.
    case networkServiceType
}

extension Capability {
    /// The phases that `requestTimeout` limits.
    package static let timeouts: Set<Capability> = [.connectTimeout, .responseTimeout, .idleTimeout]

    /// The capabilities that are asked only of clients that list their events in the reply to `hello`; of others the
    /// capability that contained them is asked.
    package static let ofListedEvents = timeouts.union([
        .challengeDecision, .contentDecoding, .idempotentRetry, .connectionReuse, .incrementalData,
    ])

    /// Adds what follows from capabilities that a client offers.
    package static func implied(by offered: Set<Capability>) -> Set<Capability> {
        if offered.contains(.requestTimeout) { return offered.union(timeouts) }
        return offered.isSuperset(of: timeouts) ? offered.union([.requestTimeout]) : offered
    }
}
