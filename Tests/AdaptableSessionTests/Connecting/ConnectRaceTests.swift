import AdaptableSession
import LinuxNet
import Testing

/// Milliseconds on a clock that the tests hold; delays are those of RFC 8305 §8.
@Suite struct ConnectRaceTests {
    private static let six = [IPAddress.v6(high: 0x2001_0db8_0000_0000, low: 1), .v6(high: 0x2001_0db8_0000_0000, low: 2)]
    private static let four = [IPAddress.v4(0xCB00_710A), .v4(0xCB00_710B)]

    private static func interface(_ name: String, v4: Bool, v6: Bool, traits: PathTraits = [], index: CInt = 2) -> NetworkInterface {
        NetworkInterface(
            index: index, name: name, kind: .wifi, traits: traits,
            addresses: (v4 ? [.v4(0xC000_0202)] : []) + (v6 ? [.v6(high: 0x2001_0db8_0001_0000, low: 2)] : []),
            ways: (v4 ? [NetworkInterface.Way(to: .allV4)] : []) + (v6 ? [NetworkInterface.Way(to: .allV6)] : []))
    }

    private static let dual = NetworkState([interface("wlan0", v4: true, v6: true)]).path()
    private static let onlyV6 = NetworkState([interface("wlan0", v4: false, v6: true)]).path()

    /// A race with a log of what it asked for, in words.
    private struct Bench {
        var race: ConnectRace
        var log: [String] = []
        var attempts: [IPAddress: ConnectRace.Attempt] = [:]

        init(_ host: String = "api.test", path: NetworkPath = dual, _ change: (inout ConnectPolicy) -> Void = { _ in }) {
            var policy = ConnectPolicy()
            change(&policy)
            race = ConnectRace(host: host, path: path, policy: policy)
            note(race.start(at: 0))
        }

        mutating func note(_ actions: [ConnectRace.Action]) {
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

        mutating func answer(_ addresses: [IPAddress], v6: Bool, at milliseconds: Int64, name: String = "api.test") {
            note(race.resolved(name: name, v6: v6, .success(addresses), now: milliseconds * 1_000_000))
        }

        mutating func answer(_ error: HostLookupError, v6: Bool, at milliseconds: Int64) {
            note(race.resolved(name: "api.test", v6: v6, .failure(error), now: milliseconds * 1_000_000))
        }

        mutating func time(_ milliseconds: Int64) { note(race.timer(at: milliseconds * 1_000_000)) }

        mutating func fail(_ address: IPAddress, at milliseconds: Int64) {
            guard let attempt = attempts[address] else { return }
            note(race.attemptFailed(attempt, now: milliseconds * 1_000_000))
        }

        mutating func connect(_ address: IPAddress) {
            guard let attempt = attempts[address] else { return }
            note(race.connected(attempt))
        }

        /// Since the last look.
        mutating func news() -> [String] {
            defer { log = [] }
            return log
        }

        var deadline: Int64? { race.nextDeadline.map { $0 / 1_000_000 } }
    }

    @Test func `Both families are asked for at once, AAAA first`() {
        var bench = Bench()
        #expect(bench.news() == ["ask api.test AAAA", "ask api.test A"])
        var reversed = Bench { $0.prefersV6 = false }
        #expect(reversed.news() == ["ask api.test A", "ask api.test AAAA"])
    }

    @Test func `A family without a way is not asked for`() {
        var bench = Bench(path: NetworkState([Self.interface("wlan0", v4: true, v6: false)]).path())
        #expect(bench.news() == ["ask api.test A"])
        bench.answer(Self.four, v6: false, at: 3)
        #expect(bench.news() == ["try 203.0.113.10"])
    }

    @Test func `IPv6 that comes first starts at once`() {
        var bench = Bench()
        _ = bench.news()
        bench.answer(Self.six, v6: true, at: 3)
        #expect(bench.news() == ["try 2001:db8::1"])
        #expect(bench.deadline == 253)
    }

    @Test func `IPv4 that comes first waits 50 milliseconds for IPv6`() {
        var bench = Bench()
        _ = bench.news()
        bench.answer(Self.four, v6: false, at: 10)
        #expect(bench.news().isEmpty)
        #expect(bench.deadline == 60)
        bench.answer(Self.six, v6: true, at: 50)
        #expect(bench.news() == ["try 2001:db8::1"])

        var late = Bench()
        _ = late.news()
        late.answer(Self.four, v6: false, at: 10)
        late.time(60)
        late.answer(Self.six, v6: true, at: 70)
        #expect(late.news() == ["try 203.0.113.10"])

        var hasty = Bench { $0.resolutionDelay = 0 }
        _ = hasty.news()
        hasty.answer(Self.four, v6: false, at: 10)
        #expect(hasty.news() == ["try 203.0.113.10"])
    }

