package import Foundation
import FoundationNetworking
import OpenSSLTLS

/// The file format of an entry on disk: a SHA-256 digest, and the binary property list with a version number that it
/// belongs to. Foundation's decoder recurses without end on a damaged list whose object contains itself.
package struct CacheFile: Codable {
    static let current = 1
    private static let digestLength = 32

    private var version: Int
    private var url: String
    private var status: Int
    private var names: [String]
    private var values: [String]
    private var requestTime: Double
    private var responseTime: Double
    private var varying: [String: String]
    private var addedBySession: [String]
    private var information: [String: CacheFileValue]?
    private var data: Data

    private struct Versioned: Codable { var version: Int }

    /// Returns nil if the entry is not an HTTP response.
    package static func write(_ response: AdaptableCachedURLResponse) -> Data? {
        guard let exchange = response.exchange else { return nil }
        let file = CacheFile(
            version: current, url: exchange.url.absoluteString, status: exchange.status,
            names: exchange.fields.fields.map(\.name),
            values: exchange.fields.fields.map(\.value), requestTime: exchange.requestTime.timeIntervalSince1970,
            responseTime: exchange.responseTime.timeIntervalSince1970, varying: exchange.varying,
            addedBySession: exchange.addedBySession.sorted(),
            information: response.userInfo?.compactMapValues { CacheFileValue($0) },
            data: response.data)
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        guard let list = try? encoder.encode(file) else { return nil }
        return Data(Digests.sha256(Array(list))) + list
    }

    /// Returns nil if the data was not written by this version, or has changed since.
    package static func read(_ data: Data) -> AdaptableCachedURLResponse? {
        let list = Data(data.dropFirst(digestLength))
        guard Array(data.prefix(digestLength)) == Digests.sha256(Array(list)) else { return nil }
        let decoder = PropertyListDecoder()
        guard (try? decoder.decode(Versioned.self, from: list))?.version == current,
            let file = try? decoder.decode(CacheFile.self, from: list), let url = URL(string: file.url),
            file.names.count == file.values.count
        else { return nil }
        var exchange = StoredExchange(
            url: url, status: file.status,
            fields: HeaderFields(zip(file.names, file.values).map { (name: $0, value: $1) }),
            requestTime: Date(timeIntervalSince1970: file.requestTime),
            responseTime: Date(timeIntervalSince1970: file.responseTime))
        exchange.varying = file.varying
        exchange.addedBySession = Set(file.addedBySession)
        return AdaptableCachedURLResponse(
            exchange, data: file.data, userInfo: file.information?.compactMapValues(\.value))
    }
}
