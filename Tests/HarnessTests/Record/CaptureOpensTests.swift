import Foundation
import Testing

@testable import Harness

private enum Wireshark {
    static let tshark = ["/usr/bin/tshark", "/usr/local/bin/tshark"].first(where: FileManager.default.isExecutableFile)
}

/// Reads the capture of a real run with an independent program: it must open decrypted, name its interfaces, and
/// contain the fate of every packet that was not delivered unchanged.
@Suite(
    .enabled(if: Doctor.examine().canRun, "this machine cannot build a lab: see crosswind doctor"),
    .enabled(if: Wireshark.tshark != nil, "needs tshark, from the distribution's package of that name"))
struct CaptureOpensTests {
    /// Packets 20 and 21 towards the client are in the middle of the body, and both directions carry traffic.
    private static let scenario = """
        scenario: A body over TLS, damaged on the way
        proves: [DATA-01]
        network:
          wifi:
            downlink: { delay: 20ms, loss: { packets: [21] } }
            uplink: { delay: 5ms, duplicate: 100% }
        origin:
          tls: { certificate: valid, maximum: "VERSION" }
          /secret: { size: 64KiB }
        steps:
          - data: /secret
            as: first
        expect:
          - completes: { task: first, error: none }
        """

    private func fields(_ capture: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(Wireshark.tshark))
        process.arguments = ["-n", "-r", capture] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self)
    }

    @Test(arguments: ["1.2", "1.3"])
    func `tshark reads requests inside TLS, fates and interface names`(_ version: String) throws {
        let program = try BuiltProgram()
        defer { program.remove() }
        let path = try program.write("tls.yaml", Self.scenario.replacing("VERSION", with: version))
        let ended = try program.run(["run", path, "--adapter", "python", "--keep", "--out", "out"])
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: program.folder + "/out")
        let capture = program.folder + "/out/" + (try #require(files.first { $0.hasSuffix(".pcapng") }))

        let requests = try fields(
            capture, ["-Y", "tls && http.request", "-T", "fields", "-e", "http.request.full_uri"])
        #expect(requests.split(separator: "\n").first.map(String.init) == "https://api.test/secret")
        let bodies = try fields(capture, ["-Y", "tls && http.response", "-T", "fields", "-e", "http.content_length"])
        #expect(bodies.split(separator: "\n").first.map(String.init) == "65536")

        let names = Set(
            try fields(capture, ["-T", "fields", "-e", "frame.interface_name"]).split(separator: "\n").map(String.init))
        #expect(names == ["wlan0"])
        let lost = try fields(
            capture, ["-Y", "frame.comment contains \"dropped: loss\"", "-T", "fields", "-e", "tcp.srcport"])
        #expect(lost.split(separator: "\n").map(String.init) == ["443"])
        let copied = try fields(
            capture, ["-Y", "frame.comment contains \"duplicated\"", "-T", "fields", "-e", "ip.src", "-e", "ipv6.src"])
        #expect(copied.split(separator: "\n").count > 3)
        // In order of time, as the client's interface saw the packets.
        let times = try fields(capture, ["-T", "fields", "-e", "frame.time_epoch"]).split(separator: "\n").compactMap {
            Double($0)
        }
        #expect(times.count > 40)
        #expect(times == times.sorted())
    }
}
