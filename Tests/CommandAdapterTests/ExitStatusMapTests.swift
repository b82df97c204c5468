import AdapterProtocol
import Testing

@testable import CommandAdapter

/// Statuses that only one program has, so that a map of another program would give `other`.
@Suite struct ExitStatusMapTests {
    @Test(
        arguments: [
            ("curl", 6, "", ExitMeaning.failure(.nameResolution)), ("curl", 7, "", .failure(.refused)),
            ("curl", 7, "Immediate connect fail: Network is unreachable", .failure(.offline)),
            ("curl", 18, "", .failure(.truncated)), ("curl", 22, "", .errorResponse),
            ("curl", 28, "", .failure(.timedOut)),
            ("curl", 1, "curl: (1) Received HTTP/0.9 when not allowed", .failure(.malformedResponse)),
            ("curl", 1, "curl: (1) Protocol \"gopher\" not supported or disabled in libcurl", .failure(.other)),
            ("curl", 56, "Recv failure: Connection reset by peer", .failure(.lost)),
            ("curl", 56, "Illegal or missing hexadecimal sequence in chunked-encoding", .failure(.malformedResponse)),
            ("curl", 60, "", .failure(.tlsRejected)), ("curl", 2, "", .usage), ("curl", 99, "", .failure(.other)),
            ("/usr/bin/wget", 4, "wget: unable to resolve host address 'a.test'", .failure(.nameResolution)),
            ("wget", 4, "Connecting to a.test... failed: Connection refused.", .failure(.refused)),
            ("wget", 4, "Read error at byte 5", .failure(.lost)), ("wget", 8, "", .errorResponse),
            ("wget", 5, "", .failure(.tlsRejected)), ("wget", 2, "", .usage),
            ("aria2c", 2, "", .failure(.timedOut)), ("aria2c", 19, "", .failure(.nameResolution)),
            ("aria2c", 3, "", .errorResponse), ("aria2c", 22, "", .failure(.malformedResponse)),
            ("aria2c", 22, "The response status is not successful. status=500", .errorResponse),
            ("aria2c", 1, "cause: Connection refused", .failure(.refused)),
            ("aria2c", 1, "errorCode=1 Got EOF from the server.", .failure(.truncated)),
            ("aria2c", 1, "Failed to receive data, cause: Connection reset by peer", .failure(.lost)),
            ("aria2c", 1, "errorCode=1 Bad status code: bad status-code", .failure(.malformedResponse)),
            ("aria2c", 1, "cause: A TLS fatal alert has been received.", .failure(.tlsRejected)),
            ("unknown-tool", 6, "", .failure(.other)),
        ] as [(String, Int32, String, ExitMeaning)])
    func `the statuses of known programs have their documented meanings`(
        _ program: String, _ status: Int32, _ errors: String, _ meaning: ExitMeaning
    ) throws {
        let settings = try CommandSettings(template: "\(program) {url}")
        #expect(settings.statuses.meaning(of: status, errors: errors) == meaning)
    }

    @Test func `meanings of the user precede those of a known program and its messages`() throws {
        let settings = try CommandSettings(template: "wget {url}", classes: "4=truncated, 8=usage,9=errorResponse")
        #expect(settings.statuses.meaning(of: 4, errors: "Connection refused") == .failure(.truncated))
        #expect(settings.statuses.meaning(of: 8, errors: "") == .usage)
        #expect(settings.statuses.meaning(of: 9, errors: "") == .errorResponse)
        #expect(settings.statuses.meaning(of: 5, errors: "") == .failure(.tlsRejected))
    }

    @Test(arguments: [
        ("6", CommandError.malformedClass("6")), ("a=lost", .malformedClass("a=lost")),
        ("0=lost", .malformedClass("0=lost")), ("256=lost", .malformedClass("256=lost")),
        ("6=lost=x", .malformedClass("6=lost=x")), ("6=gone", .unknownClass("gone")),
    ])
    func `a map that cannot be read is refused with its reason`(_ map: String, _ error: CommandError) {
        #expect(throws: error) { try CommandSettings(template: "t {url}", classes: map) }
    }
}
