/// The members of URLSession's family, from FoundationNetworking and from Apple's documentation of what it lacks: each is
/// present under the same name, or absent for a reason. Overloads share a name.
struct TypeMembers: Sendable {
    let type: String
    let present: Set<String>
    /// Members that are another one with default arguments, and that one.
    let byDefaultArgument: [String: String]
    /// The reason why a member does not exist.
    let absent: [String: String]

    init(
        _ type: String, present: String, byDefaultArgument: [String: String] = [:], absent: [String: String] = [:]
    ) {
        self.type = type
        self.present = Set(present.split(whereSeparator: \.isWhitespace).map(String.init))
        self.byDefaultArgument = byDefaultArgument
        self.absent = absent
    }

    var all: Set<String> { present.union(byDefaultArgument.keys).union(absent.keys) }

    /// Types that stay Foundation's, or that do not exist at all.
    static let otherTypes: [String: String] = [
        "URLSessionWebSocketTask": webSocket, "URLSessionWebSocketDelegate": webSocket,
        "URLRequest": foundation, "NSURLRequest": foundation, "NSMutableURLRequest": foundation,
        "URLResponse": foundation, "HTTPURLResponse": foundation, "URLCredential": foundation,
        "URLProtectionSpace": foundation, "HTTPCookiePropertyKey": foundation, "tls_ciphersuite_t": foundation,
    ]
    private static let webSocket = "WebSocket is a protocol of its own after an HTTP handshake."
    private static let foundation = "AdaptableSession uses Foundation's type."

