import InternetAddresses
import ScenarioLanguage
import Testing

@testable import Lab

/// The values that `--forward` accepts, and those that it refuses by name.
@Suite struct ForwardTests {
    private func refusal(_ text: String) -> String {
        do throws(ForwardError) {
            _ = try Forward(parsing: text)
            return "taken"
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: [
        ("api.test:443=localhost:8443", Forward(name: "api.test", port: 443, host: "localhost", hostPort: 8443)),
        ("API.Test:80=10.0.0.7:8080", Forward(name: "api.test", port: 80, host: "10.0.0.7", hostPort: 8080)),
        ("a.test:443=[::1]:8443,tls=passthrough", Forward(name: "a.test", port: 443, host: "::1", hostPort: 8443)),
        (
            "a.test:443=localhost:8080,tls=terminate",
            Forward(
                name: "a.test", port: 443, host: "localhost", hostPort: 8080, treatment: .terminate(hostUsesTLS: false))
        ),
        (
            "a.test:443=https://localhost:8443,tls=terminate",
            Forward(
                name: "a.test", port: 443, host: "localhost", hostPort: 8443, treatment: .terminate(hostUsesTLS: true))
        ),
        (
            "a.test:443=https://10.0.0.7:443,tls=terminate-unverified",
            Forward(
                name: "a.test", port: 443, host: "10.0.0.7", hostPort: 443,
                treatment: .terminate(hostUsesTLS: true, verification: .never))
        ),
        (
            "a.test:443=localhost:8080,tls=terminate,protocol=h2",
            Forward(
                name: "a.test", port: 443, host: "localhost", hostPort: 8080, treatment: .terminate(hostUsesTLS: false),
                speaksHTTP2: true)
        ),
        ("a.test:80=http://localhost:8080", Forward(name: "a.test", port: 80, host: "localhost", hostPort: 8080)),
    ])
    func `a name and a place on the host are read`(_ text: String, _ expected: Forward) throws {
        #expect(try Forward(parsing: text) == expected)
    }

    @Test(arguments: [
        ("api.test:443", "`=`"), ("api.test=localhost:1", "`api.test` does not end in a port"),
        ("api.test:0=localhost:1", "port from 1"),
        ("api.test:443=localhost:70000", "`localhost:70000` does not end in a port"),
        ("192.0.2.1:80=localhost:1", "not a host name"), ("a b:80=localhost:1", "not a host name"),
        (":80=localhost:1", "before its port"), ("a.test:443=::1:8443", "brackets"),
        ("a.test:443=localhost:1,tls=maybe", "`tls=maybe` is not an option"),
        ("a.test:443=https://localhost:1,tls=terminate,protocol=h2", "TLS negotiates the protocol"),
        ("a.test:443=localhost:1,protocol=h2", "TLS negotiates the protocol"),
        ("a.test:443=https://localhost:1", "add ,tls=terminate"), ("a.test:443=ftp://localhost:1", "brackets"),
    ])
    func `anything else is refused with the reason and an example`(_ text: String, _ reason: String) {
        #expect(refusal(text).contains(reason), "\(refusal(text))")
        #expect(refusal(text).contains(Forward.example))
    }

    /// The host selects from what the program offers, so the host must be offered no more.
    @Test func `the host is offered the program's protocols`() {
        #expect(ForwardProtocols.offered(["http/1.1", "h2", "spdy/3"]) == ["h2", "http/1.1"])
        #expect(ForwardProtocols.offered(["h2"]) == ["h2"])
        #expect(ForwardProtocols.offered([]) == ["http/1.1"])
    }

    @Test func `each name has addresses of its own, ports of one name share them`() throws {
        let plan = try ForwardPlan([
            Forward(name: "a.test", port: 80, host: "localhost", hostPort: 1),
            Forward(name: "b.test", port: 80, host: "localhost", hostPort: 2),
            Forward(name: "a.test", port: 443, host: "localhost", hostPort: 3),
        ])
        #expect(
            plan.entries.map { $0.addresses.map(\.description) } == [
                ["203.0.113.65", "2001:db8:113::f:1"], ["203.0.113.66", "2001:db8:113::f:2"],
                ["203.0.113.65", "2001:db8:113::f:1"],
            ])
        #expect(
            plan.rules == [
                DNSRule(host: "a.test", content: .addresses(["203.0.113.65", "2001:db8:113::f:1"])),
                DNSRule(host: "b.test", content: .addresses(["203.0.113.66", "2001:db8:113::f:2"])),
            ])
    }

    /// A developer's server on the same machine usually has a self-signed certificate; one elsewhere could be anyone's.
    @Test(arguments: [
        (
            "https://localhost:8443,tls=terminate", ["127.0.0.1", "::1"],
            ForwardPlan.Trust.everyone(isRequested: false), "a.test"
        ),
        ("https://real.example:443,tls=terminate", ["192.0.2.1"], .machineAuthorities, "real.example"),
        ("https://localhost:8443,tls=terminate", ["127.0.0.1", "192.0.2.1"], .machineAuthorities, "localhost"),
        ("https://real.example:443,tls=terminate-unverified", ["192.0.2.1"], .everyone(isRequested: true), "a.test"),
        ("http://real.example:80,tls=terminate", ["192.0.2.1"], nil, "a.test"),
    ])
    func `a server with TLS is verified unless it is on loopback or the option forbids it`(
        _ place: String, _ addresses: [String], _ trust: ForwardPlan.Trust?, _ name: String
    ) throws {
        let forward = try Forward(parsing: "a.test:443=" + place)
        let targets = try addresses.map { SocketAddress(try #require(IPAddress($0)), port: forward.hostPort) }
        let entry = ForwardPlan.Entry(forward: forward, addresses: [], targets: targets)
        #expect(entry.trust == trust)
        #expect(entry.serverName == name)
    }

    @Test func `the same place twice and more names than addresses are refused`() {
        let one = Forward(name: "a.test", port: 80, host: "localhost", hostPort: 1)
        #expect(throws: ForwardError.twice("a.test:80")) { try ForwardPlan([one, one]) }
        let many = (0...ForwardPlan.mostNames).map {
            Forward(name: "n\($0).test", port: 80, host: "localhost", hostPort: 1)
        }
        #expect(throws: ForwardError.tooMany(31)) { try ForwardPlan(many) }
    }

    /// The word that means "as originally configured" restores a name that was set to fail.
    @Test func `origin as the reply for a forwarded name restores its forward`() throws {
        let plan = try ForwardPlan([Forward(name: "a.test", port: 80, host: "localhost", hostPort: 1)])
        #expect(plan.resolved(DNSRule(host: "a.test", content: .origin)).content == plan.rules[0].content)
        #expect(plan.resolved(DNSRule(host: "b.test", content: .origin)).content == .origin)
        #expect(plan.resolved(DNSRule(host: "a.test", content: .nxdomain)).content == .nxdomain)
    }
}
