import Foundation
package import LinkEmulator
package import Record
import Synchronization

/// The place of a packet decision: one direction of one interface.
package struct LinkDirectionKey: Hashable, Sendable {
    package var interface: InterfaceKind
    package var direction: LinkDirectionName
    package init(_ interface: InterfaceKind, _ direction: LinkDirectionName) {
        self.interface = interface
        self.direction = direction
    }
}

/// All decisions of the emulator about the packets of a run, one per line (`wifi downlink 17 lost`), for `crosswind
/// replay`. Packets delivered unchanged are omitted.
package final class DecisionLog: Sendable {
    private struct State {
        var file: FileHandle?
        var pending: [UInt8] = []
        var failure: String?
    }

    private static let firstLine = "crosswind decisions 2"
    private static let flushSize = 64 * 1024

    private let state: Mutex<State>
    package let path: String

    /// Returns the name of the log that belongs to a record: `record-2.jsonl` → `decisions-2.txt`.
    package static func name(beside record: String) -> String {
        "decisions" + record.dropFirst("record".count).dropLast(".jsonl".count) + ".txt"
    }

    package static func create(at path: String) throws(LabError) -> DecisionLog {
        do {
            let file = try EvidenceFile.create(at: path, replacing: true)
            try file.write(contentsOf: Data((firstLine + "\n").utf8))
            return DecisionLog(file: file, path: path)
        } catch {
            throw .cannotWrite(path: path, reason: reasonText(error))
        }
    }

    private init(file: FileHandle, path: String) {
        self.path = path
        state = Mutex(State(file: file))
    }

    func record(_ decision: PacketDecision, at place: LinkDirectionKey) {
        let line = "\(place.interface.rawValue) \(place.direction.rawValue) \(decision.line)\n"
        state.withLock { state in
            state.pending += Array(line.utf8)
            if state.pending.count >= DecisionLog.flushSize { DecisionLog.flush(&state) }
        }
    }

    private static func flush(_ state: inout State) {
        guard let file = state.file, state.failure == nil, !state.pending.isEmpty else { return }
        do { try file.write(contentsOf: state.pending) } catch { state.failure = reasonText(error) }
        state.pending.removeAll(keepingCapacity: true)
    }

    package func close() {
        state.withLock { state in
            DecisionLog.flush(&state)
            do { try state.file?.close() } catch { state.failure = state.failure ?? reasonText(error) }
            state.file = nil
        }
    }

    /// The reason why the file is incomplete, if it is.
    package var failure: String? { state.withLock { $0.failure } }

    /// Reads a log; errors include the line number.
    package static func read(_ path: String) throws(LabError) -> PacketDecisions {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw .unusableEvidence(path: path, reason: "it cannot be read")
        }
        var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.first.map(String.init) == firstLine else {
            throw .unusableEvidence(path: path, reason: "it does not begin with `\(firstLine)`")
        }
        // The last line was incomplete when the run was cut short.
        lines.removeLast()
        var decisions: [LinkDirectionKey: [PacketDecision]] = [:]
        for (number, line) in zip(1..., lines).dropFirst() {
            let words = line.split(separator: " ", maxSplits: 2)
            guard words.count == 3, let interface = InterfaceKind(rawValue: String(words[0])),
                let direction = LinkDirectionName(rawValue: String(words[1]))
            else {
                throw .unusableEvidence(path: path, reason: "line \(number) does not name an interface and a direction")
            }
            do throws(PacketDecisionError) {
                decisions[LinkDirectionKey(interface, direction), default: []].append(
                    try PacketDecision.parse(line: words[2], number: number))
            } catch {
                throw .unusableEvidence(path: path, reason: "\(error)")
            }
        }
        return PacketDecisions(
            places: decisions.mapValues { ReplayedDecisions($0) }, count: decisions.values.map(\.count).reduce(0, +))
    }
}
