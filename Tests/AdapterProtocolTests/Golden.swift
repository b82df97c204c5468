import AdapterProtocol
import Foundation

/// Lines of the protocol as published: they must not change while its version stays the same.
enum Golden {
    /// Returns the lines of one file, without their ends.
    static func lines(_ name: String) throws -> [String] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Golden")
        let text = try String(contentsOf: folder.appendingPathComponent(name + ".jsonl"), encoding: .utf8)
        return text.split(separator: "\n").map(String.init)
    }

    static func text(_ line: [UInt8]) -> String { String(decoding: line, as: UTF8.self) }
}
