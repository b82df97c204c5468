/// Derives the response bytes that the client's kernel has acknowledged from the acknowledged bytes of the connection.
/// TLS and HTTP/2 change the number of bytes, so each entry stores the bytes written to the socket at the time when the
/// kernel accepted a body up to a position.
struct Acknowledgements {
    private struct Waiting {
        var request: Int
        var bytes: Int64
        /// Bytes from the start of the connection.
        var position: Int64
    }
    private var waiting: [Waiting] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// The positions that are not acknowledged yet.
    var breakpoints: [OriginState.Breakpoint] {
        waiting.map { OriginState.Breakpoint(request: $0.request, bytes: $0.bytes) }
    }

    /// Registers that the kernel has accepted a response's body up to `bytes`, within the first `position` bytes of the
    /// connection.
    mutating func expect(request: Int, bytes: Int64, by position: Int64) {
        waiting.append(Waiting(request: request, bytes: bytes, position: position))
    }

    /// Takes the number of acknowledged bytes of the connection; returns the newly acknowledged bytes of each response,
    /// in order.
    mutating func acknowledge(_ acknowledged: Int64) -> [(request: Int, bytes: Int64)] {
        var found: [(request: Int, bytes: Int64)] = []
        waiting.removeAll { place in
            guard place.position <= acknowledged else { return false }
            if let known = found.firstIndex(where: { $0.request == place.request }) {
                found[known].bytes = max(found[known].bytes, place.bytes)
            } else {
                found.append((place.request, place.bytes))
            }
            return true
        }
        return found
    }
}
