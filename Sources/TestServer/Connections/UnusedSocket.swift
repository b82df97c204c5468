import Glibc

/// Ends a descriptor that nobody came to adopt.
enum UnusedSocket {
    static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }
}
