import Foundation
import Glibc
import LinkEmulator
import NetworkMonitor
import Record
import Synchronization

/// The packet capture of a run in pcapng format, written while packets pass.
package final class Capture: Sendable {
    private struct State {
        var file: FileHandle?
        var pending: [UInt8] = []
        var secrets = ""
        var failure: String?
    }

    private let state: Mutex<State>
    package let path: String
    /// The difference between the time of day, which capture files use, and the monotonic clock.
    private let clockOffset: Int64
    private let header: [UInt8]
    private static let flushSize = 64 * 1024

    package static func create(at path: String, option: String = "--out") throws(LabError) -> Capture {
        do {
            return Capture(file: try EvidenceFile.create(at: path, replacing: true), path: path)
        } catch {
            throw .cannotWrite(path: path, reason: reasonText(error), option: option)
        }
    }

    private init(file: FileHandle, path: String) {
        self.path = path
        clockOffset = Int64(Date().timeIntervalSince1970 * 1e9) - MonotonicClock.now()
        var header = PcapngBlocks.sectionHeader(application: "crosswind")
        for kind in InterfaceKind.allCases { header += PcapngBlocks.interface(name: kind.linuxName) }
        self.header = header
        state = Mutex(State(file: file, pending: header))
    }

    /// Records a layer 3 packet as seen by the client's interface; `time` is the run's monotonic clock.
    func packet(
        _ packet: Span<UInt8>, interface: InterfaceKind, direction: LinkDirectionName, at time: Int64, comment: String?
    ) {
        let number = UInt32(InterfaceKind.allCases.firstIndex(of: interface) ?? 0)
        let block = PcapngBlocks.packet(
            packet, interface: number, nanoseconds: UInt64(time + clockOffset),
            flow: direction == .uplink ? .outbound : .inbound,
            comment: comment)
        append(block)
    }

    /// Adds a key-log line, with which Wireshark decrypts the TLS connections of the capture. Secrets must precede the
    /// packets they decrypt, but some are known only later, so they are inserted when the capture is complete.
    package func secret(_ line: String) { state.withLock { $0.secrets += line + "\n" } }

    private func append(_ block: [UInt8]) {
        state.withLock { state in
            state.pending += block
            if state.pending.count >= Capture.flushSize { Capture.flush(&state) }
        }
    }

    private static func flush(_ state: inout State) {
        guard let file = state.file, state.failure == nil, !state.pending.isEmpty else { return }
        do { try file.write(contentsOf: state.pending) } catch { state.failure = reasonText(error) }
        state.pending.removeAll(keepingCapacity: true)
    }

    /// Completes the file, or deletes it when it is not to be kept.
    package func close(keep: Bool) {
        state.withLock { state in
            if keep { Capture.flush(&state) }
            do { try state.file?.close() } catch { state.failure = state.failure ?? reasonText(error) }
            state.file = nil
        }
        if keep { insertSecrets() } else { try? FileManager.default.removeItem(atPath: path) }
    }

    private func insertSecrets() {
        let secrets = state.withLock { $0.failure == nil ? $0.secrets : "" }
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        // What a pipe has taken cannot be changed.
        guard !secrets.isEmpty, attributes?[.type] as? FileAttributeType == .typeRegular else { return }
        let part = path + ".part"
        do {
            let packets = try Data(contentsOf: URL(fileURLWithPath: path)).dropFirst(header.count)
            let file = try EvidenceFile.create(at: part, replacing: true)
            defer { try? file.close() }
            try file.write(contentsOf: Data(header + PcapngBlocks.decryptionSecrets(keyLog: secrets)) + packets)
            if unsafe rename(part, path) < 0 { throw EvidenceFile.Problem.ofSystem() }
        } catch {
            try? FileManager.default.removeItem(atPath: part)
            state.withLock { $0.failure = reasonText(error) }
        }
    }

    package var failure: String? { state.withLock { $0.failure } }
}
