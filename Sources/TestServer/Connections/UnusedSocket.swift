import Glibc

/// Closes a descriptor that was never adopted.
enum UnusedSocket {
    static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }
}
