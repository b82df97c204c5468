package import Scenario

/// What `serve` was asked for.
package struct ServeSettings: Sendable {
    package var scenario: Scenario
    /// 0: any free port.
    package var port: UInt16
    package var securePort: UInt16
    package var seed: UInt64
    /// Where the certificate of the authority goes, for clients to trust.
    package var authorityFile: String
    package init(scenario: Scenario, port: UInt16 = 0, securePort: UInt16 = 0, seed: UInt64 = 1, authorityFile: String) {
        self.scenario = scenario
        self.port = port
        self.securePort = securePort
        self.seed = seed
        self.authorityFile = authorityFile
    }
}

/// Where the served things are.
package struct ServedPlaces: Hashable, Sendable {
    package struct Proxy: Hashable, Sendable {
        package var name: String
        /// For curl's `-x`.
        package var url: String
    }

    package var port: UInt16
    /// nil: the scenario's origin speaks no TLS.
    package var securePort: UInt16?
    package var proxies: [Proxy] = []
    /// nil: nothing speaks TLS.
    package var authorityFile: String?
}
