import Foundation
import Synchronization

/// The log of the daemon: lines with the time, in a file of limited length, on standard error, and for programs that
/// watch.
package final class DaemonLog: Sendable {
    private struct State {
        var handle: FileHandle?
        var length: UInt64 = 0
        var watchers: [Int: @Sendable (String) -> Void] = [:]
        var next = 0
    }

    /// A longer file is renamed and a new one begun.
    private static let longest: UInt64 = 1 << 20

    private let path: String
    private let state = Mutex(State())

    /// Appends to the file at `path`; without it the log is on standard error only.
    package init(path: String) {
        self.path = path
        open()
    }

    private func open() {
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        state.withLock { state in
            state.handle = FileHandle(forWritingAtPath: path)
            state.length = (try? state.handle?.seekToEnd()) ?? 0
        }
    }

    package func write(_ text: String) {
        let line = Date().formatted(.iso8601) + " " + text.replacingOccurrences(of: "\n", with: " ")
        let bytes = Data((line + "\n").utf8)
        try? FileHandle.standardError.write(contentsOf: bytes)
        let (isLong, watchers) = state.withLock { state in
            // A full disk must not stop the daemon.
            try? state.handle?.write(contentsOf: bytes)
            state.length += UInt64(bytes.count)
            return (state.length > Self.longest, state.watchers.values)
        }
        for watcher in watchers { watcher(line) }
        guard isLong else { return }
        try? FileManager.default.removeItem(atPath: path + ".old")
        try? FileManager.default.moveItem(atPath: path, toPath: path + ".old")
        open()
    }

    /// Passes later lines to `watcher`; returns the number with which to end that.
    func watch(_ watcher: @escaping @Sendable (String) -> Void) -> Int {
        state.withLock { state in
            state.next += 1
            state.watchers[state.next] = watcher
            return state.next
        }
    }

    func endWatch(_ number: Int) { state.withLock { $0.watchers[number] = nil } }
}
