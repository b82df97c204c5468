import GeneratedBodies
import Glibc
import NIOCore
import NIOPosix
import OpenSSLTLS
import Record
import ScenarioLanguage
import Synchronization

@testable import TestServer

/// A running origin on a loopback socket, with its facts in order and a way to wait for one.
final class OriginRun: Sendable {
    private struct State {
        var facts: [ServerFact] = []
        var times: [Int64] = []
        var waiting: [(isMet: @Sendable ([ServerFact]) -> Bool, continuation: CheckedContinuation<Void, Never>)] = []
    }

    let address: SocketAddress
    let secureAddress: SocketAddress
    private let state: StateBox
    let origin: Origin

    private final class StateBox: Sendable { let value = Mutex(State()) }

    /// Nanoseconds on the process's monotonic clock.
    static let clock: @Sendable () -> Int64 = {
        Int64(NIODeadline.now().uptimeNanoseconds)
    }

    private init(
        _ plan: OriginPlan, tls: TLSContext?, breakpoints: [(request: Int, bytes: Int64)], limits: OriginLimits,
        flood: @escaping @Sendable (OriginFlood) -> Void
    ) async throws {
        let plain = try BoundSocket.loopback(SOCK_STREAM, family: AF_INET)
        let secure = try BoundSocket.loopback(SOCK_STREAM, family: AF_INET)
        let box = StateBox()
        state = box
        address = plain.address
        secureAddress = secure.address
        origin = Origin(
            plan: plan, seed: 7, tls: tls, breakpoints: breakpoints, limits: limits,
            group: MultiThreadedEventLoopGroup.singleton,
            clock: OriginRun.clock, flood: flood
        ) { fact in
            let met = box.value.withLock { state in
                state.facts.append(fact)
                state.times.append(OriginRun.clock())
                let facts = state.facts
                let met = state.waiting.filter { $0.isMet(facts) }.map(\.continuation)
                state.waiting.removeAll { $0.isMet(facts) }
                return met
            }
            for continuation in met { continuation.resume() }
        }
        if tls == nil { _ = close(secure.descriptor) }
        try await origin.start(plain: [plain.descriptor], tls: tls == nil ? [] : [secure.descriptor])
    }

    static func serving(
        _ plan: OriginPlan, tls: TLSContext? = nil, breakpoints: [(request: Int, bytes: Int64)] = [],
        limits: OriginLimits = OriginLimits(),
        flood: @escaping @Sendable (OriginFlood) -> Void = { _ in }, _ body: (OriginRun) async throws -> Void
    ) async throws {
        let run = try await OriginRun(plan, tls: tls, breakpoints: breakpoints, limits: limits, flood: flood)
        do {
            try await body(run)
        } catch {
            await run.origin.stop()
            throw error
        }
        await run.origin.stop()
    }

    var facts: [ServerFact] { state.value.withLock { $0.facts } }

    /// The facts without acknowledgements, whose times depend on the client's kernel.
    var ownFacts: [ServerFact] { facts.filter { if case .acknowledged = $0 { false } else { true } } }

    /// Returns the time at which the fact was recorded.
    func time(of fact: ServerFact) async -> Int64 {
        await wait(for: fact)
        return state.value.withLock { state in state.facts.firstIndex(of: fact).map { state.times[$0] } ?? 0 }
    }

    func wait(for fact: ServerFact) async { await wait { $0.contains(fact) } }

    func wait(_ isMet: @escaping @Sendable ([ServerFact]) -> Bool) async {
        await withCheckedContinuation { continuation in
            let isMetNow = state.value.withLock { state in
                if isMet(state.facts) { return true }
                state.waiting.append((isMet, continuation))
                return false
            }
            if isMetNow { continuation.resume() }
        }
    }
}

extension OriginPlan {
    /// Returns a plan with `/big` of this many bytes, and these faults.
    static func big(_ size: Int64, _ faults: [Fault] = [], _ change: (inout Resource) -> Void = { _ in }) -> OriginPlan
    {
        var resource = Resource(body: .pattern(ByteCount(size)!))
        resource.etag = "\"v1\""
        change(&resource)
        var plan = OriginPlan()
        plan.routes = [Route(path: "/big", content: .resource(resource)), Route(path: "/echo", content: .echo)]
        plan.faults = faults
        return plan
    }
}

enum Bytes {
    static func big(_ from: Int64 = 0, _ count: Int) -> [UInt8] {
        // The filler's own test compares it with the definition.
        var buffer = ByteBuffer()
        PatternFiller.append(key: PatternBody.key(path: "/big", version: 1), from: from, count: count, to: &buffer)
        return Array(buffer.readableBytesView)
    }
}
