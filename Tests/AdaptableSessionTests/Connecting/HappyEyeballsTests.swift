import InternetAddresses
import NetworkMonitor
import Testing

@testable import AdaptableSession

/// Times are milliseconds of a clock that the tests control; the delays are those of RFC 8305 §8.
@Suite struct HappyEyeballsTests {
    private static let six = [
        IPAddress.v6(high: 0x2001_0db8_0000_0000, low: 1), .v6(high: 0x2001_0db8_0000_0000, low: 2),
    ]
    private static let four = [IPAddress.v4(0xCB00_710A), .v4(0xCB00_710B)]

    private static func interface(_ name: String, v4: Bool, v6: Bool, traits: PathTraits = [], index: CInt = 2)
        -> NetworkInterface
    {
        NetworkInterface(
            index: index, name: name, kind: .wifi, traits: traits,
            addresses: (v4 ? [.v4(0xC000_0202)] : []) + (v6 ? [.v6(high: 0x2001_0db8_0001_0000, low: 2)] : []),
            routes: (v4 ? [NetworkInterface.Route(to: .allV4)] : []) + (v6 ? [NetworkInterface.Route(to: .allV6)] : []))
    }

    private static let dual = NetworkState([interface("wlan0", v4: true, v6: true)]).path()
    private static let onlyV6 = NetworkState([interface("wlan0", v4: false, v6: true)]).path()

    /// A Happy Eyeballs run with a text log of its actions.
    private struct Bench {
        var happyEyeballs: HappyEyeballs
        var log: [String] = []
        var attempts: [IPAddress: HappyEyeballs.Attempt] = [:]

        init(_ host: String = "api.test", path: NetworkPath = dual, _ change: (inout ConnectPolicy) -> Void = { _ in })
        {
            var policy = ConnectPolicy()
            change(&policy)
            happyEyeballs = HappyEyeballs(host: host, path: path, policy: policy)
            note(happyEyeballs.start(at: 0))
        }

        mutating func note(_ actions: [HappyEyeballs.Action]) {
            for action in actions {
                switch action {
                case .lookUp(let name, let v6): log.append("ask \(name) \(v6 ? "AAAA" : "A")")
                case .attempt(let attempt):
                    attempts[attempt.address] = attempt
                    log.append("try \(attempt.address)\(attempt.interface.map { " by \($0.name)" } ?? "")")
                case .abandon(let attempt): log.append("drop \(attempt.address)")
                case .won(let attempt): log.append("won \(attempt.address)")
                case .failed(let failure): log.append("failed \(failure)")
                }
            }
        }

        mutating func result(_ addresses: [IPAddress], v6: Bool, at milliseconds: Int64, name: String = "api.test") {
            note(happyEyeballs.resolved(name: name, v6: v6, .success(addresses), now: milliseconds * 1_000_000))
        }

        mutating func result(_ error: HostLookupError, v6: Bool, at milliseconds: Int64) {
            note(happyEyeballs.resolved(name: "api.test", v6: v6, .failure(error), now: milliseconds * 1_000_000))
        }

        mutating func time(_ milliseconds: Int64) { note(happyEyeballs.timer(at: milliseconds * 1_000_000)) }

        mutating func fail(_ address: IPAddress, at milliseconds: Int64) {
            guard let attempt = attempts[address] else { return }
            note(happyEyeballs.attemptFailed(attempt, now: milliseconds * 1_000_000))
        }

        mutating func connect(_ address: IPAddress) {
            guard let attempt = attempts[address] else { return }
            note(happyEyeballs.connected(attempt))
        }

        /// The actions since the last call.
        mutating func events() -> [String] {
            defer { log = [] }
            return log
        }

        var deadline: Int64? { happyEyeballs.nextDeadline.map { $0 / 1_000_000 } }
    }

    @Test func `both address families are queried immediately, AAAA first`() {
        var bench = Bench()
        #expect(bench.events() == ["ask api.test AAAA", "ask api.test A"])
        var reversed = Bench { $0.prefersV6 = false }
        #expect(reversed.events() == ["ask api.test A", "ask api.test AAAA"])
    }

    @Test func `an address family without a route is not queried`() {
        var bench = Bench(path: NetworkState([Self.interface("wlan0", v4: true, v6: false)]).path())
        #expect(bench.events() == ["ask api.test A"])
        bench.result(Self.four, v6: false, at: 3)
        #expect(bench.events() == ["try 203.0.113.10"])
    }

