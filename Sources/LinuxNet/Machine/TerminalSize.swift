import Glibc

/// Rows and columns of a terminal (tty_ioctl(4)).
package enum TerminalSize {
    /// nil when `descriptor` is none.
    package static func of(_ descriptor: CInt) -> (rows: Int, columns: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else { return nil }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}
