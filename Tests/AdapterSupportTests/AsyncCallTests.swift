import Testing

@testable import AdapterSupport

@Suite struct AsyncCallTests {
    /// Runs commands on a call and returns, for each time that it was made, whether its Swift task was cancelled then.
    private func made(_ commands: (AsyncCall) -> Void) async -> [Bool] {
        let (stream, continuation) = AsyncStream<Bool>.makeStream()
        let call = AsyncCall {
            continuation.yield(Task.isCancelled)
            // A load that ends early when it is cancelled.
            try? await Task.sleep(for: .seconds(20))
            continuation.finish()
        }
        commands(call)
        return await stream.reduce(into: []) { $0.append($1) }
    }

    @Test func `a call that is cancelled before it begins is made by a cancelled Swift task, once`() async {
        let found = await made {
            $0.cancel()
            $0.resume()
        }
        #expect(found == [true])
    }

    @Test func `a call begins with resume and ends early when it is cancelled`() async throws {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let call = AsyncCall {
            continuation.yield("begins")
            do {
                try await Task.sleep(for: .seconds(20))
                continuation.yield("ends by itself")
            } catch { continuation.yield("is cancelled") }
            continuation.finish()
        }
        #expect(call.state == "suspended")
        call.resume()
        call.resume()
        #expect(call.state == "running")
        var moments: [String] = []
        for await moment in stream {
            moments.append(moment)
            call.cancel()
        }
        #expect(moments == ["begins", "is cancelled"])
    }
}
