package import Foundation

/// A header field of a request or a response, as written.
package struct TransferHeaderField: Codable, Hashable, Sendable {
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// The request of a background task, with everything that the daemon needs to send it without the client.
package struct TransferRequest: Codable, Hashable, Sendable {
    /// The content of a request. Streams are refused before a request is made (BKGD-14).
    package enum Body: Codable, Hashable, Sendable {
        /// Bytes that the client holds in memory, for example of a download with method POST.
        case data(bytes: Data)
        /// An absolute path. Before the task is stored it names the client's file, afterwards the captured one.
        case file(path: String)
    }

    package var url: URL
    package var method: String
    package var headerFields: [TransferHeaderField]
    package var body: Body?
    /// Seconds without received data after which an attempt ends; nil means the session's `requestTimeout`.
    package var timeout: Double?
    package var allowsCellular: Bool
    package var allowsExpensive: Bool
    package var allowsConstrained: Bool

    package init(
        url: URL, method: String = "GET", headerFields: [TransferHeaderField] = [], body: Body? = nil,
        timeout: Double? = nil, allowsCellular: Bool = true, allowsExpensive: Bool = true,
        allowsConstrained: Bool = true
    ) {
        self.url = url
        self.method = method
        self.headerFields = headerFields
        self.body = body
        self.timeout = timeout
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
    }
}
