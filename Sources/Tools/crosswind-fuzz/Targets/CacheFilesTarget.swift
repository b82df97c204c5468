import AdaptableSession
import Foundation

/// Entries of the cache on disk, as they were written and damaged.
struct CacheFilesTarget: FuzzTarget {
    static let name = "cache-files"
    static let subject = "entries of AdaptableSession's cache on disk"

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        guard let url = URL(string: HostileText.url(&random)) else { return false }
        let exchange = StoredExchange(
            url: url, status: random.pick([200, 404, 0, -1, 999]),
            // Without outer spaces, as the fields of a response are.
            fields: HeaderFields([
                (name: "ETag", value: HostileText.number(&random)), (name: "Date", value: HostileText.date(&random)),
            ]),
            requestTime: Date(timeIntervalSince1970: HostileText.seconds(&random)),
            responseTime: Date(timeIntervalSince1970: HostileText.seconds(&random)))
        let values: [String: any Sendable] = [
            "text": HostileText.host(&random), "number": HostileText.seconds(&random), "flag": true,
            "list": [HostileText.integer(&random).description, 1, Data([1])] as [any Sendable],
        ]
        let entry = AdaptableCachedURLResponse(
            exchange, data: Data(random.bytes(random.below(40))), userInfo: random.happens(oneIn: 2) ? values : nil)
        guard let written = CacheFile.write(entry) else { throw FuzzFinding("an entry cannot be written", []) }
        var bytes = Array(written)
        guard let read = CacheFile.read(written), read.data == entry.data, read.exchange?.fields == exchange.fields,
            read.exchange?.status == exchange.status
        else {
            throw FuzzFinding("an entry is read as a different one", bytes)
        }
        random.damage(&bytes)
        guard bytes == Array(written) || CacheFile.read(Data(bytes)) == nil else {
            throw FuzzFinding("a damaged entry is accepted", bytes)
        }
        return true
    }
}
