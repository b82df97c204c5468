import Conformance
import Foundation
import Testing

@testable import ScenarioLanguage

/// A scenario that somebody else wrote must not read files of this machine through `trace`.
@Suite struct TraceFolderTests {
    private func errors(_ trace: String, in folder: String) -> String {
        let text = """
            scenario: trace
            proves: [DATA-01]
            network:
              wifi: { downlink: { rate: { trace: \(trace) } } }
            steps:
              - data: /hello
                as: first
            expect:
              - requests: { count: 1 }
            """
        switch ScenarioReader.read(file: folder + "/trace.yaml", text: text) {
        case .success: return ""
        case .failure(let found): return found.errors.map(\.description).joined(separator: "\n")
        }
    }

    @Test func `a trace is read below the scenario's folder, not through a link that leaves it, and never from a pipe`()
        throws
    {
        let files = FileManager.default
        let outer = files.temporaryDirectory.appendingPathComponent("traces-\(UUID().uuidString)").path
        let folder = outer + "/scenarios"
        try files.createDirectory(atPath: folder + "/deeper", withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: outer) }
        let trace = Data((1...20).map { "\($0)\n" }.joined().utf8)
        for path in [outer + "/outside.trace", folder + "/inside.trace", folder + "/deeper/inside.trace"] {
            try trace.write(to: URL(fileURLWithPath: path))
        }
        try files.createSymbolicLink(atPath: folder + "/leaves.trace", withDestinationPath: outer + "/outside.trace")
        try files.createSymbolicLink(atPath: folder + "/stays.trace", withDestinationPath: "inside.trace")
        #expect(unsafe mkfifo(folder + "/pipe.trace", 0o600) == 0)
        for name in ["inside.trace", "deeper/inside.trace", "deeper/../inside.trace", "stays.trace"] {
            #expect(errors(name, in: folder) == "")
        }
        for name in ["leaves.trace", "../outside.trace", outer + "/outside.trace"] {
            #expect(errors(name, in: folder).contains("outside the folder of this file"))
        }
        #expect(errors("pipe.trace", in: folder).contains("cannot be read"))
    }
}
