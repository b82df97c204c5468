import Glibc

/// The number of rows and columns of a terminal (tty_ioctl(4)).
package enum TerminalSize {
    /// Returns the size; nil if `descriptor` is not a terminal.
    package static func of(_ descriptor: CInt) -> (rows: Int, columns: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0, size.ws_col > 0 else {
            return nil
        }
        return (Int(size.ws_row), Int(size.ws_col))
    }
}
