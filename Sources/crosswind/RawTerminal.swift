import Foundation
import Lab
import Synchronization

/// The terminal in the state for a live screen: keys arrive at once and without echo, on a second screen without cursor.
/// Ctrl-C and Ctrl-Z still send signals.
enum RawTerminal {
    /// The settings to restore; nil while the terminal is as it was.
    private static let saved = Mutex<termios?>(nil)

    /// Returns false if standard input is not a terminal.
    static func enter() -> Bool {
        guard isatty(STDIN_FILENO) == 1 else { return false }
        let isEntered = saved.withLock { saved -> Bool in
            guard saved == nil else { return true }
            var settings = termios()
            guard unsafe tcgetattr(STDIN_FILENO, &settings) == 0 else { return false }
            var raw = settings
            raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
            guard unsafe tcsetattr(STDIN_FILENO, TCSANOW, &raw) == 0 else { return false }
            saved = settings
            return true
        }
        // Second screen, no cursor, no wrapping of a line whose width this program and the terminal count differently.
        if isEntered { write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J") }
        return isEntered
    }

    /// Writes without regard to errors: a terminal that was closed has sent SIGHUP, which ends the screen.
    static func write(_ text: String) { try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8)) }

    /// Returns the bytes of the next keys, and none when the terminal was closed. Blocks.
    static func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 256)
        while true {
            let count = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Foundation.read(STDIN_FILENO, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            return Array(bytes.prefix(max(0, count)))
        }
    }

    /// Restores the terminal; does nothing if it is as it was.
    static func leave() {
        saved.withLock { saved in
            guard var settings = saved else { return }
            write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
            _ = unsafe tcsetattr(STDIN_FILENO, TCSANOW, &settings)
            saved = nil
        }
    }
}
