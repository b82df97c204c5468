import Foundation
import Lab
import LinkEmulator
import LinkEngines

/// A file with captured traffic: pcapng, or HAR. Its kind is taken from its first bytes.
package enum CaptureFile {
    private static let mostBytes = 512 << 20

    /// - Parameter keepsBodies: true to copy small bodies of text from responses, which may contain secrets.
    package static func traffic(ofFile path: String, keepsBodies: Bool = false) throws(CaptureError) -> CapturedTraffic
    {
        try traffic(bytes(of: path), keepsBodies: keepsBodies)
    }

    package static func traffic(_ bytes: [UInt8], keepsBodies: Bool = false) throws(CaptureError) -> CapturedTraffic {
        if bytes.starts(with: [0x1F, 0x8B]) || bytes.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) { throw .compressed }
        let first = bytes.first { !" \t\r\n".utf8.contains($0) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") || bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
            return try HARFile.traffic(bytes, keepsBodies: keepsBodies)
        }
        let packets: [CapturedPacket]
        do throws(PcapngError) {
            packets = try PcapngReader.packets(bytes)
        } catch {
            throw error == .notPcapng ? .unknownKind : .pcapng(error)
        }
        return try HTTPCapture.traffic(packets, keepsBodies: keepsBodies)
    }

    private static func bytes(of path: String) throws(CaptureError) -> [UInt8] {
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            // The size of a pipe is unknown, so the limit applies to what is read.
            let data = try file.read(upToCount: mostBytes + 1) ?? Data()
            guard data.count <= mostBytes else { throw CaptureError.tooLarge(limit: mostBytes) }
            return Array(data)
        } catch let error as CaptureError {
            throw error
        } catch {
            throw .unreadable(reasonText(error))
        }
    }
}
