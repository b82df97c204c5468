package import AdapterProtocol

/// One proxy server of the lab: how it is spoken to, whom it lets through, and where it misbehaves.
package struct ProxyPlan: Hashable, Sendable {
    package enum Access: Hashable, Sendable {
        case open
        /// 407 until the credentials are right (RFC 9110 §11.7).
        case challenge(AuthenticationPlan)
        /// User and password of SOCKS (RFC 1929).
        case login(user: String, password: String)
    }

    /// Every proxy of a lab answers under this name, each on a port of its own.
    package static let host = "proxy.test"

    package var name: String
    package var kind: ProxyAddress.Kind
    package var port: Int
    package var access = Access.open
    /// What a proxy of the kind `https` shows.
    package var tls = TLSPlan()
    /// The program under test finds it in its environment, where Linux keeps what other systems have in their settings.
    package var isSystem = false
    package var faults: [ProxyFault] = []

    package init(name: String, kind: ProxyAddress.Kind, port: Int? = nil) {
        self.name = name
        self.kind = kind
        self.port = port ?? ProxyPlan.port(of: kind)
    }

    package static func port(of kind: ProxyAddress.Kind) -> Int {
        switch kind {
        case .http: 3128
        case .https: 3129
        case .socks5: 1080
        }
    }
}

/// Where and how a proxy misbehaves: point × effect × scope.
package struct ProxyFault: Hashable, Sendable {
    package enum Direction: String, CaseIterable, Hashable, Sendable {
        /// To the target.
        case uplink = "uplink"
        /// To the client.
        case downlink = "downlink"
    }
    package enum Point: Hashable, Sendable {
        case accept
        /// What the client wants is known, and nothing of it is answered or connected.
        case request
        /// Exactly this many bytes went on in this direction; the proxy's own words (its 200, SOCKS replies) do not count.
        case carried(Direction, Int64)
    }
    package enum Effect: Hashable, Sendable {
        /// The HTTP status, or the reply code of SOCKS (RFC 1928 §6), in place of a connection.
        case refuse(Int)
        /// FIN to both sides.
        case close
        /// RST to both sides.
        case reset
        /// Nothing more is said or taken on, in a direction that has one; the connections stay open.
        case stall
        case pause(Duration)
        /// From here on so slowly.
        case throttle(BitRate)
    }
    /// All given parts must hold; counts start at 1 and are the proxy's own.
    package struct Scope: Hashable, Sendable {
        package var connection: Int?
        package var request: Int?
        /// Only the first n matches, then normal.
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
