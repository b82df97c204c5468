import Foundation
import Testing

@testable import Harness

/// The fate of packet n of a direction depends only on the seed and on n, whatever the machine does meanwhile.
@Suite(.enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"))
struct SameSeedTests {
    private static let scenario = """
        scenario: A body over a bad link
        proves: [DATA-01]
        network:
          wifi:
            downlink: { delay: 5ms, jitter: 3ms, loss: 2%, duplicate: 3% }
            uplink: { delay: 2ms, jitter: 1ms, loss: 1% }
        origin:
          /a: { size: 256KiB }
        steps:
          - data: /a
            as: first
        expect:
          - completes: { task: first, error: none }
        """

    private struct Packet: Hashable {
        var direction: Substring
        var index: Int
    }

    /// Returns the fate of each packet in the log.
    private func decisions(of program: BuiltProgram, _ scenario: String, seed: Int, into folder: String) throws
        -> [Packet: Substring]
    {
        let ended = try program.run(["run", scenario, "--adapter", "python", "--seed", "\(seed)", "--out", folder])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let root = program.folder + "/" + folder
        let path = try #require(
            try FileManager.default.subpathsOfDirectory(atPath: root).first { $0.hasSuffix("decisions.txt") })
        var found: [Packet: Substring] = [:]
        for line in try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8).split(separator: "\n").dropFirst() {
            let words = line.split(separator: " ", maxSplits: 3)
            try #require(words.count == 4)
            found[Packet(direction: words[1], index: try #require(Int(words[2])))] = words[3]
        }
        return found
    }

    @Test func `the same seed gives each packet the same fate, another seed does not`() throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let path = try program.write("bad.yaml", Self.scenario)
        let first = try decisions(of: program, path, seed: 41, into: "first")
        let second = try decisions(of: program, path, seed: 41, into: "second")
        let other = try decisions(of: program, path, seed: 42, into: "other")
        // TCP may send a packet more in one run than in the other; packets that both sent must have had the same fate.
        // A packet that jitter did not change is omitted from the log, so absence is compared as well, up to the last
        // packet that both runs have.
        for direction in ["uplink", "downlink"] as [Substring] {
            func last(_ decisions: [Packet: Substring]) -> Int {
                decisions.keys.filter { $0.direction == direction }.map(\.index).max() ?? 0
            }
            let common = min(last(first), last(second), last(other))
            #expect(common > (direction == "downlink" ? 100 : 10))
            let packets = (1...common).map { Packet(direction: direction, index: $0) }
            #expect(packets.map { first[$0] } == packets.map { second[$0] })
            #expect(packets.map { first[$0] } != packets.map { other[$0] })
        }
    }
}
