/// All decisions that the documentation leaves open or that are easy to get wrong, each under one name. A mutant
/// replaces one of them.
package struct SessionPolicies: Sendable {
    package var redirects = RedirectPolicy()
    package var authentication = AuthenticationPolicy()
    package var cookies = CookiePolicy()
    package var encodings = EncodingPolicy()
    package var cache = CachePolicy()

    package var pool = PoolPolicy()
    package var responses = ResponseLimits()
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

    package init() {}
}
