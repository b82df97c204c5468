import Foundation
import LinkEmulator
import Record
import ScenarioLanguage
import Testing

@testable import Lab
@testable import LinkEngines

@Suite struct CaptureTests {
    private let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("cw-capture-\(UUID().uuidString)/a.pcapng").path
    private let packet: [UInt8] = [0x45] + [UInt8](repeating: 0, count: 19)

    private func remove() {
        try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent())
    }

    /// Returns the types of the blocks of a pcapng file, in order; each block begins with its type and length.
    private func blocks() throws -> [UInt32] {
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        func word(_ at: Int) -> UInt32 {
            UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16 | UInt32(bytes[at + 3]) << 24
        }
        var types: [UInt32] = []
        var place = 0
        while place + 12 <= bytes.count {
            types.append(word(place))
            place += Int(word(place + 4))
        }
        #expect(place == bytes.count)
        return types
    }

    /// Wireshark decrypts only packets that come after their secrets, and the last secrets are known after the first
    /// packets.
    @Test func `all secrets precede the packets, even those that were added later`() throws {
        defer { remove() }
        let capture = try Capture.create(at: path)
        capture.packet(packet.span, interface: .wifi, direction: .uplink, at: 1, comment: nil)
        capture.secret("CLIENT_RANDOM 00 11")
        capture.packet(packet.span, interface: .wifi, direction: .downlink, at: 2, comment: "dropped: loss")
        capture.close(keep: true)
        #expect(capture.failure == nil)
        #expect(try blocks() == [0x0A0D_0D0A] + InterfaceKind.allCases.map { _ in 1 } + [0x0A, 6, 6])
    }

    @Test func `a capture that is not kept is removed`() throws {
        defer { remove() }
        let capture = try Capture.create(at: path)
        capture.packet(packet.span, interface: .wired, direction: .uplink, at: 1, comment: nil)
        capture.close(keep: false)
        #expect(!FileManager.default.fileExists(atPath: path))
    }
}
