import AdapterProtocol
import Lab
import OpenSSLTLS
import ScenarioLanguage
import TLSTestKit

/// Creates the client certificates that a scenario's tasks present, as files in the adapter's private folder.
enum ClientIdentities {
    static func files(for script: [ScriptStep], authority: CertificateAuthority) throws(HarnessError) -> [String:
        [UInt8]]
    {
        var files: [String: [UInt8]] = [:]
        for identity in ClientIdentity.allCases where isUsed(identity, script) {
            do throws(TLSError) {
                let issuer =
                    switch identity {
                    case .known: authority
                    case .unknown: try CertificateAuthority.make(commonName: "Unknown Client Authority")
                    }
                let issued = try issuer.issue(CertificateRequest(commonName: "Crosswind client", usage: .client))
                files[identity.chainFile] = [UInt8](try issued.certificatePEM().utf8)
                files[identity.keyFile] = [UInt8](try issued.privateKeyPEM().utf8)
            } catch {
                throw .origin("cannot issue the client's certificate: \(error)")
            }
        }
        return files
    }

    /// Returns the decision with the paths of the files as the adapter sees them.
    static func placed(_ decision: TaskPolicies.ChallengeDecision) -> TaskPolicies.ChallengeDecision {
        switch decision {
        case .clientCertificate(let chain, let key):
            .clientCertificate(
                chainPath: "\(ClientEnvironment.folder)/\(chain)", keyPath: "\(ClientEnvironment.folder)/\(key)")
        case .credential, .serverTrust, .performDefaultHandling, .rejectProtectionSpace, .cancel: decision
        }
    }

    private static func isUsed(_ identity: ClientIdentity, _ script: [ScriptStep]) -> Bool {
        script.contains { step in
            guard case .task(let task, body: _, starts: _) = step else { return false }
            return task.policies.challenges.contains {
                if case .clientCertificate(identity.chainFile, _) = $0 { true } else { false }
            }
        }
    }
}