    static let family: [TypeMembers] = [
        TypeMembers(
            "URLSession",
            present: """
                AuthChallengeDisposition AuthChallengeDisposition.cancelAuthenticationChallenge
                AuthChallengeDisposition.init(rawValue:) AuthChallengeDisposition.performDefaultHandling
                AuthChallengeDisposition.rejectProtectionSpace AuthChallengeDisposition.useCredential
                DelayedRequestDisposition DelayedRequestDisposition.cancel DelayedRequestDisposition.continueLoading
                DelayedRequestDisposition.useNewRequest ResponseDisposition ResponseDisposition.allow
                ResponseDisposition.becomeDownload ResponseDisposition.cancel ResponseDisposition.init(rawValue:)
                configuration data(for:delegate:) data(from:delegate:) dataTask(with:)
                dataTask(with:completionHandler:) delegate delegateQueue download(for:delegate:)
                download(from:delegate:) downloadTask(with:) downloadTask(with:completionHandler:)
                downloadTask(withResumeData:) downloadTask(withResumeData:completionHandler:)
                finishTasksAndInvalidate() flush(completionHandler:) getAllTasks(completionHandler:)
                getTasksWithCompletionHandler(_:) init(configuration:) init(configuration:delegate:delegateQueue:)
                invalidateAndCancel() reset(completionHandler:) sessionDescription shared upload(for:from:delegate:)
                upload(for:fromFile:delegate:) uploadTask(with:from:) uploadTask(with:from:completionHandler:)
                uploadTask(with:fromFile:) uploadTask(with:fromFile:completionHandler:)
                uploadTask(withStreamedRequest:) AsyncBytes AsyncBytes.lines allTasks bytes(for:delegate:) bytes(from:delegate:)
                download(resumeFrom:delegate:) flush() reset() streamTask(withHostName:port:) tasks
                uploadTask(withResumeData:) uploadTask(withResumeData:completionHandler:)
                """,
            absent: [
                "webSocketTask(with:)":
                    "WebSocket is a protocol of its own after an HTTP handshake; libraries for swift-nio implement it.",
                "webSocketTask(with:protocols:)":
                    "WebSocket is a protocol of its own after an HTTP handshake; libraries for swift-nio implement it.",
                "streamTask(with:)":
                    "Foundation here does not have NetService; AdaptableNetService resolves services to hosts and ports.",
                "dataTaskPublisher(for:)": "Combine does not exist on this platform.",
                "ResponseDisposition.becomeStream": "A data task cannot become a stream task.",
            ]
        ),
        TypeMembers(
            "URLSessionConfiguration",
            present: """
                allowsCellularAccess connectionProxyDictionary copy() default ephemeral httpAdditionalHeaders
                httpCookieAcceptPolicy httpCookieStorage httpMaximumConnectionsPerHost httpShouldSetCookies
                httpShouldUsePipelining
                identifier isDiscretionary networkServiceType protocolClasses requestCachePolicy
                sharedContainerIdentifier timeoutIntervalForRequest timeoutIntervalForResource urlCache
                urlCredentialStorage allowsConstrainedNetworkAccess allowsExpensiveNetworkAccess
                background(withIdentifier:) sessionSendsLaunchEvents tlsMaximumSupportedProtocolVersion
                tlsMinimumSupportedProtocolVersion waitsForConnectivity
                """,
            absent: [
                "init()": "Apple deprecates it: `default` is the same.",
                "copy(with:)": "`copy()` returns a configuration, so nothing needs a zone or a cast.",
                "shouldUseExtendedBackgroundIdleMode": "The system does not suspend programs on this platform.",
                "multipathServiceType": "The session does not use multipath TCP.",
                "requiresDNSSECValidation": "The system's resolver decides about DNSSEC.",
                "proxyConfigurations":
                    "The Network framework does not exist here; `connectionProxyDictionary` sets proxies.",
                "usesClassicLoadingMode": "The session has one way to load.",
                "enablesEarlyData": "The session never sends early data, which a third party can replay.",
                "allowsUltraConstrainedNetworkAccess": "Linux does not mark satellite networks.",
            ]
        ),
        TypeMembers(
            "URLSessionDataDelegate",
            present: """
                urlSession(_:dataTask:didBecome:) urlSession(_:dataTask:didReceive:)
                urlSession(_:dataTask:didReceive:completionHandler:)
                urlSession(_:dataTask:willCacheResponse:completionHandler:)
                urlSession(_:dataTask:willCacheResponse:)
                """
        ),
        TypeMembers(
            "URLSessionDataTask",
            present: """
                """
        ),
        TypeMembers(
            "URLSessionDelegate",
            present: """
                urlSession(_:didBecomeInvalidWithError:) urlSession(_:didReceive:completionHandler:)
                urlSession(_:didCreateTask:) urlSession(_:didReceive:)
                urlSessionDidFinishEvents(forBackgroundURLSession:)
                """
        ),
        TypeMembers(
            "URLSessionDownloadDelegate",
            present: """
                urlSession(_:downloadTask:didFinishDownloadingTo:)
                urlSession(_:downloadTask:didResumeAtOffset:expectedTotalBytes:)
                urlSession(_:downloadTask:didWriteData:totalBytesWritten:totalBytesExpectedToWrite:)
                """
        ),
        TypeMembers(
            "URLSessionDownloadTask",
            present: """
                cancel(byProducingResumeData:) cancelByProducingResumeData()
                """
        ),
        TypeMembers(
            "URLSessionStreamDelegate",
            present: """
                urlSession(_:readClosedFor:) urlSession(_:streamTask:didBecome:outputStream:)
                urlSession(_:writeClosedFor:)
                """,
            absent: [
                "urlSession(_:betterRouteDiscoveredFor:)":
                    "A stream stays on its route, so the method would never be called."
            ]
        ),
        TypeMembers(
            "URLSessionStreamTask",
            present: """
                captureStreams() closeRead() closeWrite() readData(ofMinLength:maxLength:timeout:)
                readData(ofMinLength:maxLength:timeout:completionHandler:) startSecureConnection() write(_:timeout:)
                write(_:timeout:completionHandler:)
                """
        ),
        TypeMembers(
            "URLSessionTask",
            present: """
                State State.canceling State.completed State.init(rawValue:) State.running State.suspended cancel()
                countOfBytesClientExpectsToReceive countOfBytesClientExpectsToSend countOfBytesExpectedToReceive
                countOfBytesExpectedToSend countOfBytesReceived countOfBytesSent currentRequest defaultPriority
                delegate earliestBeginDate error highPriority lowPriority originalRequest priority progress response
                resume() state suspend() taskDescription taskIdentifier
                """,
            absent: [
                "init()": "Only a session creates tasks.",
                "copy()": "A task is one load, and has an identity.",
                "copy(with:)": "A task is one load, and has an identity.",
                "prefersIncrementalDelivery": "Data is delivered as it arrives, which is the default of the property.",
            ]
        ),
        TypeMembers(
            "URLSessionTaskDelegate",
            present: """
                urlSession(_:task:didCompleteWithError:) urlSession(_:task:didFinishCollecting:)
                urlSession(_:task:didReceive:completionHandler:)
                urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:)
                urlSession(_:task:needNewBodyStream:) urlSession(_:task:willBeginDelayedRequest:completionHandler:)
                urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:)
                urlSession(_:needNewBodyStreamForTask:) urlSession(_:needNewBodyStreamForTask:from:)
                urlSession(_:task:didReceive:) urlSession(_:task:didReceiveInformationalResponse:)
                urlSession(_:task:needNewBodyStreamFrom:completionHandler:)
                urlSession(_:task:willBeginDelayedRequest:)
                urlSession(_:task:willPerformHTTPRedirection:newRequest:)
                urlSession(_:taskIsWaitingForConnectivity:)
                """
        ),
        TypeMembers(
            "URLSessionTaskMetrics",
            present: """
                DomainResolutionProtocol DomainResolutionProtocol.https DomainResolutionProtocol.init(rawValue:)
                DomainResolutionProtocol.tcp DomainResolutionProtocol.tls DomainResolutionProtocol.udp
                DomainResolutionProtocol.unknown ResourceFetchType ResourceFetchType.init(rawValue:)
                ResourceFetchType.localCache ResourceFetchType.networkLoad ResourceFetchType.serverPush
                ResourceFetchType.unknown redirectCount taskInterval transactionMetrics
                """,
            absent: [
                "init()": "Apple deprecates it: only a session creates metrics."
            ]
        ),
        TypeMembers(
            "URLSessionTaskTransactionMetrics",
            present: """
                connectEndDate connectStartDate countOfRequestBodyBytesBeforeEncoding countOfRequestBodyBytesSent
                countOfRequestHeaderBytesSent countOfResponseBodyBytesAfterDecoding countOfResponseBodyBytesReceived
                countOfResponseHeaderBytesReceived domainLookupEndDate domainLookupStartDate
                domainResolutionProtocol fetchStartDate isCellular isConstrained isExpensive isMultipath
                isProxyConnection isReusedConnection localAddress localPort negotiatedTLSCipherSuite
                negotiatedTLSProtocolVersion networkProtocolName remoteAddress remotePort request requestEndDate
                requestStartDate resourceFetchType response responseEndDate responseStartDate
                secureConnectionEndDate secureConnectionStartDate
                """,
            absent: [
                "init()": "Apple deprecates it: only a session creates metrics."
            ]
        ),
        TypeMembers(
            "URLSessionUploadTask",
            present: """
                cancel(byProducingResumeData:) cancelByProducingResumeData()
                """
        ),
        TypeMembers(
            "CachedURLResponse",
            present: """
                data init(response:data:userInfo:storagePolicy:) response storagePolicy userInfo
                """,
            byDefaultArgument: ["init(response:data:)": "init(response:data:userInfo:storagePolicy:)"],
            absent: [
                "copy()": "A structure replaces the class: nothing can change it while another thread reads it.",
                "copy(with:)": "A structure replaces the class: nothing can change it while another thread reads it.",
                "isEqual(_:)":
                    "URLResponse does not compare content; compare `data` and the fields of `response`.",
                "hash": "URLResponse does not compare content; compare `data` and the fields of `response`.",
            ]
        ),
        TypeMembers(
            "HTTPCookie",
            present: """
                AcceptPolicy comment commentURL cookies(withResponseHeaderFields:for:) domain expiresDate
                init(properties:) isHTTPOnly isSecure isSessionOnly name path portList properties
                requestHeaderFields(with:) value version AcceptPolicy.always AcceptPolicy.init(rawValue:)
                AcceptPolicy.never AcceptPolicy.onlyFromMainDocumentDomain sameSitePolicy
                """,
            absent: [
                "description": "A structure is printed with its members."
            ]
        ),
        TypeMembers(
            "HTTPCookieStorage",
            present: """
                cookieAcceptPolicy cookies cookies(for:) deleteCookie(_:) removeCookies(since:) setCookie(_:)
                setCookies(_:for:mainDocumentURL:) shared sortedCookies(using:) getCookiesFor(_:completionHandler:)
                storeCookies(_:for:)
                """,
            absent: [
                "description": "`cookies` is printed with the members of each cookie.",
                "sharedCookieStorage(forGroupContainerIdentifier:)":
                    "Groups of programs do not exist on this platform; a program shares cookies by its own means.",
            ]
        ),
        TypeMembers(
            "URLAuthenticationChallenge",
            present: """
                error failureResponse init(authenticationChallenge:sender:)
                init(protectionSpace:proposedCredential:previousFailureCount:failureResponse:error:sender:)
                previousFailureCount proposedCredential protectionSpace sender
                """
        ),
        TypeMembers(
            "URLAuthenticationChallengeSender",
            present: """
                cancel(_:) continueWithoutCredential(for:) performDefaultHandling(for:)
                rejectProtectionSpaceAndContinue(with:) use(_:for:)
                """
        ),
        TypeMembers(
            "URLCache",
            present: """
                StoragePolicy cachedResponse(for:) currentDiskUsage currentMemoryUsage diskCapacity
                getCachedResponse(for:completionHandler:) init(memoryCapacity:diskCapacity:diskPath:) memoryCapacity
                removeAllCachedResponses() removeCachedResponse(for:) removeCachedResponses(since:) shared
                storeCachedResponse(_:for:) StoragePolicy.allowed StoragePolicy.allowedInMemoryOnly
                StoragePolicy.init(rawValue:) StoragePolicy.notAllowed init(memoryCapacity:diskCapacity:directory:)
                """
        ),
        TypeMembers(
            "URLCredentialStorage",
            present: """
                allCredentials credentials(for:) defaultCredential(for:) getCredentials(for:task:completionHandler:)
                getDefaultCredential(for:task:completionHandler:) init() remove(_:for:options:)
                remove(_:for:options:task:) set(_:for:) set(_:for:task:) setDefaultCredential(_:for:)
                setDefaultCredential(_:for:task:) shared
                """,
            byDefaultArgument: ["remove(_:for:)": "remove(_:for:options:)"]
        ),
        TypeMembers(
            "URLProtocol",
            present: """
                cachedResponse canInit(with:) canonicalRequest(for:) client init(request:cachedResponse:client:)
                init(task:cachedResponse:client:) property(forKey:in:) registerClass(_:) removeProperty(forKey:in:)
                request requestIsCacheEquivalent(_:to:) setProperty(_:forKey:in:) startLoading() stopLoading() task
                unregisterClass(_:)
                """
        ),
        TypeMembers(
            "URLProtocolClient",
            present: """
                urlProtocol(_:cachedResponseIsValid:) urlProtocol(_:didCancel:) urlProtocol(_:didFailWithError:)
                urlProtocol(_:didLoad:) urlProtocol(_:didReceive:) urlProtocol(_:didReceive:cacheStoragePolicy:)
                urlProtocol(_:wasRedirectedTo:redirectResponse:) urlProtocolDidFinishLoading(_:)
                """
        ),
        TypeMembers(
            "tls_protocol_version_t",
            present: """
                TLSv10 TLSv11 TLSv12 TLSv13 init(rawValue:)
                """,
            absent: [
                "DTLSv10": "HTTP does not use DTLS.",
                "DTLSv12": "HTTP does not use DTLS.",
            ]
        ),
    ]
}