    @Test func `Families take turns, a quarter of a second apart`() {
        var bench = Bench()
        bench.answer(Self.four, v6: false, at: 0)
        bench.answer(Self.six, v6: true, at: 0)
        for moment in [250, 499, 500, 750] as [Int64] { bench.time(moment) }
        #expect(
            bench.news() == [
                "ask api.test AAAA", "ask api.test A", "try 2001:db8::1", "try 203.0.113.10", "try 2001:db8::2", "try 203.0.113.11",
            ])
        #expect(bench.deadline == nil)
    }

    @Test func `How many of the first family come first is a policy, and so is the pause`() {
        var bench = Bench {
            $0.firstFamilyCount = 2
            $0.attemptDelay = 100_000_000
        }
        bench.answer(Self.four, v6: false, at: 0)
        bench.answer(Self.six, v6: true, at: 0)
        _ = bench.news()
        #expect(bench.deadline == 100)
        bench.time(100)
        bench.time(200)
        #expect(bench.news() == ["try 2001:db8::2", "try 203.0.113.10"])
    }

    @Test func `A refusal is followed by the next address at once`() {
        var bench = Bench()
        bench.answer(Self.six, v6: true, at: 0)
        bench.answer(Self.four, v6: false, at: 0)
        _ = bench.news()
        bench.fail(Self.six[0], at: 5)
        #expect(bench.news() == ["try 203.0.113.10"])
        #expect(bench.deadline == 255)
    }

    @Test func `The first that connects wins, and the others are dropped`() {
        var bench = Bench()
        bench.answer(Self.six, v6: true, at: 0)
        bench.answer(Self.four, v6: false, at: 0)
        bench.time(250)
        _ = bench.news()
        bench.connect(Self.four[0])
        #expect(bench.news() == ["won 203.0.113.10", "drop 2001:db8::1"])
        bench.connect(Self.six[0])
        #expect(bench.news() == ["drop 2001:db8::1"])
        #expect(bench.deadline == nil)
    }

    @Test func `When all fail the race is lost, and not before every answer is there`() {
        var bench = Bench()
        bench.answer([Self.six[0]], v6: true, at: 0)
        bench.fail(Self.six[0], at: 1)
        _ = bench.news()
        bench.answer([Self.four[0]], v6: false, at: 20)
        #expect(bench.news() == ["try 203.0.113.10"])
        bench.fail(Self.four[0], at: 30)
        #expect(bench.news() == ["failed refused"])
    }

    @Test func `A lookup that fails is no matter while the other brings addresses`() {
        var bench = Bench()
        _ = bench.news()
        bench.answer(.unanswered, v6: true, at: 10)
        bench.answer(Self.four, v6: false, at: 20)
        #expect(bench.news() == ["try 203.0.113.10"])
    }

    @Test func `Without any address the reason is told`() {
        var none = Bench()
        none.answer(.noSuchName, v6: true, at: 1)
        none.answer(.noSuchName, v6: false, at: 1)
        #expect(none.news().last == "failed noSuchName")
        var silent = Bench()
        silent.answer(.noAddress, v6: true, at: 1)
        silent.answer(.unanswered, v6: false, at: 1)
        #expect(silent.news().last == "failed unanswered")
    }

    @Test func `Without racing there is one address`() {
        var bench = Bench { $0.races = false }
        bench.answer(Self.four, v6: false, at: 0)
        bench.answer(Self.six, v6: true, at: 0)
        bench.time(5_000)
        #expect(bench.news().filter { $0.hasPrefix("try") } == ["try 203.0.113.10"])
    }

    @Test func `Only with a forbidden interface beside it is the socket bound to the allowed one`() {
        let state = NetworkState([
            Self.interface("wlan0", v4: true, v6: true), Self.interface("wwan0", v4: true, v6: true, traits: .cellular, index: 3),
        ])
        var bench = Bench(path: state.path(forbidding: .cellular))
        bench.answer(Self.six, v6: true, at: 0)
        #expect(bench.news().last == "try 2001:db8::1 by wlan0")
        #expect(bench.attempts[Self.six[0]]?.interface?.index == 2)
        // The other family's only way is the forbidden interface.
        let mixed = NetworkState([
            Self.interface("wlan0", v4: true, v6: false), Self.interface("wwan0", v4: true, v6: true, traits: .cellular, index: 3),
        ])
        var narrow = Bench("2001:db8::1", path: mixed.path(forbidding: .cellular))
        #expect(narrow.news() == ["failed unreachable"])
    }

