import AdaptableSession
import Foundation
import FoundationNetworking
import Testing

/// The steps of the Digest, NTLM and Negotiate schemes.
extension SessionAuthenticationTests {
    static func digest(_ nonce: String, _ more: String = "") -> HeaderFields {
        ["WWW-Authenticate": #"Digest realm="lab", nonce="\#(nonce)", qop="auth", algorithm=SHA-256\#(more)"#]
    }

    @Test func `Digest counts nonce uses, renews a stale nonce automatically and uses nextnonce`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task, Self.digest("n1"))
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        func sent(_ task: inout RequestAuthentication) throws -> String {
            try #require(session.field(&task, request(), connection: 1, now: Self.now)).value
        }
        #expect(try sent(&task).contains("nc=00000001"))
        _ = session.accepted(&task, fields: [:], url: Self.url, connection: 1)
        var second = RequestAuthentication()
        let text = try sent(&second)
        #expect(text.contains("nc=00000002") && text.contains("nonce=\"n1\""))
        #expect(
            isSend(session.refused(&second, fields: Self.digest("n2", ", stale=TRUE"), url: Self.url, connection: 1)))
        let renewed = try sent(&second)
        #expect(renewed.contains("nonce=\"n2\"") && renewed.contains("nc=00000001"))
        #expect(second.failures == 0)
        _ = session.accepted(&second, fields: ["Authentication-Info": #"nextnonce="n3""#], url: Self.url, connection: 1)
        var third = RequestAuthentication()
        let next = try sent(&third)
        #expect(next.contains("nonce=\"n3\"") && next.contains("nc=00000001"))
    }

    @Test func `a server that reports every nonce as stale does not cause endless requests`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task, Self.digest("n"))
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        var requests = 0
        while requests < 50 {
            _ = session.field(&task, request(), connection: 1, now: Self.now)
            requests += 1
            guard
                isSend(
                    session.refused(
                        &task, fields: Self.digest("n\(requests)", ", stale=true"), url: Self.url, connection: 1))
            else { break }
        }
        #expect(requests == 4)
        #expect(task.failures == 1)
    }

    @Test func `the server's Authentication-Info proof is verified`() throws {
        for (proof, isProven) in [("0123", false), (nil, nil)] as [(String?, Bool?)] {
            var session = session()
            var task = RequestAuthentication()
            _ = try decide(&session, &task, Self.digest("n"))
            _ = session.didDecide(&task, .use(ann), url: Self.url)
            _ = session.field(&task, request(), connection: 1, now: Self.now)
            let fields =
                proof.map { HeaderFields(dictionary: ["Authentication-Info": "rspauth=\"\($0)\", qop=auth"]) } ?? [:]
            #expect(session.accepted(&task, fields: fields, url: Self.url, connection: 1).isServerProven == isProven)
        }
    }

    @Test func `auth-int is not used when the body cannot be hashed in advance`() {
        var session = session()
        var task = RequestAuthentication()
        let fields: HeaderFields = ["WWW-Authenticate": #"Digest realm="lab", nonce="n", qop="auth-int""#]
        #expect(isDeliver(session.refused(&task, fields: fields, url: Self.url, connection: 1, canDigestBody: false)))
        guard case .lookUp = session.refused(&task, fields: fields, url: Self.url, connection: 1) else {
            Issue.record("auth-int was not taken")
            return
        }
    }

    static let challengeToken =
        Data(
            Array("NTLMSSP\0".utf8) + [2, 0, 0, 0] + [0, 0, 0, 0, 48, 0, 0, 0] + [0x33, 0x82, 0x8A, 0xE2]
                + [UInt8](repeating: 1, count: 8)
                + [UInt8](repeating: 0, count: 8) + [4, 0, 4, 0, 48, 0, 0, 0] + [0, 0, 0, 0]
        ).base64EncodedString()

    @Test(arguments: ["NTLM", "Negotiate"])
    func `connection-based authentication stays on its connection and is not repeated there`(scheme: String) throws {
        var session = session()
        var task = RequestAuthentication()
        let bare = HeaderFields(dictionary: ["WWW-Authenticate": scheme])
        let question = try decide(&session, &task, bare)
        #expect(question.isSessionWide)
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        let first = session.field(&task, request(), connection: 5, now: Self.now)?.value
        #expect(first?.hasPrefix("\(scheme) TlRMTVNTUAABAAAA") == true)
        let challenge = HeaderFields(dictionary: ["WWW-Authenticate": "\(scheme) \(Self.challengeToken)"])
        #expect(isSend(session.refused(&task, fields: challenge, url: Self.url, connection: 5), on: 5))
        // On another connection the handshake starts again; on its own connection it continues.
        var strayed = task
        #expect(session.field(&strayed, request(), connection: 6, now: Self.now)?.value == first)
        #expect(
            session.field(&task, request(), connection: 5, now: Self.now)?.value.hasPrefix("\(scheme) TlRMTVNTUAADAAAA")
                == true)
        #expect(session.accepted(&task, fields: [:], url: Self.url, connection: 5).opensConnection)
        #expect(session.field(&task, request(), connection: 5, now: Self.now) == nil)
        #expect(session.field(&task, request(), connection: 7, now: Self.now)?.value == first)
        session.closed(connection: 5)
        #expect(session.field(&task, request(), connection: 5, now: Self.now) != nil)
    }

    @Test func `a new connection to a server that accepted NTLM before authenticates without the delegate`() throws {
        var session = session()
        var task = RequestAuthentication()
        let bare: HeaderFields = ["WWW-Authenticate": "NTLM"]
        _ = try decide(&session, &task, bare)
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        _ = session.field(&task, request(), connection: 5, now: Self.now)
        _ = session.refused(
            &task, fields: ["WWW-Authenticate": "NTLM \(Self.challengeToken)"], url: Self.url, connection: 5)
        _ = session.field(&task, request(), connection: 5, now: Self.now)
        _ = session.accepted(&task, fields: [:], url: Self.url, connection: 5)
        var second = RequestAuthentication()
        #expect(session.field(&second, request(), connection: 6, now: Self.now) == nil)
        #expect(isSend(session.refused(&second, fields: bare, url: Self.url, connection: 6)))
        #expect(session.field(&second, request(), connection: 6, now: Self.now) != nil)
    }

    @Test func `a wrong NTLM password is a failure, and a lost connection only restarts the handshake`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task, ["WWW-Authenticate": "NTLM"])
        _ = session.didDecide(&task, .use(wrong), url: Self.url)
        let challenge: HeaderFields = ["WWW-Authenticate": "NTLM \(Self.challengeToken)"]
        for connection in 1...3 {
            _ = session.field(&task, request(), connection: connection, now: Self.now)
            #expect(
                isSend(session.refused(&task, fields: challenge, url: Self.url, connection: connection), on: connection)
            )
        }
        // A fourth handshake is not started: this server never completes one.
        _ = session.field(&task, request(), connection: 4, now: Self.now)
        let question = try question(session.refused(&task, fields: challenge, url: Self.url, connection: 4))
        #expect(question.previousFailures == 1)
    }

    @Test func `an authenticated connection is pinned and shared`() throws {
        func exchange(_ session: inout SessionAuthentication, repliesOn connection: Int) throws -> (
            String?, SessionAuthentication.Acceptance
        ) {
            var task = RequestAuthentication()
            _ = try decide(&session, &task, ["WWW-Authenticate": "NTLM"])
            _ = session.didDecide(&task, .use(ann), url: Self.url)
            _ = session.field(&task, request(), connection: 5, now: Self.now)
            _ = session.refused(
                &task, fields: ["WWW-Authenticate": "NTLM \(Self.challengeToken)"], url: Self.url, connection: 5)
            let field = session.field(&task, request(), connection: connection, now: Self.now)?.value
            return (field, session.accepted(&task, fields: [:], url: Self.url, connection: connection))
        }
        var straying = session { $0.pinsConnection = false }
        #expect(try exchange(&straying, repliesOn: 6).0?.hasPrefix("NTLM TlRMTVNTUAADAAAA") == true)
        var pinning = session()
        #expect(try exchange(&pinning, repliesOn: 6).0?.hasPrefix("NTLM TlRMTVNTUAABAAAA") == true)
        var sharing = session()
        #expect(try exchange(&sharing, repliesOn: 5).1.opensConnection)
    }
}
