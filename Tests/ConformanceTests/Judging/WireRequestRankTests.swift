@testable import Record
import AdapterProtocol
import Testing

@testable import ScenarioLanguage

/// Tests of request priorities. RFC 9218 and RFC 7540 count in opposite directions: a smaller urgency and a larger
/// weight are more important. A missing priority has a default.
struct WireRequestRankTests {
    private func outranks(_ left: (String?, String?), _ right: (String?, String?)) throws -> Bool {
        var run = Run()
        for (number, (field, weight)) in [left, right].enumerated() {
            run.request(number + 1, "/hello", field.map { [HeaderField("Priority", $0)] } ?? [])
            if let weight { run.add(.server(.stream(request: number + 1, stream: 2 * number + 1, priority: weight))) }
        }
        return try run.found("request: { number: 1, outranks: 2 }") == nil
    }

    @Test func `urgency takes precedence over weight and the defaults are in the middle`() throws {
        #expect(try outranks(("u=1", nil), ("u=5, i", nil)))
        #expect(try !outranks(("u=5", nil), ("u=1", nil)))
        #expect(try outranks((" i, u=2", nil), (nil, "weight 256, depends on 0")))
        #expect(try !outranks(("u=4", nil), (nil, nil)))
        #expect(try outranks((nil, "weight 201, depends on 0"), (nil, "weight 32, depends on 0")))
        #expect(try outranks((nil, "weight 17, depends on 0"), (nil, nil)))
        #expect(try !outranks((nil, nil), (nil, nil)))
        #expect(try !outranks(("u=9", nil), (nil, nil)), "no urgency at all")
    }
}
