import Foundation
import Glibc

/// The record of all processes of the kill sweep: one line for each thing that a client knows. A line is one write(2)
/// with O_APPEND, which a killed process has made completely or not at all.
struct SweepLedger: Sendable {
    enum Entry: Hashable, Sendable {
        /// The client is about to create the task.
        case intends
        /// The creation has returned without an error.
        case accepted
        case cancelled
        /// The delegate received the file of a download, with these bytes or others.
        case file(isRight: Bool)
        /// The delegate received the end of the task: 0 or the code of the error.
        case completed(code: Int)
    }

    struct Line: Sendable {
        var client: String
        var task: Int
        var entry: Entry
    }

    private let path: String
    private let descriptor: CInt

    init(_ folder: String) {
        path = folder + "/ledger"
        descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }

    func write(_ client: String, _ task: Int, _ entry: Entry) {
        let word =
            switch entry {
            case .intends: "intends"
            case .accepted: "accepted"
            case .cancelled: "cancelled"
            case .file(let isRight): isRight ? "file" : "wrong-file"
            case .completed(let code): "completed \(code)"
            }
        let line = Array("\(client) \(task) \(word)\n".utf8)
        let count = unsafe line.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        precondition(count == line.count, "cannot write the ledger \(path)")
    }

    func lines() -> [Line] {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            let words = line.split(separator: " ")
            guard words.count >= 3, let task = Int(words[1]) else { return nil }
            let entry: Entry? =
                switch words[2] {
                case "intends": .intends
                case "accepted": .accepted
                case "cancelled": .cancelled
                case "file": .file(isRight: true)
                case "wrong-file": .file(isRight: false)
                case "completed": words.count > 3 ? Int(words[3]).map { .completed(code: $0) } : nil
                default: nil
                }
            return entry.map { Line(client: String(words[0]), task: task, entry: $0) }
        }
    }
}
