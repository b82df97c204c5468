import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

@Suite struct TaskProgressTests {
    private func facts(sent: Int64, of toSend: Int64, received: Int64 = 0, of toReceive: Int64? = nil) -> TaskFacts {
        var facts = TaskFacts()
        facts.sent = sent
        facts.expectedToSend = toSend
        facts.received = received
        if let toReceive {
            facts.expectedToReceive = toReceive
            facts.response = URLResponse(
                url: URL(fileURLWithPath: "/"), mimeType: nil, expectedContentLength: Int(toReceive),
                textEncodingName: nil)
        }
        return facts
    }

    @Test func `the progress of a load without a request body is that of the response body`() {
        let progress = TaskProgress()
        progress.update(facts(sent: 0, of: 0, received: 50, of: 200))
        #expect(progress.progress(of: nil).fractionCompleted == 0.25)
    }

    @Test func `with a request body each body is one half of the progress`() {
        let progress = TaskProgress()
        progress.update(facts(sent: 100, of: 100))
        #expect(progress.progress(of: nil).fractionCompleted == 0.5)
        progress.update(facts(sent: 100, of: 100, received: 100, of: 200))
        #expect(progress.progress(of: nil).fractionCompleted == 0.75)
    }

    @Test func `the progress never decreases and is complete only at the end`() {
        let progress = TaskProgress()
        progress.update(facts(sent: 90, of: 100))
        progress.update(facts(sent: 10, of: 100))
        #expect(progress.progress(of: nil).fractionCompleted == 0.45)
        progress.update(facts(sent: 100, of: 100, received: 200, of: 200))
        #expect(progress.progress(of: nil).fractionCompleted < 1)
        progress.complete()
        #expect(progress.progress(of: nil).fractionCompleted == 1)
    }

    @Test func `an unknown length does not advance the progress`() {
        let progress = TaskProgress()
        progress.update(facts(sent: 0, of: 0, received: 5000, of: -1))
        #expect(progress.progress(of: nil).fractionCompleted == 0)
    }

    /// A server may announce any length that fits a header field.
    @Test func `lengths whose sum overflows are still shown`() {
        let progress = TaskProgress()
        progress.update(facts(sent: 10, of: 10, received: 5, of: .max))
        #expect(progress.progress(of: nil).fractionCompleted == 0.5)
        #expect(progress.progress(of: nil).localizedAdditionalDescription == "15 of 9223372036854775807 bytes")
        progress.update(facts(sent: .max, of: .max, received: .max, of: .max))
        #expect(progress.progress(of: nil).fractionCompleted < 1)
    }

    @Test func `the progress has a description in words`() {
        let progress = TaskProgress()
        #expect(progress.progress(of: nil).localizedDescription == "0% completed")
        progress.update(facts(sent: 0, of: 0, received: 50, of: 200))
        #expect(progress.progress(of: nil).localizedDescription == "25% completed")
        #expect(progress.progress(of: nil).localizedAdditionalDescription == "50 of 200 bytes")
        progress.update(facts(sent: 0, of: 0, received: 60, of: -1))
        #expect(progress.progress(of: nil).localizedAdditionalDescription == "60 bytes")
        progress.complete()
        #expect(progress.progress(of: nil).localizedDescription == "100% completed")
    }

    /// Synchronously and in order: a later, concurrent notification could leave the task suspended.
    @Test func `actions on the progress have reached the task when the call returns`() async throws {
        // The server never responds, so the task does not end by itself.
        let server = try await ScriptedServer { _ in [] }
        let session = AdaptableSession(configuration: .ephemeral)
        let task = session.dataTask(with: server.url("/"))
        #expect(task.state == .suspended)
        for _ in 0..<100 {
            task.progress.resume()
            #expect(task.state == .running)
            task.progress.pause()
            #expect(task.state == .suspended)
        }
        task.progress.cancel()
        // On a busy machine the cancelled task may have ended by now.
        #expect([.canceling, .completed].contains(task.state))
        session.invalidateAndCancel()
    }

    @Test func `a parent shows the combined fraction of several tasks`() {
        let parent = Progress(totalUnitCount: 2)
        let children = [TaskProgress(), TaskProgress()]
        for child in children { parent.addChild(child.progress(of: nil), withPendingUnitCount: 1) }
        children[0].complete()
        children[1].update(facts(sent: 0, of: 0, received: 1, of: 2))
        #expect(parent.fractionCompleted == 0.75)
    }
}
