import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// The authentication of a task as a value: the server's fields are inputs, actions are outputs.
struct SessionAuthenticationTests {
    static let url = URL(string: "http://h.test/private/a")!
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let basic: HeaderFields = ["WWW-Authenticate": #"Basic realm="lab""#]
    let ann = URLCredential(user: "ann", password: "pw", persistence: .forSession)
    let wrong = URLCredential(user: "ann", password: "wrong", persistence: .forSession)

    func session(_ change: (inout AuthenticationPolicy) -> Void = { _ in }) -> SessionAuthentication {
        var policy = AuthenticationPolicy()
        change(&policy)
        return SessionAuthentication(policy: policy) { [UInt8](repeating: 7, count: $0) }
    }

    func request(_ url: URL = url, hasOwnField: Bool = false) -> AuthenticatedRequest {
        AuthenticatedRequest(url: url, method: "GET", target: url.path, hasOwnField: hasOwnField)
    }

    func question(_ action: AuthenticationAction) throws -> ChallengeRequest {
        guard case .callDelegate(let question) = action else { throw Unexpected(action: "\(action)") }
        return question
    }

    func isSend(_ action: AuthenticationAction, on connection: Int? = nil) -> Bool {
        if case .send(connection) = action { return true }
        return false
    }

    func isDeliver(_ action: AuthenticationAction) -> Bool {
        if case .deliver = action { return true }
        return false
    }

    struct Unexpected: Error { var action: String }

    /// Advances a new task to the call of the delegate.
    func decide(
        _ session: inout SessionAuthentication, _ task: inout RequestAuthentication, _ fields: HeaderFields = basic,
        _ url: URL = url
    ) throws -> ChallengeRequest {
        guard case .lookUp = session.refused(&task, fields: fields, url: url, connection: 1) else {
            throw Unexpected(action: "no look-up")
        }
        return try question(session.stored(&task, nil, url: url))
    }

    @Test func `Basic credentials are requested from the delegate, sent, stored, and sent preemptively the next time`()
        throws
    {
        var session = session()
        var task = RequestAuthentication()
        #expect(session.field(&task, request(), connection: 1, now: Self.now) == nil)
        let question = try decide(&session, &task)
        #expect(!question.isSessionWide && question.previousFailures == 0 && question.proposed == nil)
        #expect(
            question.space.realm == "lab" && question.space.authenticationMethod == NSURLAuthenticationMethodHTTPBasic)
        #expect(isSend(session.didDecide(&task, .use(ann), url: Self.url)))
        #expect(session.field(&task, request(), connection: 1, now: Self.now)?.value == "Basic YW5uOnB3")
        let stored = session.accepted(&task, fields: [:], url: Self.url, connection: 1).store
        #expect(stored?.credential.user == "ann")
        var second = RequestAuthentication()
        #expect(session.field(&second, request(), connection: 1, now: Self.now)?.name == "Authorization")
        for (url, known) in [
            ("http://h.test/private/sub/b", true), ("http://h.test/open", false), ("https://h.test/private/a", false),
            ("http://o.test/private/a", false), ("http://h.test:81/private/a", false),
        ] {
            var task = RequestAuthentication()
            let field = session.field(&task, request(try #require(URL(string: url))), connection: 1, now: Self.now)
            #expect((field != nil) == known, "\(url)")
        }
        var third = RequestAuthentication()
        #expect(session.field(&third, request(hasOwnField: true), connection: 1, now: Self.now) == nil)
    }

    @Test func `a credential with persistence none is used for its request only`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task)
        _ = session.didDecide(
            &task, .use(URLCredential(user: "ann", password: "pw", persistence: .none)), url: Self.url)
        #expect(session.field(&task, request(), connection: 1, now: Self.now) != nil)
        #expect(session.accepted(&task, fields: [:], url: Self.url, connection: 1).store == nil)
        var second = RequestAuthentication()
        #expect(session.field(&second, request(), connection: 1, now: Self.now) == nil)
        _ = try decide(&session, &second)
    }

