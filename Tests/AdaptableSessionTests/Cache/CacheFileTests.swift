import Foundation
import Testing

@testable import AdaptableSession

@Suite struct CacheFileTests {
    /// One changed byte can make an object of a binary property list contain itself, and the decoder then recurses until
    /// the process ends.
    @Test func `an entry with a changed byte is not read`() throws {
        let url = try #require(URL(string: "https://a.test/b"))
        let exchange = StoredExchange(
            url: url, status: 200, fields: ["ETag": "\"v1\""], requestTime: Date(), responseTime: Date())
        let entry = AdaptableCachedURLResponse(exchange, data: Data([1, 2, 3]), userInfo: ["text": "a"])
        let written = try #require(CacheFile.write(entry))
        #expect(CacheFile.read(written)?.data == entry.data)
        for place in written.indices {
            for bit in 0..<8 {
                var damaged = written
                damaged[place] ^= 1 << UInt8(bit)
                #expect(CacheFile.read(damaged) == nil)
            }
        }
        #expect(CacheFile.read(Data()) == nil)
        #expect(CacheFile.read(written.prefix(40)) == nil)
    }
}
