public import Foundation
public import FoundationNetworking

/// A response as a cache keeps it. `data` is the content as the program got it: its content codings are off.
public struct AdaptableCachedURLResponse: Sendable {
    public let response: URLResponse
    public let data: Data
    /// Written to disk only where a property list can hold it.
    public let userInfo: [String: any Sendable]?
    public let storagePolicy: URLCache.StoragePolicy
    /// nil for one that a program made; a cache then takes the moment of storing for that of the exchange.
    package var exchange: StoredExchange?

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

    /// The exchange, of one that a program made as good as its response tells it; nil where it is none of HTTP.
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

    /// Bytes that it is counted with.
    var cost: Int {
        data.count + 512 + (exchange?.fields.fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count } ?? 0)
    }
}
