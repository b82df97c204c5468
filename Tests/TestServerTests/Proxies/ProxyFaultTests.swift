import Record
import AdapterProtocol
import ScenarioLanguage
import Testing

@testable import TestServer

/// Faults of proxies, where curl's exit status and byte count show what reached the client: 18 partial file, 28
/// timeout, 52 empty reply, 56 receive failure (a reset).
@Suite("A proxy that misbehaves", .enabled(if: !Command.isMissing("curl"), "curl is not installed"))
struct ProxyFaultTests {
    private static func plan(_ kind: ProxyAddress.Kind = .http, _ faults: ProxyFault...) -> ProxyPlan {
        var plan = ProxyPlan(name: "front", kind: kind)
        plan.faults = faults
        return plan
    }

    /// Returns the bytes of the tunnels, response heads included.
    private static func carried(_ run: ProxyRun) -> [Int64] {
        run.facts.compactMap { if case .closed(_, _, let down) = $0 { down } else { nil } }
    }

    @Test func `a tunnel ends at an exact byte, by FIN and by RST`() async throws {
        for (effect, status) in [(ProxyFault.Effect.close, Int32(18)), (.reset, 56)] {
            try await ProxyRun.serving(Self.plan(.http, ProxyFault(point: .carried(.downlink, 40_000), effect: effect)))
            { run in
                let figures = "sizes %{size_header} %{size_download}\n"
                let got = try await run.curl("http", ["-p", "-w", figures, "http://api.test/big"])
                #expect(got.status == status, "\(got.output)")
                #expect(Self.carried(run) == [40_000])
                let sizes =
                    got.output.split(separator: "\n").first { $0.hasPrefix("sizes ") }?.split(separator: " ").compactMap
                { Int($0) } ?? []
                // curl counts the proxy's own 200 among the header bytes; the tunnel's bytes are the rest and the body.
                #expect(sizes.reduce(0, +) - HTTPProxyReader.established.count == 40_000, "\(got.output)")
            }
        }
    }

    @Test func `a relayed upload ends after exactly the given number of bytes from the client`() async throws {
        try await ProxyRun.serving(Self.plan(.http, ProxyFault(point: .carried(.uplink, 5_000), effect: .reset))) {
            run in
            let body = String(repeating: "x", count: 50_000)
            let got = try await run.curl("http", ["-H", "Expect:", "-d", body, "http://api.test/echo"])
            #expect(got.status == 56 || got.status == 55)
            let ups = run.facts.compactMap { if case .closed(_, let up, _) = $0 { up } else { nil } }
            #expect(ups == [5_000])
        }
    }

    @Test func `the status of a refusal is the plan's, and with first 1 it refuses once`() async throws {
        let fault = ProxyFault(point: .request, effect: .refuse(503), scope: .init(first: 1))
        try await ProxyRun.serving(Self.plan(.http, fault)) { run in
            let first = try await run.curl("http", ["-p", "http://api.test/big"])
            #expect(first.status == 56 && first.output.contains("503 000"))
            let second = try await run.curl("http", ["-p", "http://api.test/big"])
            #expect(second.output == "200 200 100000 0\n")
            #expect(run.refusals == [503])
        }
    }

    @Test func `a SOCKS proxy refuses with the reply of the plan`() async throws {
        try await ProxyRun.serving(Self.plan(.socks5, ProxyFault(point: .request, effect: .refuse(2)))) { run in
            let got = try await run.curl("socks5h", ["http://api.test/big"])
            #expect(got.status == 97 && got.output.contains("(2)"), "\(got.output)")
        }
    }

    @Test func `accept faults come before anything is read`() async throws {
        try await ProxyRun.serving(Self.plan(.http, ProxyFault(point: .accept, effect: .close))) { run in
            let got = try await run.curl("http", ["http://api.test/big"])
            #expect([52, 56].contains(got.status))
            #expect(run.requests.isEmpty)
        }
        try await ProxyRun.serving(Self.plan(.http, ProxyFault(point: .accept, effect: .reset))) { run in
            let got = try await run.curl("http", ["http://api.test/big"])
            // 7: the reset came before curl had checked its new connection.
            #expect([7, 35, 55, 56].contains(got.status))
        }
    }

    @Test func `a stalled tunnel sends nothing more and stays open`() async throws {
        try await ProxyRun.serving(Self.plan(.http, ProxyFault(point: .carried(.downlink, 1_000), effect: .stall))) {
            run in
            let got = try await run.curl("http", ["-p", "-m", "1", "http://api.test/big"])
            #expect(got.status == 28)
        }
    }

    @Test func `pauses and rates take their time`() async throws {
        let pause = ProxyFault(point: .request, effect: .pause(.milliseconds(300)))
        // 100,000 bytes at 2 Mbit/s take 0.4 s.
        let slow = ProxyFault(point: .carried(.downlink, 0), effect: .throttle(BitRate(bitsPerSecond: 2_000_000)!))
        try await ProxyRun.serving(Self.plan(.http, pause, slow)) { run in
            let start = ContinuousClock.now
            let got = try await run.curl("http", ["-p", "http://api.test/big"])
            #expect(got.output == "200 200 100000 0\n")
            #expect(ContinuousClock.now - start >= .milliseconds(690))
        }
    }
}
