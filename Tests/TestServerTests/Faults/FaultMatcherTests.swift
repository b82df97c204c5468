import Record
import ScenarioLanguage
import Testing

@testable import TestServer

/// Ten arrivals at one point, with those that fire.
struct FaultMatcherTests {
    private func fired(_ scope: Fault.Scope, _ faultContexts: [FaultMatcher.FaultContext]) -> [Int] {
        var matcher = FaultMatcher([Fault(point: .requestHead, effect: .close, scope: scope)])
        return faultContexts.indices.filter { !matcher.firing(at: .requestHead, faultContexts[$0]).isEmpty }.map {
            $0 + 1
        }
    }

    /// Requests alternate between two paths and three connections.
    private let faultContexts = (1...10).map { number in
        FaultMatcher.FaultContext(
            connection: number % 3 + 1, request: number, path: number.isMultiple(of: 2) ? "/even" : "/odd",
            pathRequest: (number + 1) / 2,
            exchange: (number + 2) / 3)
    }

    @Test(arguments: [
        (Fault.Scope(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        (Fault.Scope(request: 3), [3]),
        (Fault.Scope(request: 3, path: "/even"), [6]),
        (Fault.Scope(path: "/odd"), [1, 3, 5, 7, 9]),
        (Fault.Scope(connection: 2), [1, 4, 7, 10]),
        (Fault.Scope(connection: 2, path: "/even"), [4, 10]),
        (Fault.Scope(first: 2), [1, 2]),
        (Fault.Scope(path: "/even", first: 2), [2, 4]),
        (Fault.Scope(every: 3), [3, 6, 9]),
        (Fault.Scope(path: "/odd", every: 2), [3, 7]),
        (Fault.Scope(first: 7, every: 3), [3, 6]),
        (Fault.Scope(request: 11), []),
        (Fault.Scope(exchange: 2), [4, 5, 6]),
        (Fault.Scope(first: 1, exchange: 3), [7]),
    ])
    func `all parts of a scope must match`(scope: Fault.Scope, expected: [Int]) {
        #expect(fired(scope, faultContexts) == expected)
    }

    @Test func `a scope that names a request never matches before there is one`() {
        let unknown = FaultMatcher.FaultContext(connection: 1)
        #expect(fired(Fault.Scope(request: 1), [unknown]) == [])
        #expect(fired(Fault.Scope(path: "/odd"), [unknown]) == [])
        #expect(fired(Fault.Scope(connection: 1), [unknown]) == [1])
    }

    @Test func `faults of other points are not counted`() {
        var matcher = FaultMatcher([
            Fault(point: .responseBody(5), effect: .close, scope: Fault.Scope(first: 1)),
            Fault(point: .responseBody(6), effect: .reset),
        ])
        #expect(matcher.firing(at: .responseBody(6), faultContexts[0]).map(\.effect) == [.reset])
        #expect(matcher.firing(at: .responseBody(5), faultContexts[0]).map(\.effect) == [.close])
        #expect(matcher.firing(at: .responseBody(5), faultContexts[0]).isEmpty)
        #expect(matcher.points(for: faultContexts[0]) == [.responseBody(5), .responseBody(6)])
    }
}
