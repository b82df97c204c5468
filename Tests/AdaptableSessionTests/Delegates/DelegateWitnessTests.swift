import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct DelegateWitnessTests {
    private final class Silent: AdaptableSessionTaskDelegate {}

    private final class Speaking: AdaptableSessionTaskDelegate {
        func urlSession(_ session: AdaptableSession, task: AdaptableSessionTask, didCompleteWithError error: (any Error)?) {}
    }

    @Test func `a message that the delegate does not implement is seen to be missing`() throws {
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: try #require(URL(string: "http://127.0.0.1/")))
        let silent: any AdaptableSessionTaskDelegate = Silent()
        let speaking: any AdaptableSessionTaskDelegate = Speaking()
        #expect(!DelegateWitness.isImplemented { silent.urlSession(session, task: task, didCompleteWithError: nil) })
        #expect(DelegateWitness.isImplemented { speaking.urlSession(session, task: task, didCompleteWithError: nil) })
        #expect(!DelegateWitness.isImplemented { speaking.urlSession(session, taskIsWaitingForConnectivity: task) })
        task.cancel()
    }
}
