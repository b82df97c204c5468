import Record
import AdapterProtocol
import ScenarioLanguage
import TestServer

/// Proxies: the parsed requests must not depend on how the bytes are split, and no byte after a request may be lost or
/// invented.
struct ProxiesTarget: FuzzTarget {
    static let name = "proxies"
    static let subject = "requests to proxies: CONNECT, absolute form, SOCKS (RFC 9110, RFC 1928, RFC 1929)"

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let isSOCKS = random.happens(oneIn: 2)
        var plan = ProxyPlan(name: "front", kind: isSOCKS ? .socks5 : .http)
        if random.happens(oneIn: 3) { plan.access = ProxiesTarget.access(isSOCKS) }
        var bytes = isSOCKS ? ProxiesTarget.socks(&random, plan.access) : ProxiesTarget.http(&random)
        let isDamaged = random.happens(oneIn: 2)
        if isDamaged { random.damage(&bytes) }
        let tail = random.bytes(random.below(40))
        bytes += tail
        var whole = ProxyPlayback(plan: plan)
        whole.receive(bytes[...])
        var cut = ProxyPlayback(plan: plan)
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + random.below(random.happens(oneIn: 2) ? 3 : 40))
            cut.receive(bytes[place..<end])
            place = end
        }
        guard whole.facts == cut.facts, whole.toTarget == cut.toTarget, whole.toClient == cut.toClient else {
            throw FuzzFinding("the result differs if the bytes are split", bytes)
        }
        let isConnected = whole.facts.contains { if case .connected = $0 { true } else { false } }
        if isConnected, !isDamaged, !whole.toTarget.suffix(tail.count).elementsEqual(tail) {
            throw FuzzFinding("the bytes forwarded after the request are not those received", bytes)
        }
        guard isConnected || whole.toTarget.isEmpty else {
            throw FuzzFinding("bytes were forwarded without a connection", bytes)
        }
        return isConnected
    }

    private static func access(_ isSOCKS: Bool) -> ProxyPlan.Access {
        if isSOCKS { return .login(user: "ann", password: "pw") }
        var plan = AuthenticationPlan(scheme: .basic, user: "ann", password: "pw")
        plan.requester = .proxy
        return .challenge(plan)
    }

    private static func http(_ random: inout FuzzRandom) -> [UInt8] {
        var lines = [
            random.pick([
                "CONNECT api.test:443", "CONNECT [2001:db8::1]:443", "CONNECT api.test", "GET http://api.test/a?b",
                "POST http://[2001:db8::1]:8080/",
                "GET /a", "GET https://api.test/", "CONNECT :1", "CONNECT api.test:99999",
            ]) + " " + random.pick(["HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/9"])
        ]
        lines.append("Host: api.test")
        for _ in 0..<random.below(4) {
            lines.append(
                random.pick([
                    "Proxy-Authorization: Basic YW5uOnB3", "Proxy-Connection: keep-alive", "Connection: x-a, close",
                    "X-A: 1", "Via: 1.0 a", "TE: trailers",
                    "Proxy-Authorization: Digest username=\"a\"", "", " folded",
                ]))
        }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    private static func socks(_ random: inout FuzzRandom, _ access: ProxyPlan.Access) -> [UInt8] {
        var bytes: [UInt8] = random.pick([[5, 1, 0], [5, 2, 0, 2], [5, 1, 2], [4, 1, 0], [5, 0]])
        if case .login(let user, let password) = access {
            let given = random.happens(oneIn: 4) ? "no" : password
            bytes += [1, UInt8(user.utf8.count)] + Array(user.utf8) + [UInt8(given.utf8.count)] + Array(given.utf8)
        }
        bytes += [5, random.pick([1, 1, 1, 2, 3]), 0]
        switch random.below(4) {
        case 0: bytes += [1] + random.bytes(4)
        case 1: bytes += [4] + random.bytes(16)
        case 2: bytes += [random.pick([0, 2, 5, 9, 255])] + random.bytes(random.below(9))
        default: bytes += [3, 8] + Array("api.test".utf8)
        }
        return bytes + [0, 80]
    }
}
