import AdaptableSession
import Foundation
import FoundationNetworking

/// URLs from a program, a redirect, the environment and a proxy dictionary: each yields a valid endpoint or none.
struct URLsTarget: FuzzTarget {
    static let name = "urls"
    static let subject = "URLs, redirects and proxy settings of AdaptableSession (RFC 3986, RFC 9110)"

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        let text = HostileText.url(&random)
        let url = URL(string: text)
        let origin = url.flatMap { WebOrigin($0) }
        if let origin, let url {
            try judge(origin, text)
            try judge(origin, url, &random)
        }
        try redirect(from: url, &random)
        try proxies(text, &random)
        cookies(url, text, &random)
        return origin != nil
    }

    private func judge(_ origin: WebOrigin, _ text: String) throws(FuzzFinding) {
        func wrong(_ what: String) -> FuzzFinding { FuzzFinding(what, Array(text.utf8)) }
        guard (0...65_535).contains(origin.port) else { throw wrong("an origin with the port \(origin.port)") }
        guard !origin.host.isEmpty, !origin.host.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw wrong("an origin with an invalid host")
        }
    }

    private func judge(_ origin: WebOrigin, _ url: URL, _ random: inout FuzzRandom) throws(FuzzFinding) {
        let key = ProxyRoute.direct.key(host: origin.host, port: origin.port, isSecure: origin.isSecure)
        guard key.port == origin.port else {
            throw FuzzFinding("a connection to a different port", Array(url.absoluteString.utf8))
        }
        var socks = SOCKSHandshake(host: origin.host, port: origin.port, user: "u", password: "p")
        if case .send = socks.begin() {
            var bytes: [UInt8] = [5, 2, 1, 0, 5, 0, 0, random.pick([1, 3, 4, 9]), random.byte()] + random.bytes(30)
            if random.happens(oneIn: 2) { random.damage(&bytes) }
            while !bytes.isEmpty {
                let count = 1 + random.below(bytes.count)
                _ = socks.received(Array(bytes.prefix(count)))
                bytes.removeFirst(count)
            }
            _ = socks.closed()
        }
        for method in [NSURLAuthenticationMethodHTTPBasic, NSURLAuthenticationMethodHTTPDigest] {
            _ = AuthenticationSide.server.space(url, realm: "r", method: method).map(ProtectionSpaceKey.init)
        }
    }

    private func redirect(from url: URL?, _ random: inout FuzzRandom) throws(FuzzFinding) {
        guard let url else { return }
        var chain = RedirectChain()
        let location = HostileText.url(&random)
        let verdict = chain.evaluate(
            status: random.pick([301, 302, 303, 307, 308]), fields: ["Location": location],
            answering: URLRequest(url: url))
        guard case .propose(let step) = verdict else { return }
        guard let target = step.request.url, let origin = WebOrigin(target) else {
            throw FuzzFinding("a redirect to an invalid target is followed", Array(location.utf8))
        }
        try judge(origin, location)
    }

    private func proxies(_ text: String, _ random: inout FuzzRandom) throws(FuzzFinding) {
        let host = text.hasPrefix("http") ? String(text.dropFirst(7)) : text
        let number = HostileText.number(&random)
        let value: any Sendable =
            random.happens(oneIn: 2) ? number as any Sendable : Int(truncatingIfNeeded: HostileText.integer(&random))
        let configurations = [
            ProxyConfiguration(environment: [
                "http_proxy": text, "https_proxy": HostileText.url(&random), "all_proxy": host,
                "no_proxy": HostileText.host(&random) + "," + text,
            ]),
            ProxyConfiguration(dictionary: [
                "HTTPEnable": 1, "HTTPProxy": random.happens(oneIn: 2) ? text : HostileText.host(&random),
                "HTTPPort": value, "SOCKSEnable": true,
                "SOCKSProxy": HostileText.host(&random), "SOCKSPort": number,
                "ExceptionsList": [HostileText.host(&random) + "/" + number],
            ]),
        ]
        for configuration in configurations {
            for server in [configuration.http, configuration.https, configuration.socks] {
                guard let server, server.hasUsablePort, !(1...65_535).contains(server.port) else { continue }
                throw FuzzFinding("port \(server.port) is accepted as valid", Array(text.utf8))
            }
            _ = configuration.route(host: HostileText.host(&random), isSecure: random.happens(oneIn: 2))
            let again = ProxyConfiguration(dictionary: configuration.dictionary)
            guard again.http?.port == configuration.http?.port || configuration.http?.port == 0 || again.http == nil
            else {
                throw FuzzFinding("reading back changes the proxy", Array(text.utf8))
            }
        }
    }

    private func cookies(_ url: URL?, _ text: String, _ random: inout FuzzRandom) {
        _ = PublicSuffixList.system.registrableDomain(text)
        _ = PublicSuffixList.system.isPublicSuffix(HostileText.host(&random))
        guard let url else { return }
        _ = SetCookieReader.defaultPath(url)
        _ = try? DataURL(url.absoluteString)
    }
}