    @Test func `Addresses to which nothing leads are not tried`() {
        let local = NetworkState([
            NetworkInterface(index: 2, name: "eth0", kind: .wired, addresses: [.v4(1)], ways: [NetworkInterface.Way(to: .allV4)])
        ]).path()
        var bench = Bench("2001:db8::1", path: local)
        #expect(bench.news() == ["failed unreachable"])
        var stubborn = Bench("2001:db8::1", path: local) { $0.skipsUnreachable = false }
        #expect(stubborn.news() == ["try 2001:db8::1"])
        var own = Bench("127.0.0.1", path: NetworkState([]).path(to: .loopbackV4))
        #expect(own.news() == ["try 127.0.0.1"])
    }

    @Test func `An IPv4 literal on an IPv6-only network goes through the translator's prefix`() {
        var bench = Bench("203.0.113.10", path: Self.onlyV6)
        #expect(bench.news() == ["ask ipv4only.arpa AAAA"])
        let prefixed = IPAddress("64:ff9b::c000:aa")
        bench.answer([prefixed].compactMap(\.self), v6: true, at: 5, name: "ipv4only.arpa")
        #expect(bench.news() == ["try 64:ff9b::cb00:710a"])
        var plain = Bench("203.0.113.10", path: Self.onlyV6) { $0.synthesizesLiterals = false }
        #expect(plain.news() == (["failed unreachable"]))
        var withoutPrefix = Bench("203.0.113.10", path: Self.onlyV6)
        withoutPrefix.answer([], v6: true, at: 5, name: "ipv4only.arpa")
        #expect(withoutPrefix.news().last == "failed unreachable")
    }

    @Test func `When AAAA records lead nowhere, A records are the last resort after two seconds`() {
        var bench = Bench(path: Self.onlyV6)
        #expect(bench.news() == ["ask api.test AAAA"])
        bench.answer([Self.six[0]], v6: true, at: 5)
        #expect(bench.news() == ["try 2001:db8::1"])
        #expect(bench.deadline == 2_000)
        bench.time(2_000)
        #expect(bench.news() == ["ask api.test A"])
        bench.answer([Self.four[0]], v6: false, at: 2_010)
        #expect(bench.news() == ["ask ipv4only.arpa AAAA"])
        bench.answer([IPAddress("64:ff9b::c000:aa")].compactMap(\.self), v6: true, at: 2_020, name: "ipv4only.arpa")
        #expect(bench.news() == ["try 64:ff9b::cb00:710a"])

        var sooner = Bench(path: Self.onlyV6)
        sooner.answer([Self.six[0]], v6: true, at: 5)
        sooner.fail(Self.six[0], at: 10)
        #expect(sooner.news().last == "ask api.test A")
        var without = Bench(path: Self.onlyV6) { $0.usesLastResort = false }
        without.answer([Self.six[0]], v6: true, at: 5)
        without.fail(Self.six[0], at: 10)
        #expect(without.news().last == "failed refused")
    }

    @Test func `A race that is given up drops what runs and hears nothing more`() {
        var bench = Bench()
        bench.answer(Self.six, v6: true, at: 0)
        _ = bench.news()
        bench.note(bench.race.giveUp())
        #expect(bench.news() == ["drop 2001:db8::1"])
        bench.answer(Self.four, v6: false, at: 1)
        bench.time(5_000)
        #expect(bench.news().isEmpty)
    }

    @Test func `A race leads by the interfaces of its attempts, and before there are any by those of its path`() {
        let state = NetworkState([
            Self.interface("wlan0", v4: true, v6: false), Self.interface("wwan0", v4: false, v6: true, index: 3),
        ])
        var bench = Bench(path: state.path())
        #expect(bench.race.leads(by: ["wlan0"]))
        #expect(bench.race.leads(by: ["wwan0"]))
        #expect(!bench.race.leads(by: ["eth0"]))
        bench.answer([Self.six[0]], v6: true, at: 1)
        #expect(bench.race.leads(by: ["wwan0"]))
        #expect(!bench.race.leads(by: ["wlan0"]))
    }
}
