public import Foundation
public import FoundationNetworking

/// A cached response. `data` is the content as the program receives it, with content codings removed.
public struct AdaptableCachedURLResponse: Sendable {
    /// The response, with the fields as they were received or as a later 304 updated them.
    public let response: URLResponse
    /// The body, with content codings removed.
    public let data: Data
    /// The program's own data; only values that a property list can hold are written to disk.
    public let userInfo: [String: any Sendable]?
    /// The places where the response may be stored: memory and disk, memory only, or none.
    public let storagePolicy: URLCache.StoragePolicy
    /// nil for a response that the program created; a cache then uses the time of storing as the time of the exchange.
    package var exchange: StoredExchange?

    /// Creates a cached response; `userInfo` is stored with it.
    public init(
        response: URLResponse, data: Data, userInfo: [String: any Sendable]? = nil,
        storagePolicy: URLCache.StoragePolicy = .allowed
    ) {
        self.response = response
        self.data = data
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
    }

    package init(
        _ exchange: StoredExchange, data: Data, userInfo: [String: any Sendable]? = nil,
        storagePolicy: URLCache.StoragePolicy = .allowed
    ) {
        response = AdaptableCachedURLResponse.response(exchange, exchange.fields)
        self.data = data
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
        self.exchange = exchange
    }

    static func response(_ exchange: StoredExchange, _ fields: HeaderFields) -> URLResponse {
        HTTPURLResponse(
            url: exchange.url, statusCode: exchange.status, httpVersion: "HTTP/1.1", headerFields: fields.dictionary)
            ?? URLResponse(url: exchange.url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
    }

    /// Returns the exchange; for a response that the program created, one derived from its fields. nil if the response
    /// is not an HTTP response.
    package func exchange(storedAt now: Date) -> StoredExchange? {
        if let exchange { return exchange }
        guard let response = response as? HTTPURLResponse, let url = response.url else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)"] = "\(value)" }
        return StoredExchange(
            url: url, status: response.statusCode, fields: HeaderFields(dictionary: fields), requestTime: now,
            responseTime: now)
    }

    var inMemoryOnly: AdaptableCachedURLResponse {
        var kept = AdaptableCachedURLResponse(
            response: response, data: data, userInfo: userInfo, storagePolicy: .allowedInMemoryOnly)
        kept.exchange = exchange
        return kept
    }

    /// The number of bytes that the response counts toward the memory capacity.
    var cost: Int {
        data.count + 512 + (exchange?.fields.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0)
    }
}