    @Test func `IPv6 addresses that arrive first are tried immediately`() {
        var bench = Bench()
        _ = bench.events()
        bench.result(Self.six, v6: true, at: 3)
        #expect(bench.events() == ["try 2001:db8::1"])
        #expect(bench.deadline == 253)
    }

    @Test func `IPv4 addresses that arrive first wait 50 milliseconds for IPv6`() {
        var bench = Bench()
        _ = bench.events()
        bench.result(Self.four, v6: false, at: 10)
        #expect(bench.events().isEmpty)
        #expect(bench.deadline == 60)
        bench.result(Self.six, v6: true, at: 50)
        #expect(bench.events() == ["try 2001:db8::1"])

        var late = Bench()
        _ = late.events()
        late.result(Self.four, v6: false, at: 10)
        late.time(60)
        late.result(Self.six, v6: true, at: 70)
        #expect(late.events() == ["try 203.0.113.10"])
    }

    @Test func `address families alternate at intervals of 250 milliseconds`() {
        var bench = Bench()
        bench.result(Self.four, v6: false, at: 0)
        bench.result(Self.six, v6: true, at: 0)
        for moment in [250, 499, 500, 750] as [Int64] { bench.time(moment) }
        #expect(
            bench.events() == [
                "ask api.test AAAA", "ask api.test A", "try 2001:db8::1", "try 203.0.113.10", "try 2001:db8::2",
                "try 203.0.113.11",
            ])
        #expect(bench.deadline == nil)
    }

    @Test func `the delay between attempts is a policy`() {
        var bench = Bench { $0.attemptDelay = 100_000_000 }
        bench.result(Self.four, v6: false, at: 0)
        bench.result(Self.six, v6: true, at: 0)
        _ = bench.events()
        #expect(bench.deadline == 100)
        bench.time(100)
        bench.time(200)
        #expect(bench.events() == ["try 203.0.113.10", "try 2001:db8::2"])
    }

    @Test func `a refused attempt is followed by the next address immediately`() {
        var bench = Bench()
        bench.result(Self.six, v6: true, at: 0)
        bench.result(Self.four, v6: false, at: 0)
        _ = bench.events()
        bench.fail(Self.six[0], at: 5)
        #expect(bench.events() == ["try 203.0.113.10"])
        #expect(bench.deadline == 255)
    }

    @Test func `the first connected attempt wins and the others are cancelled`() {
        var bench = Bench()
        bench.result(Self.six, v6: true, at: 0)
        bench.result(Self.four, v6: false, at: 0)
        bench.time(250)
        _ = bench.events()
        bench.connect(Self.four[0])
        #expect(bench.events() == ["won 203.0.113.10", "drop 2001:db8::1"])
        bench.connect(Self.six[0])
        #expect(bench.events() == ["drop 2001:db8::1"])
        #expect(bench.deadline == nil)
    }

    @Test func `the connection fails after all attempts and both lookups have failed`() {
        var bench = Bench()
        bench.result([Self.six[0]], v6: true, at: 0)
        bench.fail(Self.six[0], at: 1)
        _ = bench.events()
        bench.result([Self.four[0]], v6: false, at: 20)
        #expect(bench.events() == ["try 203.0.113.10"])
        bench.fail(Self.four[0], at: 30)
        #expect(bench.events() == ["failed refused"])
    }

    @Test func `a failed lookup is ignored while the other one returns addresses`() {
        var bench = Bench()
        _ = bench.events()
        bench.result(.unanswered, v6: true, at: 10)
        bench.result(Self.four, v6: false, at: 20)
        #expect(bench.events() == ["try 203.0.113.10"])
    }

    @Test func `without any address the reason is reported`() {
        var none = Bench()
        none.result(.noSuchName, v6: true, at: 1)
        none.result(.noSuchName, v6: false, at: 1)
        #expect(none.events().last == "failed noSuchName")
        var silent = Bench()
        silent.result(.noAddress, v6: true, at: 1)
        silent.result(.unanswered, v6: false, at: 1)
        #expect(silent.events().last == "failed unanswered")
    }

    @Test func `without racing only one address is tried`() {
        var bench = Bench { $0.racesFamilies = false }
        bench.result(Self.four, v6: false, at: 0)
        bench.result(Self.six, v6: true, at: 0)
        bench.time(5_000)
        #expect(bench.events().filter { $0.hasPrefix("try") } == ["try 203.0.113.10"])
    }

    @Test func `sockets are bound to the allowed interface only if a forbidden one exists too`() {
        let state = NetworkState([
            Self.interface("wlan0", v4: true, v6: true),
            Self.interface("wwan0", v4: true, v6: true, traits: .cellular, index: 3),
        ])
        var bench = Bench(path: state.path(forbidding: .cellular))
        bench.result(Self.six, v6: true, at: 0)
        #expect(bench.events().last == "try 2001:db8::1 by wlan0")
        #expect(bench.attempts[Self.six[0]]?.interface?.index == 2)
        // The only route of the other address family uses the forbidden interface.
        let mixed = NetworkState([
            Self.interface("wlan0", v4: true, v6: false),
            Self.interface("wwan0", v4: true, v6: true, traits: .cellular, index: 3),
        ])
        var narrow = Bench("2001:db8::1", path: mixed.path(forbidding: .cellular))
        #expect(narrow.events() == ["failed unreachable"])
    }

    @Test func `addresses without a route are not tried`() {
        let local = NetworkState([
            NetworkInterface(
                index: 2, name: "eth0", kind: .wired, addresses: [.v4(1)], routes: [NetworkInterface.Route(to: .allV4)])
        ]).path()
        var bench = Bench("2001:db8::1", path: local)
        #expect(bench.events() == ["failed unreachable"])
        var stubborn = Bench("2001:db8::1", path: local) { $0.skipsUnreachable = false }
        #expect(stubborn.events() == ["try 2001:db8::1"])
        var own = Bench("127.0.0.1", path: NetworkState([]).path(to: .loopbackV4))
        #expect(own.events() == ["try 127.0.0.1"])
    }

    @Test func `an IPv4 literal on an IPv6-only network uses the NAT64 prefix`() {
        var bench = Bench("203.0.113.10", path: Self.onlyV6)
        #expect(bench.events() == ["ask ipv4only.arpa AAAA"])
        let prefixed = IPAddress("64:ff9b::c000:aa")
        bench.result([prefixed].compactMap(\.self), v6: true, at: 5, name: "ipv4only.arpa")
        #expect(bench.events() == ["try 64:ff9b::cb00:710a"])
        var withoutPrefix = Bench("203.0.113.10", path: Self.onlyV6)
        withoutPrefix.result([], v6: true, at: 5, name: "ipv4only.arpa")
        #expect(withoutPrefix.events().last == "failed unreachable")
    }

    @Test func `when AAAA records are unreachable, A records are the last resort after two seconds`() {
        var bench = Bench(path: Self.onlyV6)
        #expect(bench.events() == ["ask api.test AAAA"])
        bench.result([Self.six[0]], v6: true, at: 5)
        #expect(bench.events() == ["try 2001:db8::1"])
        #expect(bench.deadline == 2_000)
        bench.time(2_000)
        #expect(bench.events() == ["ask api.test A"])
        bench.result([Self.four[0]], v6: false, at: 2_010)
        #expect(bench.events() == ["ask ipv4only.arpa AAAA"])
        bench.result([IPAddress("64:ff9b::c000:aa")].compactMap(\.self), v6: true, at: 2_020, name: "ipv4only.arpa")
        #expect(bench.events() == ["try 64:ff9b::cb00:710a"])

        var sooner = Bench(path: Self.onlyV6)
        sooner.result([Self.six[0]], v6: true, at: 5)
        sooner.fail(Self.six[0], at: 10)
        #expect(sooner.events().last == "ask api.test A")
    }

    @Test func `a cancelled run cancels its attempts and ignores later results`() {
        var bench = Bench()
        bench.result(Self.six, v6: true, at: 0)
        _ = bench.events()
        bench.note(bench.happyEyeballs.cancel())
        #expect(bench.events() == ["drop 2001:db8::1"])
        bench.result(Self.four, v6: false, at: 1)
        bench.time(5_000)
        #expect(bench.events().isEmpty)
    }

    @Test func `a run reports the interfaces of its attempts, and before there are any those of its path`() {
        let state = NetworkState([
            Self.interface("wlan0", v4: true, v6: false), Self.interface("wwan0", v4: false, v6: true, index: 3),
        ])
        var bench = Bench(path: state.path())
        #expect(bench.happyEyeballs.leads(by: ["wlan0"]))
        #expect(bench.happyEyeballs.leads(by: ["wwan0"]))
        #expect(!bench.happyEyeballs.leads(by: ["eth0"]))
        bench.result([Self.six[0]], v6: true, at: 1)
        #expect(bench.happyEyeballs.leads(by: ["wwan0"]))
        #expect(!bench.happyEyeballs.leads(by: ["wlan0"]))
    }
}
