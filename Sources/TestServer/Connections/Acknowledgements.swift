import Scenario

/// Which bytes of which responses the client's kernel has, from how much of the connection it has acknowledged. TLS and HTTP/2 make
/// of body bytes other ones, so what counts is how much had gone to the socket when the kernel had taken a body this far.
struct Acknowledgements {
    private struct Waiting {
        var request: Int
        var bytes: Int64
        /// Bytes of the connection, from its first.
        var position: Int64
    }
    private var waiting: [Waiting] = []

    var isEmpty: Bool { waiting.isEmpty }

    /// The places that are not acknowledged yet.
    var breakpoints: [OriginState.Breakpoint] {
        waiting.map { OriginState.Breakpoint(request: $0.request, bytes: $0.bytes) }
    }

    /// The kernel has taken a response's body up to `bytes`, and no more than `position` bytes of the connection.
    mutating func expect(request: Int, bytes: Int64, by position: Int64) {
        waiting.append(Waiting(request: request, bytes: bytes, position: position))
    }

    /// The peer has acknowledged so many bytes of the connection; what is new of each response, in order.
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
