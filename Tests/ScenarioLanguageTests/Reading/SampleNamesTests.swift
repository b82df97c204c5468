@testable import Conformance
import Testing

@testable import ScenarioLanguage

/// Tests that every key of the language is in a sample. Authors copy from the samples and the schema is tested on them.
/// Keys are compared by name, wherever they occur; checks have examples in CheckCompletenessTests.
struct SampleNamesTests {
    /// A trace is a separate file.
    private static let elsewhere: Set<String> = ["trace"]

    @Test func `every key of the language is in a sample`() throws {
        guard case .object(let fields) = ScenarioShape.root(checks: CheckCatalogue.all) else {
            Issue.record("a scenario is an object")
            return
        }
        let known = fields.filter { $0.name != "expect" }.reduce(into: Set<String>()) {
            $0.formUnion(Self.names(of: $1))
        }
        #expect(known.count > 200)
        var used: Set<String> = []
        for file in try ScenarioFiles.find(in: [Sample.folder]) {
            Self.collect(try Document(file: file, text: try ScenarioReader.text(ofFile: file)).root, into: &used)
        }
        let missing = known.subtracting(used).subtracting(Self.elsewhere)
        #expect(missing.isEmpty, "add to Samples/everything.yaml: \(missing.sorted())")
    }

    @Test func `the sample over HTTP 2 is read`() throws {
        let scenario = try ScenarioReader.read(file: "x", text: try Sample.text("everything-over-h2.yaml")).get()
        #expect(scenario.origin.protocols == [.http2, .http1])
        #expect(scenario.origin.http2.settings.count == HTTP2Setting.Name.allCases.count)
        #expect(scenario.proxies.count == 2 && scenario.origin.faults.count == 6)
    }

    private static func names(of field: Field) -> Set<String> { names(of: field.shape).union([field.name]) }

    private static func names(of shape: Shape) -> Set<String> {
        switch shape {
        case .object(let fields), .open(let fields, _, _, _):
            var found = fields.reduce(into: Set<String>()) { $0.formUnion(names(of: $1)) }
            if case .open(_, _, _, let element) = shape { found.formUnion(names(of: element)) }
            return found
        case .choice(let fields, let beside):
            return (fields + beside).reduce(into: []) { $0.formUnion(names(of: $1)) }
        case .either(let shapes): return shapes.reduce(into: []) { $0.formUnion(names(of: $1)) }
        case .list(let element), .oneOrMore(let element), .mapping(_, let element): return names(of: element)
        case .text, .word, .boolean, .integer, .duration, .bitRate, .byteCount, .probability, .anything: return []
        }
    }

    private static func collect(_ node: Document.Node, into used: inout Set<String>) {
        switch node {
        case .scalar: break
        case .list(let nodes, _): for node in nodes { collect(node, into: &used) }
        case .mapping(let pairs, _):
            for pair in pairs {
                if case .scalar(let name, _, _) = pair.key { used.insert(name) }
                collect(pair.value, into: &used)
            }
        }
    }
}
