package import Record
package import AdapterProtocol

/// One proxy server of the lab: its protocol, its access rules and its faults.
package struct ProxyPlan: Hashable, Sendable {
    package enum Access: Hashable, Sendable {
        case open
        /// 407 until the credentials are right (RFC 9110 §11.7).
        case challenge(AuthenticationPlan)
        /// User name and password of SOCKS (RFC 1929).
        case login(user: String, password: String)
    }

    /// The host name of every proxy of a lab; each has a different port.
    package static let host = "proxy.test"

    package var name: String
    package var kind: ProxyAddress.Kind
    package var port: Int
    package var access = Access.open
    /// The TLS configuration of a proxy of the kind `https`.
    package var tls = TLSPlan()
    /// The program under test finds the proxy in its environment variables, which Linux uses in place of system
    /// settings.
    package var isSystem = false
    /// The host name by which a SOCKS proxy states its end of a connection (RFC 1928 §6); nil: the address.
    package var boundName: String?
    package var faults: [ProxyFault] = []

    package init(name: String, kind: ProxyAddress.Kind, port: Int? = nil) {
        self.name = name
        self.kind = kind
        self.port = port ?? ProxyPlan.port(of: kind)
    }

    /// The address in a lab, as in a variable such as https_proxy.
    package var url: String {
        let scheme =
            switch kind {
            case .http: "http"
            case .https: "https"
            case .socks5: "socks5h"
            }
        return "\(scheme)://\(ProxyPlan.host):\(port)"
    }

    package static func port(of kind: ProxyAddress.Kind) -> Int {
        switch kind {
        case .http: 3128
        case .https: 3129
        case .socks5: 1080
        }
    }
}

/// A fault of a proxy: point × effect × scope.
package struct ProxyFault: Hashable, Sendable {
    package typealias Direction = ProxyFact.Direction
    package enum Point: Hashable, Sendable {
        case accept
        /// The request has been parsed; no reply has been sent and no connection to the target has been opened.
        case request
        /// Exactly this many bytes were forwarded in this direction; the proxy's own messages (its 200, SOCKS replies)
        /// do not count.
        case carried(Direction, Int64)
    }
    package enum Effect: Hashable, Sendable {
        /// The HTTP status, or the reply code of SOCKS (RFC 1928 §6), in place of a connection.
        case refuse(Int)
        /// FIN to both sides.
        case close
        /// RST to both sides.
        case reset
        /// Nothing more is sent or forwarded, in the direction of the point if it has one; the connections stay open.
        case stall
        case pause(Duration)
        /// From here on the rate is limited.
        case throttle(BitRate)
    }
    /// Conditions that must all hold; counts start at 1 and are kept per proxy.
    package struct Scope: Hashable, Sendable {
        package var connection: Int?
        package var request: Int?
        /// Only the first n matches; later ones are handled normally.
        package var first: Int?
        package init(connection: Int? = nil, request: Int? = nil, first: Int? = nil) {
            self.connection = connection
            self.request = request
            self.first = first
        }
    }
    package var point: Point
    package var effect: Effect
    package var scope: Scope
    package init(point: Point, effect: Effect, scope: Scope = Scope()) {
        self.point = point
        self.effect = effect
        self.scope = scope
    }
}
