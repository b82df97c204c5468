public import CrosswindControl
public import Testing

/// Gives one test, or each test of a suite, a condition of the lab's network, and restores the network after it.
///
/// ```swift
/// @Test(.network(.flakyWiFi)) func `a sync survives`() async throws { … }
/// ```
///
/// Inside the test, `Network.current` changes the network further, and its requests are those since the test began. Tests
/// with this trait run one at a time in a process, because a lab has one network. Outside a lab they are skipped.
public struct NetworkTrait: TestTrait, SuiteTrait, TestScoping {
    private let condition: Condition?
    private let interface: InterfaceKind?

    /// True: a suite passes the trait on to each of its tests.
    public var isRecursive: Bool { true }

    init(_ condition: Condition?, on interface: InterfaceKind?) {
        self.condition = condition
        self.interface = interface
    }

    /// Runs a test with the condition, or skips it outside a lab.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let network: Network
        do throws(NetworkError) { network = try Network.current } catch {
            #if compiler(>=6.3)
                try Test.cancel("\(error)")
            #else
                throw error
            #endif
        }
        // The trait of a suite is outside that of its test, whose condition applies.
        if NetworkTurn.isHeld { return try await run(network, function) }
        await NetworkTurn.shared.take()
        do {
            try await NetworkTurn.$isHeld.withValue(true) {
                try await network.reset()
                do { try await run(network, function) } catch {
                    // The error of the test is more useful than one of the lab.
                    _ = try? await network.reset()
                    throw error
                }
                try await network.reset()
            }
        } catch {
            await NetworkTurn.shared.pass()
            throw error
        }
        await NetworkTurn.shared.pass()
    }

    private func run(_ network: Network, _ function: @Sendable () async throws -> Void) async throws {
        if let condition {
            let first = try await network.interfaces.first
            try await network.set(interface ?? first ?? .wifi, to: condition)
        }
        let before = try await network.seen(after: .max).requestCount
        try await Network.$requestsBefore.withValue(before) { try await function() }
    }
}

extension Trait where Self == NetworkTrait {
    /// Runs the test in this condition of an interface of the lab, and restores the network after it.
    ///
    /// - Parameters:
    ///   - condition: the condition.
    ///   - interface: the interface; nil for the first one of the lab.
    public static func network(_ condition: Condition, on interface: InterfaceKind? = nil) -> Self {
        NetworkTrait(condition, on: interface)
    }

    /// Runs the test in the network of the lab's start, and restores that after it.
    public static var network: Self { NetworkTrait(nil, on: nil) }
}

/// The turn of the one test that may change the network.
private actor NetworkTurn {
    static let shared = NetworkTurn()
    /// True in a test that has the turn.
    @TaskLocal static var isHeld = false

    private var isTaken = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func take() async {
        guard isTaken else {
            isTaken = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    func pass() {
        if waiting.isEmpty { isTaken = false } else { waiting.removeFirst().resume() }
    }
}
