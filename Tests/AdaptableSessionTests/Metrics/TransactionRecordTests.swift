import Foundation
import FoundationNetworking
import NIOEmbedded
import Testing

@testable import AdaptableSession

@Suite struct TransactionRecordTests {
    private func metrics(
        route: String = "", _ times: ConnectionTimes = ConnectionTimes(), traits: PathTraits = [], decoded: Int = 0
    ) throws -> AdaptableSessionTaskTransactionMetrics {
        var record = TransactionRecord()
        record.begin(URLRequest(url: URL(fileURLWithPath: "/")))
        let handler = ExchangeHandler()
        let connection = Connection(
            id: ConnectionID(1), key: ConnectionKey(host: "api.test", port: 80, isSecure: false, route: route),
            channel: EmbeddedChannel(),
            tls: nil,
            interface: NetworkInterface(
                index: 1, name: "wwan0", kind: .wired, traits: traits, addresses: [], routes: []),
            wire: .http1(handler), times: times)
        record.requestBegins(
            Exchange(
                request: PoolRequestID(1), connection: connection, isReused: false, handler: handler))
        record.sent(3)
        record.decoded(decoded)
        record.end()
        return try #require(record.metrics(redirects: 0).transactionMetrics.first)
    }

    /// A task may take over an attempt that another one started.
    @Test func `no step is earlier than the start of the task's request`() throws {
        var times = ConnectionTimes()
        times.connectStart = MonotonicTime.now() - 5_000_000_000
        times.connectEnd = MonotonicTime.now() + 1_000_000_000
        let metrics = try metrics(times)
        #expect(metrics.connectStartDate == metrics.fetchStartDate)
        #expect(try #require(metrics.connectEndDate) > (try #require(metrics.connectStartDate)))
        #expect(metrics.domainLookupStartDate == nil)
    }

    @Test(arguments: [PathTraits.cellular, .expensive, .constrained])
    func `the traits of the interface are recorded`(traits: PathTraits) throws {
        let metrics = try metrics(traits: traits)
        #expect(metrics.isCellular == (traits == .cellular))
        #expect(metrics.isExpensive == (traits == .expensive))
        #expect(metrics.isConstrained == (traits == .constrained))
    }

    @Test func `bytes of the body are counted before and after coding`() throws {
        let metrics = try metrics(decoded: 7)
        #expect(metrics.countOfRequestBodyBytesBeforeEncoding == 3)
        #expect(metrics.countOfResponseBodyBytesAfterDecoding == 7)
        #expect(metrics.countOfResponseBodyBytesReceived == 0)
    }

    @Test func `a connection through a proxy is recorded as such`() throws {
        #expect(try !metrics(ConnectionTimes()).isProxyConnection)
        #expect(try metrics(route: "tunnel http://proxy.test:8080", ConnectionTimes()).isProxyConnection)
    }
}
