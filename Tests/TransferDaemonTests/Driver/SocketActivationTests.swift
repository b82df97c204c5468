import Foundation
import Testing

@testable import TransferDaemon

/// The rules of sd_listen_fds(3).
@Suite struct SocketActivationTests {
    @Test(arguments: [
        (["LISTEN_PID": "9", "LISTEN_FDS": "1"], CInt?(3)),
        (["LISTEN_PID": "9", "LISTEN_FDS": "0"], nil),
        // The variables of a parent are not ours.
        (["LISTEN_PID": "8", "LISTEN_FDS": "1"], nil),
        (["LISTEN_FDS": "1"], nil),
        ([:], nil),
    ])
    func `A passed socket is used by the process it was passed to`(environment: [String: String], expected: CInt?) {
        #expect(SocketActivation.descriptor(environment: environment, process: 9) == expected)
    }

    /// flock(2) locks belong to open files, so two openings in one process exclude each other as two processes do.
    @Test func `Only one instance holds the lock`() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        defer { try? FileManager.default.removeItem(atPath: path) }
        var first = try SingleInstance.take(path)
        #expect(first != nil)
        #expect(try SingleInstance.take(path) == nil)
        first = nil
        #expect(try SingleInstance.take(path) != nil)
    }
}
