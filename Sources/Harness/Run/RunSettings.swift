package import Lab
package import Record
import ScenarioLanguage
package import NIOCore
package import Conformance
package import LinkEngines
package import TLSTestKit

/// The settings that all runs of one invocation share.
package struct RunSettings: Sendable {
    package var adapter: AdapterChoice
    package var engine: EngineChoice
    package var seed: UInt64
    /// The folder for evidence, with one folder for each scenario.
    package var out: String
    /// True when captures are kept for passing scenarios as well.
    package var keepsEverything: Bool
    /// The isolation of the adapters.
    package var isolation = ClientIsolation()
    /// The lab's certificate authority, shared by all labs; they are isolated, so it cannot be used elsewhere.
    package var authority: CertificateAuthority
    package var group: any EventLoopGroup
    /// The known failures of the implementation.
    package var baseline = Baseline.empty
    /// The expectations that are asked of the client.
    package var profile = ClientProfile.urlsession
    /// An earlier run, whose packet decisions are repeated.
    package var replayed: EarlierRun?

    package init(
        adapter: AdapterChoice, engine: EngineChoice, seed: UInt64, out: String, keepsEverything: Bool,
        authority: CertificateAuthority, group: any EventLoopGroup
    ) {
        self.adapter = adapter
        self.engine = engine
        self.seed = seed
        self.out = out
        self.keepsEverything = keepsEverything
        self.authority = authority
        self.group = group
    }

    /// Returns a separate seed for every scenario and repetition, so that adding a scenario changes no other.
    package func seed(of scenario: String, repetition: Int) -> UInt64 {
        if let replayed { return replayed.header.seed }
        return UInt64(fnv1a: scenario, salt: seed) &+ UInt64(repetition - 1) &* 0x9e37_79b9_7f4a_7c15
    }
}
