import AdapterProtocol
import Lab
import ScenarioLanguage
import TLSTestKit
import Testing

@testable import Harness

/// Certificates are created for tasks whose decisions use them, at the path in the decision, and only the lab's own is
/// issued by the lab's authority.
struct ClientIdentitiesTests {
    private func script(_ answers: [TaskPolicies.ChallengeDecision]) -> [ScriptStep] {
        var task = TaskDescription(task: "first", kind: .data, url: "https://api.test/a")
        task.policies.challenges = answers
        return [.task(task, body: nil, starts: true)]
    }

    private func decision(_ identity: ClientIdentity) -> TaskPolicies.ChallengeDecision {
        .clientCertificate(chainPath: identity.chainFile, keyPath: identity.keyFile)
    }

    @Test func `only certificates that a task's decisions use are created`() throws {
        let authority = try CertificateAuthority.make(commonName: "Lab")
        #expect(
            try ClientIdentities.files(for: script([.performDefaultHandling, .serverTrust]), authority: authority)
                .isEmpty)
        let files = try ClientIdentities.files(for: script([.serverTrust, decision(.unknown)]), authority: authority)
        #expect(files.keys.sorted() == ["client-unknown.key", "client-unknown.pem"])
        #expect(
            files["client-unknown.pem"].map { String(decoding: $0, as: UTF8.self) }?.contains("BEGIN CERTIFICATE")
                == true)
        #expect(
            files["client-unknown.key"].map { String(decoding: $0, as: UTF8.self) }?.contains("PRIVATE KEY") == true)
    }

    @Test func `the adapter gets the paths of the files`() {
        let script = script([decision(.known), .cancel])
        guard case .makeTask(let task)? = TaskBodies(script).command(script[0]) else {
            Issue.record("no task")
            return
        }
        let folder = ClientEnvironment.folder
        #expect(
            task.policies.challenges
                == [
                    .clientCertificate(chainPath: "\(folder)/client-known.pem", keyPath: "\(folder)/client-known.key"),
                    .cancel,
                ])
    }
}
