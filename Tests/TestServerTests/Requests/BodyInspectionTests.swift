import AdapterProtocol
import GeneratedBodies
import NIOCore
import OpenSSLTLS
import ScenarioLanguage
import Testing

@testable import TestServer

/// An upload is compared byte by byte while it arrives, in any pieces; the expectations come from `PatternBody` itself.
struct BodyInspectionTests {
    private func inspect(_ bytes: [UInt8], pieces: Int, echoes: Bool = false) -> BodyInspection {
        var inspection = BodyInspection(path: "/up", echoes: echoes)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            inspection.update(ByteBuffer(bytes: bytes[start..<min(start + pieces, bytes.count)]))
        }
        return inspection
    }

    private let pattern = PatternBody.bytes(key: PatternBody.key(path: "/up", version: 1), from: 0, count: 5_000)

    @Test(arguments: [1, 7, 64, 5_000])
    func `a body that follows the pattern passes and one wrong byte is located`(pieces: Int) {
        #expect(inspect(pattern, pieces: pieces).differsAt == nil)
        var wrong = pattern
        wrong[4_321] ^= 1
        #expect(inspect(wrong, pieces: pieces).differsAt == 4_321)
        #expect(inspect(Array(pattern.dropFirst()), pieces: pieces).differsAt != nil)
        #expect(inspect(pattern, pieces: pieces).count == 5_000)
    }

    @Test func `a body that a redirect led here may follow the pattern of its first path`() {
        func differsAt(_ body: [UInt8], path: String) -> Int64? {
            let head = RequestHead(method: "PUT", target: path, minorVersion: 1, headers: [], body: .none)
            var inspection = BodyInspection(of: head, echoes: false, redirects: ["/from", "/up"])
            for byte in body { inspection.update(ByteBuffer(bytes: [byte])) }
            return inspection.differsAt
        }
        #expect(differsAt(pattern, path: "/sink") == nil)
        #expect(differsAt(pattern, path: "/up") == nil)
        var wrong = pattern
        wrong[4_321] ^= 1
        #expect(differsAt(wrong, path: "/up") == 4_321)
        #expect(differsAt(wrong, path: "/sink") != nil)
    }

    @Test func `a short text is kept and not compared`() {
        let inspection = inspect(Array("hällo\n".utf8), pieces: 2)
        #expect(inspection.text == "hällo\n")
        #expect(inspection.differsAt == nil)
        #expect(inspect([], pieces: 1).text == nil)
    }

    @Test func `a text of more than 4 KiB and bytes that are not text are not kept`() {
        #expect(inspect(Array(repeating: 0x61, count: 4_097), pieces: 100).text == nil)
        #expect(inspect(Array(repeating: 0x61, count: 4_096), pieces: 100).text?.utf8.count == 4_096)
        #expect(inspect([0x61, 0xFF], pieces: 1).text == nil)
        #expect(inspect([0x61, 0x00], pieces: 1).text == nil)
    }

    /// RFC 7616 §3.4.3: auth-int covers H(entity-body), so the digest must cover every byte, in whatever pieces they
    /// came.
    @Test(arguments: [("MD5", DigestAlgorithm.md5), ("SHA-256-sess", .sha256), ("SHA-512-256", .sha512t256)])
    func `a head with auth-int credentials gives a digest of the body`(name: String, algorithm: DigestAlgorithm) {
        for field in ["Authorization", "Proxy-Authorization"] {
            let head = RequestHead(
                method: "POST", target: "/up",
                headers: [HeaderField(field, "Digest username=\"u\", algorithm=\(name), qop=auth-int, nc=00000001")])
            var inspection = BodyInspection(of: head, echoes: false)
            for start in stride(from: 0, to: pattern.count, by: 613) {
                inspection.update(ByteBuffer(bytes: pattern[start..<min(start + 613, pattern.count)]))
            }
            #expect(inspection.digest?.algorithm == algorithm)
            #expect(inspection.digest?.value == Digests.digest(pattern, algorithm))
            #expect(inspection.differsAt == nil && inspection.count == 5_000)
        }
        let head = RequestHead(
            method: "GET", target: "/", headers: [HeaderField("Authorization", "Digest qop=auth-int")])
        let empty = BodyInspection(of: head, echoes: false)
        #expect(
            empty.digest?.value == Digests.digest([], .md5),
            "the default algorithm is MD5, also for an empty body")
    }

    @Test(
        arguments: [
            nil, "Digest username=\"u\", algorithm=MD5, qop=auth", "Digest username=\"u\", algorithm=MD5", "Basic dTpw",
            "Digest username=\"u\", algorithm=SHA-1, qop=auth-int", "Bearer qop=auth-int",
        ] as [String?])
    func `any other head gives no digest`(credentials: String?) {
        let headers = credentials.map { [HeaderField("Authorization", $0)] } ?? []
        var inspection = BodyInspection(of: RequestHead(method: "POST", target: "/up", headers: headers), echoes: false)
        inspection.update(ByteBuffer(bytes: pattern))
        #expect(inspection.digest == nil)
    }
}
