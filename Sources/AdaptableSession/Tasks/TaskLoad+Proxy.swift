import Foundation
import FoundationNetworking
import OpenSSLTLS

/// Proxies and their challenges.
extension TaskLoad {
    var isForwarded: Bool { route.isForward }

    /// Chooses the route of each hop: a redirect may lead to another proxy or to none.
    func chooseRoute(_ origin: WebOrigin) {
        let settings = core.settings
        let chosen = ProxyConfiguration.route(
            host: origin.host, isSecure: origin.isSecure, own: settings.proxies, system: settings.systemProxies,
            policy: policies.proxies)
        if chosen.server != route.server || proxyAuthentication.side == .server, let server = chosen.server {
            let type =
                switch server.kind {
                case .http, .https: origin.isSecure ? NSURLProtectionSpaceHTTPSProxy : NSURLProtectionSpaceHTTPProxy
                case .socks5: NSURLProtectionSpaceSOCKSProxy
                }
            proxyAuthentication = RequestAuthentication(side: .proxy(host: server.host, port: server.port, type: type))
        }
        route = chosen
        if firstProxy == nil { firstProxy = chosen.server }
    }

    /// True when a Proxy-Authorization field of the request or session may be sent. It is meant for the task's first
    /// proxy only (RFC 9110 §11.7.2).
    private var sendsOwnProxyField: Bool { route.server != nil && route.server == firstProxy }

    func keepProxyFieldFromOrigin(_ fields: inout HeaderFields) {
        if !isForwarded || !sendsOwnProxyField { fields.remove("Proxy-Authorization") }
    }

    // MARK: Credentials

    /// Adds the proxy's credentials to a request that the proxy forwards.
    func authenticateForward(_ fields: inout HeaderFields, _ url: URL, _ exchange: Exchange) {
        guard case .forward(let server) = route else { return }
        let body = body
        addCredentials(
            &fields, server,
            AuthenticatedRequest(
                url: url, method: request.httpMethod ?? "GET", target: RequestHead.absoluteTarget(of: url),
                hasOwnField: fields.has("Proxy-Authorization"),
                bodyDigest: { algorithm in body.bytes.map { Digests.digest($0, algorithm) } }),
            exchange.connection.id.number)
    }

    /// Returns the fields of the CONNECT request. The fields of the application's request are for the origin only,
    /// except for Proxy-Authorization.
    func tunnelFields(_ origin: WebOrigin) -> HeaderFields {
        guard case .tunnel(let server) = route, server.kind != .socks5, let url = request.url else {
            return HeaderFields()
        }
        var fields: HeaderFields = ["User-Agent": RequestHead.userAgent]
        let target = TunnelRequest(host: origin.host, port: origin.port).target
        if sendsOwnProxyField, let own = callersFields()["Proxy-Authorization"] { fields["Proxy-Authorization"] = own }
        addCredentials(
            &fields, server,
            AuthenticatedRequest(
                url: url, method: "CONNECT", target: target, hasOwnField: fields.has("Proxy-Authorization")), 0)
        return fields
    }

    private func addCredentials(
        _ fields: inout HeaderFields, _ server: ProxyServer, _ asked: AuthenticatedRequest, _ connection: Int
    ) {
        let field = core.authentication.field(&proxyAuthentication, asked, connection: connection, now: Date())
        if let field {
            fields[field.name] = field.value
        } else if !asked.hasOwnField, let user = server.user,
            let text = BasicCredentials.text(user: user, password: server.password ?? "")
        {
            fields["Proxy-Authorization"] = "Basic \(text)"
        }
    }

    /// Handles a 407 response to CONNECT. Returns false when a response object cannot be created.
    func tunnelRefused(_ fields: HeaderFields) -> Bool {
        guard let url = request.url,
            let response = HTTPURLResponse(
                url: url, statusCode: 407, httpVersion: "HTTP/1.1", headerFields: fields.dictionary)
        else { return false }
        refused(response, fields, by: .tunnel)
        return true
    }
}
