import Synchronization

/// All decisions that the documentation leaves open or that are easy to get wrong, each under one name.
///
/// This is the only entry for mutants, which replace some of the values and install them for the whole process before
/// it creates a configuration. An application cannot reach it: the SPI is not a part of the library's interface.
@_spi(Mutants) public struct SessionPolicies: Sendable {
    private static let process = Mutex(SessionPolicies())

    /// The policies of every configuration that the process creates.
    @_spi(Mutants) public static var installed: SessionPolicies {
        get { process.withLock { $0 } }
        set { process.withLock { $0 = newValue } }
    }

    package var redirects = RedirectPolicy()
    package var authentication = AuthenticationPolicy()
    package var cookies = CookiePolicy()
    package var encodings = EncodingPolicy()
    package var cache = CachePolicy()

    package var pool = PoolPolicy()
    package var retry = RetryPolicy()
    package var downloadResume = DownloadResumePolicy()
    package var timers = TimerPolicy()
    package var delivery = DeliveryPolicy()
    package var tasks = TaskPolicy()
    package var progress = ProgressPolicy()
    package var streams = StreamPolicy()
    package var invalidation = InvalidationPolicy()

    package var path = PathPolicy()
    package var waiting = ConnectivityWaitPolicy()
    package var connect = ConnectPolicy()
    package var uploadResume = UploadResumePolicy()
    package var http2 = HTTP2Policy()
    package var proxies = ProxyPolicy()
    package var configuration = ConfigurationPolicy()
    package var stores = StorePolicy()
    package var protocols = ProtocolPolicy()

    @_spi(Mutants) public init() {}
}

/// The rules for a session's handling of configuration objects.
package struct ConfigurationPolicy: Hashable, Sendable {
    /// Copy the configuration, so that later changes do not affect the session (CONF-01).
    package var isCopied = true
    /// Return a copy of the configuration from `configuration` (CONF-02).
    package var returnsCopy = true
}

/// The rules for using the stores of cookies, cached responses and credentials.
package struct StorePolicy: Hashable, Sendable {
    /// Use the stores of the configuration (CONF-16).
    package var usesConfigured = true
    /// Call the variants of the store methods that take the task (STOR-01, STOR-03, STOR-04).
    package var passesTaskToStore = true
    /// Wait for stores that reply asynchronously (STOR-02).
    package var waitsForStores = true
    /// Show the current request in the task, so that stores can use it (STOR-05).
    package var showsCurrentRequest = true
}

/// The rules for invalidating a session.
package struct InvalidationPolicy: Hashable, Sendable {
    /// Report the invalidation after all other callbacks (INVL-04).
    package var comesLast = true
    /// Retain the delegate until the invalidation (INVL-01).
    package var holdsDelegate = true
    /// Release the delegate after the invalidation (INVL-05).
    package var releasesDelegate = true
    /// Cancel the tasks in `invalidateAndCancel()` (INVL-02).
    package var cancelsTasks = true
    /// Let tasks finish in `finishTasksAndInvalidate()` (INVL-03).
    package var finishesTasks = true
}

/// The rules for stream tasks.
package struct StreamPolicy: Hashable, Sendable {
    /// Let a read wait for its minimum number of bytes (STRM-01).
    package var readsTheMinimum = true

    /// Start TLS in `startSecureConnection` (STRM-02).
    package var secures = true

    /// Capture the streams after all earlier reads and writes have finished (STRM-03).
    package var captureWaits = true

    /// Pass received and unread bytes to the captured input stream (STRM-03).
    package var capturesUnread = true

    /// Continue the task's own connection in the captured streams.
    package var capturesConnection = true
}

/// The rules for delivering received data to callbacks.
package struct DeliveryPolicy: Hashable, Sendable {
    /// The number of bytes that may wait for a task's callbacks, or for the disk, before reading from its connection
    /// pauses.
    package var backlog = 512 * 1024

    /// False: only `cancel(byProducingResumeData:)` creates resume data for a cancelled download.
    package var plainCancelLeavesResumeData = false

    /// Callbacks run on the queue that the program gave the session (DLGT-01).
    package var usesCallerQueue = true

    /// The number of callbacks that may run at the same time; nil means as many as the queue allows (DLGT-15, DLGT-18).
    package var queueWidth: Int?

    /// The callbacks of one task run one after another, regardless of the queue's width (DLGT-17).
    package var keepsTaskOrder = true

    /// A load that paused because its callbacks were blocked continues after they return (DLGT-13).
    package var continuesAfterBlock = true
    /// Completion handlers run on the delegate queue (CONV-09).
    package var handlersOnQueue = true
}
