import CrosswindControl
import Foundation
import Glibc
import Synchronization
import Testing

@testable import CrosswindTesting

/// The scope of the trait is called as Swift Testing calls it. The variable belongs to the process, so the tests take turns.
@Suite(.serialized) struct NetworkTraitTests {
    private struct Broken: Error {}

    /// The number of tests that run at the same time.
    private final class Counts: Sendable {
        private let counts = Mutex((now: 0, most: 0))
        var most: Int { counts.withLock { $0.most } }
        func begin() {
            counts.withLock { counts in
                counts.now += 1
                counts.most = max(counts.most, counts.now)
            }
        }
        func end() { counts.withLock { $0.now -= 1 } }
    }

    private func with(_ body: (FakeLab) async throws -> Void) async throws {
        let lab = try FakeLab()
        let before = ProcessInfo.processInfo.environment["CROSSWIND_CONTROL"]
        set(lab.path)
        defer {
            set(before)
            lab.stop()
        }
        try await body(lab)
    }

    private func set(_ path: String?) {
        if let path {
            _ = unsafe setenv("CROSSWIND_CONTROL", path, 1)
        } else {
            _ = unsafe unsetenv("CROSSWIND_CONTROL")
        }
    }

    private func run(_ trait: NetworkTrait, _ body: @Sendable () async throws -> Void) async throws {
        try await trait.provideScope(for: #require(Test.current), testCase: nil, performing: body)
    }

    private func kinds(_ lab: FakeLab) -> [String] {
        lab.lines.map { line in
            let words = ["reset", "describe", "set", "seen"].filter { line.contains("\"do\":\"\($0)\"") }
            return words.first ?? line
        }
    }

    @Test func `the condition is applied to the first interface, and the network is restored`() async throws {
        try await with { lab in
            try await run(.network(.flakyWiFi)) {
                let requests = try await Network.current.requests()
                #expect(requests.map(\.number) == [8])
            }
            #expect(kinds(lab) == ["reset", "describe", "set", "seen", "seen", "reset"])
            #expect(lab.lines[2] == #"{"change":{"wifi":"flaky-wifi"},"do":"set","v":1}"#)
            // The requests of the test begin after those before it.
            #expect(lab.lines[4] == #"{"after":8,"do":"seen","v":1}"#)
        }
    }

    @Test func `a failed test restores the network, and its error is kept`() async throws {
        try await with { lab in
            await #expect(throws: Broken.self) { try await run(.network(.edge, on: .cellular)) { throw Broken() } }
            #expect(kinds(lab).last == "reset")
            #expect(lab.lines.contains(#"{"change":{"cellular":"edge"},"do":"set","v":1}"#))
        }
    }

    @Test func `tests take turns, and a test in a suite with the trait does not wait for itself`() async throws {
        try await with { lab in
            let counts = Counts()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await run(.network(.lte)) {
                            counts.begin()
                            try await run(.network(.edge)) { await Task.yield() }
                            counts.end()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(counts.most == 1)
            #expect(kinds(lab).filter { $0 == "set" }.count == 16 && kinds(lab).filter { $0 == "reset" }.count == 16)
        }
    }

    @Test func `outside a lab the error names the command`() {
        #expect("\(NetworkError.notInLab)".contains("crosswind exec"))
    }
}