    @Test func `a refused credential is proposed again with the failure count and the storage is queried once`()
        throws
    {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task)
        for failures in 1...3 {
            #expect(isSend(session.didDecide(&task, .use(wrong), url: Self.url)))
            _ = session.field(&task, request(), connection: 1, now: Self.now)
            let again = try question(session.refused(&task, fields: Self.basic, url: Self.url, connection: 1))
            #expect(again.previousFailures == failures)
            #expect(again.proposed?.password == "wrong")
        }
    }

    @Test func `a stored credential is used without the delegate, and proposed to it when refused`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = session.refused(&task, fields: Self.basic, url: Self.url, connection: 1)
        #expect(isSend(session.stored(&task, wrong, url: Self.url)))
        _ = session.field(&task, request(), connection: 1, now: Self.now)
        let question = try question(session.refused(&task, fields: Self.basic, url: Self.url, connection: 1))
        #expect(question.previousFailures == 1 && question.proposed?.password == "wrong")
    }

    @Test func `a known credential that is refused is removed`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task)
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        _ = session.field(&task, request(), connection: 1, now: Self.now)
        _ = session.accepted(&task, fields: [:], url: Self.url, connection: 1)
        var second = RequestAuthentication()
        #expect(session.field(&second, request(), connection: 1, now: Self.now) != nil)
        guard case .lookUp = session.refused(&second, fields: Self.basic, url: Self.url, connection: 1) else {
            throw Unexpected(action: "")
        }
        #expect(second.failures == 1)
        var third = RequestAuthentication()
        #expect(session.field(&third, request(), connection: 1, now: Self.now) == nil)
    }

    @Test func `default handling, nil and an unusable credential deliver the response, and cancel cancels`() throws {
        for response: ChallengeDecision in [
            .performDefaultHandling, .use(nil), .rejectProtectionSpace,
            .use(URLCredential(user: "a:b", password: "", persistence: .none)),
        ] {
            var session = session()
            var task = RequestAuthentication()
            _ = try decide(&session, &task)
            #expect(isDeliver(session.didDecide(&task, response, url: Self.url)))
        }
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task)
        guard case .cancel = session.didDecide(&task, .cancel, url: Self.url) else { throw Unexpected(action: "") }
    }

    @Test func `the strongest scheme is tried first and a rejected protection space leads to the next`() throws {
        var session = session()
        var task = RequestAuthentication()
        let fields: HeaderFields = [
            "WWW-Authenticate": #"Newauth x=1, Basic realm="b", Digest realm="d", nonce="n", qop="auth""#,
            "www-authenticate": "NTLM",
        ]
        let first = try decide(&session, &task, fields)
        #expect(first.space.authenticationMethod == NSURLAuthenticationMethodNTLM && first.isSessionWide)
        for method in [NSURLAuthenticationMethodHTTPDigest, NSURLAuthenticationMethodHTTPBasic] {
            guard case .lookUp = session.didDecide(&task, .rejectProtectionSpace, url: Self.url) else {
                throw Unexpected(action: method)
            }
            let next = try question(session.stored(&task, nil, url: Self.url))
            #expect(next.space.authenticationMethod == method && !next.isSessionWide)
        }
        #expect(isDeliver(session.didDecide(&task, .rejectProtectionSpace, url: Self.url)))
    }

    @Test(arguments: [
        [:], ["WWW-Authenticate": "Bearer realm=x"], ["WWW-Authenticate": "Digest realm=x"],
        ["Proxy-Authenticate": "Basic realm=x"],
    ])
    func `a 401 with an unsupported challenge is the response`(fields: [String: String]) {
        var session = session()
        var task = RequestAuthentication()
        #expect(
            isDeliver(session.refused(&task, fields: HeaderFields(dictionary: fields), url: Self.url, connection: 1)))
    }

    @Test func `a proxy has a separate authentication state`() throws {
        var session = session()
        var task = RequestAuthentication(
            side: .proxy(host: "proxy.test", port: 3128, type: NSURLProtectionSpaceHTTPProxy))
        let question = try decide(
            &session, &task, ["Proxy-Authenticate": "Basic realm=p", "WWW-Authenticate": "Basic realm=o"])
        #expect(question.space.isProxy() && question.space.host == "proxy.test" && question.space.realm == "p")
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        #expect(session.field(&task, request(), connection: 1, now: Self.now)?.name == "Proxy-Authorization")
        _ = session.accepted(&task, fields: [:], url: Self.url, connection: 1)
        var server = RequestAuthentication()
        #expect(session.field(&server, request(), connection: 1, now: Self.now) == nil)
        var other = RequestAuthentication(side: task.side)
        let elsewhere = try #require(URL(string: "http://o.test/"))
        #expect(session.field(&other, request(elsewhere), connection: 1, now: Self.now) != nil)
    }

    @Test func `a redirect to another origin does not carry the credentials`() throws {
        var session = session()
        var task = RequestAuthentication()
        _ = try decide(&session, &task)
        _ = session.didDecide(&task, .use(ann), url: Self.url)
        _ = session.field(&task, request(), connection: 1, now: Self.now)
        _ = session.accepted(&task, fields: [:], url: Self.url, connection: 1)
        #expect(
            session.field(
                &task, request(try #require(URL(string: "http://o.test/private/a"))), connection: 1, now: Self.now)
                == nil)
    }

    @Test func `the user in the URL is tried before the delegate`() throws {
        let url = try #require(URL(string: "http://ann:p%40w@h.test/private/a"))
        var session = session()
        var task = RequestAuthentication()
        #expect(isSend(session.refused(&task, fields: Self.basic, url: url, connection: 1)))
        #expect(session.field(&task, request(url), connection: 1, now: Self.now)?.value == "Basic YW5uOnBAdw==")
    }

    @Test func `each policy changes the behaviour that it describes`() throws {
        var quiet = session { $0.usesStoredCredentials = false }
        var task = RequestAuthentication()
        _ = try question(quiet.refused(&task, fields: Self.basic, url: Self.url, connection: 1))

        var none = session { $0.schemes = [.digest] }
        task = RequestAuthentication()
        #expect(isDeliver(none.refused(&task, fields: Self.basic, url: Self.url, connection: 1)))

        var wide = session { $0.sessionWide = [.basic] }
        task = RequestAuthentication()
        #expect(try decide(&wide, &task).isSessionWide)

        var asking = session { $0.renewsStaleNonces = false }
        task = RequestAuthentication()
        _ = try decide(&asking, &task, Self.digest("n1"))
        _ = asking.didDecide(&task, .use(ann), url: Self.url)
        _ = asking.field(&task, request(), connection: 1, now: Self.now)
        _ = try question(asking.refused(&task, fields: Self.digest("n2", ", stale=true"), url: Self.url, connection: 1))

        var limited = session()
        task = RequestAuthentication()
        _ = try decide(&limited, &task)
        for failures in 1...SessionAuthentication.failureLimit {
            _ = limited.didDecide(&task, .use(wrong), url: Self.url)
            _ = limited.field(&task, request(), connection: 1, now: Self.now)
            if failures == SessionAuthentication.failureLimit { break }
            _ = try question(limited.refused(&task, fields: Self.basic, url: Self.url, connection: 1))
        }
        #expect(isDeliver(limited.refused(&task, fields: Self.basic, url: Self.url, connection: 1)))
    }

    /// Authenticates a first task with `credential`; returns the authentication field of a second request to `url`.
    func second(
        _ session: inout SessionAuthentication, _ fields: HeaderFields, _ credential: URLCredential, _ url: URL = url,
        information: HeaderFields = [:]
    ) throws -> String? {
        var task = RequestAuthentication()
        _ = try decide(&session, &task, fields)
        _ = session.didDecide(&task, .use(credential), url: Self.url)
        _ = session.field(&task, request(), connection: 1, now: Self.now)
        _ = session.accepted(&task, fields: information, url: Self.url, connection: 1)
        var next = RequestAuthentication()
        return session.field(&next, request(url), connection: 1, now: Self.now)?.value
    }

    @Test func `each policy for storing and sending credentials changes the behaviour that it describes`() throws {
        var keeping = session { $0.storesByPersistence = false }
        let fleeting = URLCredential(user: "ann", password: "pw", persistence: .none)
        #expect(try second(&keeping, Self.basic, fleeting) != nil)

        let outside = try #require(URL(string: "http://h.test/open"))
        var wide = session { $0.limitsBasicToPath = false }
        #expect(try second(&wide, Self.basic, ann, outside) != nil)
        var narrow = session()
        #expect(try second(&narrow, Self.basic, ann, outside) == nil)

        let next: HeaderFields = ["Authentication-Info": #"nextnonce="n2""#]
        var new = session()
        #expect(try second(&new, Self.digest("n1"), ann, information: next)?.contains("nonce=\"n2\"") == true)

        var hidden = session()
        #expect(try second(&hidden, Self.digest("n", ", userhash=true"), ann)?.contains("userhash=true") == true)

        let both: HeaderFields = ["WWW-Authenticate": #"Digest realm="lab", nonce="n", qop="auth,auth-int""#]
        var plain = session()
        #expect(try second(&plain, both, ann)?.contains("qop=auth,") == true)
    }
}
