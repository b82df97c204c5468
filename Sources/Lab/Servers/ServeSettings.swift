package import ScenarioLanguage

/// The settings of `crosswind serve`.
package struct ServeSettings: Sendable {
    package var scenario: Scenario
    /// The port; 0 means any free one.
    package var port: UInt16
    package var securePort: UInt16
    package var seed: UInt64
    /// The path for the authority's certificate, which clients have to trust.
    package var authorityFile: String
    package init(scenario: Scenario, port: UInt16 = 0, securePort: UInt16 = 0, seed: UInt64 = 1, authorityFile: String)
    {
        self.scenario = scenario
        self.port = port
        self.securePort = securePort
        self.seed = seed
        self.authorityFile = authorityFile
    }
}

/// The addresses that are served.
package struct ServedEndpoints: Hashable, Sendable {
    package struct Proxy: Hashable, Sendable {
        package var name: String
        /// The URL for curl's `-x`.
        package var url: String
    }

    package var port: UInt16
    /// nil when the scenario's origin does not use TLS.
    package var securePort: UInt16?
    package var proxies: [Proxy] = []
    /// The changes of the timeline that are not played, with the reasons.
    package var omitted: [String] = []
    /// nil when TLS is not used at all.
    package var authorityFile: String?
}
