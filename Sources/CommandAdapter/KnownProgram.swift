import AdapterProtocol

/// A client program whose exit statuses and options are known.
struct KnownProgram: Sendable {
    var statuses: ExitStatusMap
    /// Returns the capabilities that the program has with these arguments. `about` is the output of `--version`.
    var offers: @Sendable (_ arguments: [String], _ about: String) -> Set<Capability>

    /// - Parameter path: The program as the command names it.
    static func find(_ path: String) -> KnownProgram? { all[path.split(separator: "/").last.map(String.init) ?? path] }

    private static let all = ["curl": curl, "wget": wget, "aria2c": aria2c]

    /// curl(1), EXIT CODES; libcurl-errors(3) for the causes of 1 (HTTP/0.9 refused), 52, 91 and 92.
    private static let curl = KnownProgram(
        statuses: ExitStatusMap(
            [
                1: .failure(.malformedResponse), 2: .usage, 4: .usage, 5: .failure(.nameResolution),
                6: .failure(.nameResolution), 7: .failure(.refused), 8: .failure(.malformedResponse),
                16: .failure(.malformedResponse), 18: .failure(.truncated), 22: .errorResponse,
                28: .failure(.timedOut), 35: .failure(.tlsRejected), 48: .usage, 51: .failure(.tlsRejected),
                52: .failure(.lost), 55: .failure(.lost), 56: .failure(.lost), 58: .failure(.tlsRejected),
                59: .failure(.tlsRejected), 60: .failure(.tlsRejected), 61: .failure(.malformedResponse),
                77: .failure(.tlsRejected), 83: .failure(.tlsRejected), 90: .failure(.tlsRejected),
                91: .failure(.tlsRejected), 92: .failure(.lost), 95: .failure(.lost),
            ],
            messages: [
                .init(status: 1, text: "not supported or disabled", failure: .other),
                // 56 also covers chunks that cannot be parsed and a refused tunnel.
                .init(status: 56, text: "chunk", failure: .malformedResponse),
                .init(status: 7, text: "Network is unreachable", failure: .offline),
            ])
    ) { arguments, about in
        var offers: Set<Capability> = [.systemProxy]
        if arguments.contains(where: { $0.hasPrefix("--location") || isShort("L", in: $0) }) {
            offers.insert(.followRedirects)
        }
        if arguments.contains("--compressed") { offers.insert(.contentDecoding) }
        if about.contains("HTTP2"), !arguments.contains("--http1.1"), !arguments.contains("--http1.0") {
            offers.insert(.http2)
        }
        if arguments.contains(where: { $0 == "--noproxy" || $0 == "--proxy" || isShort("x", in: $0) }) {
            offers.remove(.systemProxy)
        }
        return offers
    }

    /// Returns true if a word of short options such as `-fsSL` contains this one. The letters after an option with a
    /// value are that value.
    private static func isShort(_ option: Character, in word: String) -> Bool {
        guard word.hasPrefix("-"), !word.hasPrefix("--") else { return false }
        let withValue: Set<Character> = Set("AbcCdDeEFhHKmoPQrtTuUwxXyYz")
        for letter in word.dropFirst() {
            if letter == option { return true }
            if withValue.contains(letter) { return false }
        }
        return false
    }

    /// wget(1), EXIT STATUS. Status 4 is every network failure, so its message decides.
    private static let wget = KnownProgram(
        statuses: ExitStatusMap(
            [
                2: .usage, 4: .failure(.lost), 5: .failure(.tlsRejected), 6: .errorResponse,
                7: .failure(.malformedResponse), 8: .errorResponse,
            ],
            messages: [
                .init(status: 4, text: "unable to resolve", failure: .nameResolution),
                .init(status: 4, text: "Network is unreachable", failure: .offline),
                .init(status: 4, text: "refused", failure: .refused),
                .init(status: 4, text: "No route to host", failure: .refused),
                .init(status: 4, text: "timed out", failure: .timedOut),
                .init(status: 4, text: "SSL connection", failure: .tlsRejected),
            ])
    ) { arguments, _ in
        var offers: Set<Capability> = [.systemProxy, .followRedirects]
        if arguments.contains("--max-redirect=0") { offers.remove(.followRedirects) }
        if arguments.contains("--no-proxy") { offers.remove(.systemProxy) }
        if arguments.contains(where: { ["--compression=auto", "--compression=gzip"].contains($0) }) {
            offers.insert(.contentDecoding)
        }
        return offers
    }

    /// aria2c(1), EXIT STATUS.
    private static let aria2c = KnownProgram(
        statuses: ExitStatusMap(
            [
                2: .failure(.timedOut), 3: .errorResponse, 4: .errorResponse, 5: .failure(.timedOut),
                6: .failure(.lost), 19: .failure(.nameResolution), 22: .failure(.malformedResponse),
                24: .errorResponse, 28: .usage, 29: .errorResponse,
            ],
            messages: [
                .init(status: 6, text: "Connection refused", failure: .refused),
                .init(status: 6, text: "Network is unreachable", failure: .offline),
                .init(status: 22, text: "status is not successful", meaning: .errorResponse),
                .init(status: 1, text: "SSL/TLS handshake failure", failure: .tlsRejected),
                .init(status: 1, text: "Connection refused", failure: .refused),
                .init(status: 1, text: "No route to host", failure: .refused),
                .init(status: 1, text: "Network is unreachable", failure: .offline),
                .init(status: 1, text: "A TLS fatal alert has been received", failure: .tlsRejected),
                .init(status: 1, text: "Bad status code", failure: .malformedResponse),
                .init(status: 1, text: "Got EOF from the server", failure: .truncated),
                .init(status: 1, text: "Connection reset by peer", failure: .lost),
                .init(status: 1, text: "TLS connection was non-properly terminated", failure: .lost),
            ])
    ) { arguments, _ in
        var offers: Set<Capability> = [.systemProxy, .followRedirects]
        if arguments.contains("--http-accept-gzip=true") { offers.insert(.contentDecoding) }
        return offers
    }
}
