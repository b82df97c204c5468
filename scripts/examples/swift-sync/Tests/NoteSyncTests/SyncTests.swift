import CrosswindControl
import CrosswindTesting
import NoteSync
import Testing

/// Tests of the sync client on bad networks. Run them with `crosswind exec -- swift test --skip-build --no-parallel`.
@Suite(.serialized) struct SyncTests {
    private let client = SyncClient()
    private let size = 1 << 20

    @Test(.network) func `an upload that begins offline succeeds when the network returns`() async throws {
        let network = try Network.current
        try await network.wifi.down()
        try await network.after(.sinceStart(.seconds(1)), .up(.wifi))
        try await client.upload("/echo", "written in the tunnel")
        let requests = try await network.requests()
        #expect(requests.map(\.method) == ["PUT"] && requests.map(\.body) == ["written in the tunnel"])
    }

    @Test(.network(.flakyWiFi)) func `a download on flaky Wi-Fi survives the loss of its connection`() async throws {
        let network = try Network.current
        try await network.after(packet: 200, .endConnections(on: .wifi, reset: true))
        let data = try await client.download("/big")
        #expect(data.count == size)
        #expect(try await network.requests().count >= 2)
    }

    @Test(.network) func `a download behind NAT64 survives a reset`() async throws {
        let network = try Network.current
        try await network.nat64(true)
        try await network.faults(OriginFault(at: .responseBody(300_000), .reset, path: "/big", first: 1))
        let data = try await client.download("/big")
        #expect(data.count == size)
        let seen = try await network.seen()
        #expect(seen.queries.contains { $0.type == "AAAA" })
        #expect(try await network.requests().count >= 2)
    }

    @Test(.network) func `an upload is repeated with the same key`() async throws {
        let network = try Network.current
        try await network.faults(OriginFault(at: .responseHead, .close, path: "/echo", first: 2))
        try await client.upload("/echo", "a note")
        let keys = try await network.requests().map { $0.header("Idempotency-Key") }
        #expect(keys.count >= 3 && Set(keys).count == 1)
    }

    @Test(.network) func `without faults there is one request`() async throws {
        let data = try await client.download("/big")
        #expect(data.count == size)
        let requests = try await Network.current.requests()
        #expect(requests.count == 1)
    }
}
