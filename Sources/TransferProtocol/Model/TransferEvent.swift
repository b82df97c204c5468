package import Foundation

/// An event of a background session. Durable events are numbered, stored before they are sent, and deleted when the
/// client acknowledges them.
package struct TransferEvent: Codable, Hashable, Sendable {
    /// The place in the order of the session's durable events, from 1; nil for an event that is sent only while the
    /// client is connected.
    package var number: Int64?
    /// The number of the task; nil for an event of the session.
    package var task: Int?
    package var content: Content

    package init(number: Int64? = nil, task: Int?, _ content: Content) {
        self.number = number
        self.task = task
        self.content = content
    }

    package enum Content: Codable, Hashable, Sendable {
        case progress(counts: TransferCounts)
        /// The head of the final response.
        case response(response: TransferResponse)
        /// A part of the body of a data task.
        case data(bytes: Data)
        /// A download continues at this offset after a resumption that the client asked for.
        case resumed(offset: Int64, expectedTotal: Int64)
        /// A finished download at an absolute path. The file belongs to the daemon until the event is acknowledged: the
        /// library delivers a link to it, so that the event can be delivered again after a crash.
        case finishedFile(path: String)
        case completed(failure: TransferFailure?, counts: TransferCounts)
        case challenge(challenge: TransferChallenge)
        /// A task with a begin date is ready and waits for the decision (SCHD-04).
        case delayedRequest(request: TransferRequest)
        /// Every durable event before this one was sent: `urlSessionDidFinishEvents` (BKGD-25).
        case allDelivered
    }
}

/// The head of a response.
package struct TransferResponse: Codable, Hashable, Sendable {
    package var url: URL
    package var status: Int
    /// For example `HTTP/1.1`.
    package var version: String
    package var headerFields: [TransferHeaderField]

    package init(url: URL, status: Int, version: String, headerFields: [TransferHeaderField]) {
        self.url = url
        self.status = status
        self.version = version
        self.headerFields = headerFields
    }
}

/// The error with which a task ended.
package struct TransferFailure: Codable, Hashable, Sendable {
    /// A code of `URLError`, for example -1001.
    package var code: Int
    package var message: String
    package var url: URL?
    /// For a download that the client can continue.
    package var resumeData: Data?

    package init(code: Int, message: String, url: URL? = nil, resumeData: Data? = nil) {
        self.code = code
        self.message = message
        self.url = url
        self.resumeData = resumeData
    }
}

/// A question to the client's authentication delegate.
package struct TransferChallenge: Codable, Hashable, Sendable {
    package var host: String
    package var port: Int
    /// For example `https`.
    package var scheme: String
    package var isProxy: Bool
    package var realm: String?
    /// A value of `NSURLAuthenticationMethod…`.
    package var method: String
    package var previousFailures: Int
    /// The server's certificates in DER form, its own first, if the question is about trust.
    package var certificates: [Data]
    /// True if the certificates lead to an authority that this machine trusts.
    package var isTrusted: Bool
    /// The reason why the server is not trusted.
    package var problem: String?
    package var response: TransferResponse?

    package init(
        host: String, port: Int, scheme: String, isProxy: Bool = false, realm: String? = nil, method: String,
        previousFailures: Int = 0, certificates: [Data] = [], isTrusted: Bool = false, problem: String? = nil,
        response: TransferResponse? = nil
    ) {
        self.host = host
        self.port = port
        self.scheme = scheme
        self.isProxy = isProxy
        self.realm = realm
        self.method = method
        self.previousFailures = previousFailures
        self.certificates = certificates
        self.isTrusted = isTrusted
        self.problem = problem
        self.response = response
    }
}
