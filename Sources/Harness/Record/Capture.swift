import Foundation
import LinkEmulator
import LinuxNet
import Scenario
import Synchronization

/// The packet capture of one run, in pcapng, written as packets pass.
package final class Capture: Sendable {
    private struct State {
        var file: FileHandle?
        var pending: [UInt8] = []
        var failure: String?
    }

    private let state: Mutex<State>
    package let path: String
    /// What to add to the monotonic clock to get the time of day that capture files carry.
    private let clockOffset: Int64
    private static let flushSize = 64 * 1024

    package static func create(at path: String) throws(HarnessError) -> Capture {
        let url = URL(fileURLWithPath: path)
        do {
            try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: url)
            return Capture(file: try FileHandle(forWritingTo: url), path: path)
        } catch {
            throw .cannotWrite(path: path, reason: reasonText(error))
        }
    }

    private init(file: FileHandle, path: String) {
        self.path = path
        clockOffset = Int64(Date().timeIntervalSince1970 * 1e9) - MonotonicClock.now()
        var header = PcapngBlocks.sectionHeader(application: "crosswind")
        for kind in InterfaceKind.allCases { header += PcapngBlocks.interface(name: kind.linuxName) }
        state = Mutex(State(file: file, pending: header))
    }

    /// Notes one layer-3 packet as the client's interface saw it; `time` is the run's monotonic clock.
    func packet(
        _ packet: Span<UInt8>, interface: InterfaceKind, direction: LinkDirectionName, at time: Int64, comment: String?
    ) {
        let number = UInt32(InterfaceKind.allCases.firstIndex(of: interface) ?? 0)
        let block = PcapngBlocks.packet(
            packet, interface: number, nanoseconds: UInt64(time + clockOffset), flow: direction == .up ? .outbound : .inbound,
            comment: comment)
        append(block)
    }

    /// Key-log lines, so that Wireshark opens the TLS connections of the capture.
    package func secret(_ line: String) { append(PcapngBlocks.decryptionSecrets(keyLog: line + "\n")) }

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

    /// Completes the file, or removes it when nobody wants it.
    package func close(keep: Bool) {
        state.withLock { state in
            if keep { Capture.flush(&state) }
            do { try state.file?.close() } catch { state.failure = state.failure ?? reasonText(error) }
            state.file = nil
        }
        if !keep { try? FileManager.default.removeItem(atPath: path) }
    }

    package var failure: String? { state.withLock { $0.failure } }
}
