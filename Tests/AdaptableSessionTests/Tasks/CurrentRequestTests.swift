import Foundation
import FoundationNetworking
import Testing

@_spi(Mutants) @testable import AdaptableSession

/// The consequence of each response and failure, as a value: nothing is sent.
@Suite struct CurrentRequestTests {
    private let url = URL(string: "http://a.example/")!
    private let now = Date(timeIntervalSince1970: 1_000_000)

    private func current(
        _ body: BodySource = .none, method: String = "GET", _ change: (inout SessionPolicies) -> Void = { _ in }
    ) -> CurrentRequest {
        var policies = SessionPolicies()
        change(&policies)
        var request = URLRequest(url: url)
        request.httpMethod = method
        return CurrentRequest(request, body: body, policies: policies)
    }

    private func exchange(_ status: Int, isReused: Bool = true) -> RequestFailure {
        RequestFailure(kind: .status(status), connectionWasReused: isReused, sentBytes: 100, receivedBytes: 100)
    }

    /// The name of the consequence, for comparison.
    private func name(_ consequence: CurrentRequest.Consequence) -> String {
        switch consequence {
        case .deliver: "deliver"
        case .repeat(let onFreshConnection): onFreshConnection ? "repeat on a fresh connection" : "repeat"
        case .propose(let step): "propose \(step.request.url?.absoluteString ?? "")"
        case .continueUpload: "continue the upload"
        case .serve(let entry): "serve \(entry.data.count) bytes"
        case .fail(let code, _): "fail \(code.rawValue)"
        }
    }

    @Test(arguments: [
        (200, "deliver"), (404, "deliver"), (503, "deliver"), (304, "deliver"), (401, "deliver"),
        (302, "propose http://a.example/b"), (421, "repeat on a fresh connection"), (425, "repeat"),
    ])
    func `each status has one consequence`(status: Int, consequence: String) {
        var current = current()
        let found = current.evaluate(status: status, fields: ["Location": "/b"], exchange: exchange(status), now: now)
        #expect(name(found) == consequence)
    }

    @Test func `a misdirected request is repeated once, and again after a redirect`() {
        var current = current()
        func misdirected(_ current: inout CurrentRequest) -> String {
            name(current.evaluate(status: 421, fields: [:], exchange: exchange(421), now: now))
        }
        #expect(misdirected(&current) == "repeat on a fresh connection")
        #expect(misdirected(&current) == "deliver")
        let next = URLRequest(url: url)
        current.follow(
            RedirectStep(request: next, sendsBody: false, crossesOrigin: false, withheldFields: []), next)
        #expect(misdirected(&current) == "repeat on a fresh connection")
    }

    @Test func `a lost request is repeated by its method and connection`() {
        let lost = RequestFailure(kind: .connectionLost, connectionWasReused: true, sentBytes: 100, receivedBytes: 0)
        var get = current()
        #expect(get.evaluate(lost) == .repeat(onFreshConnection: true))
        var post = current(.memory(Data("x".utf8)), method: "POST")
        #expect(post.evaluate(lost) == .fail)
    }

    @Test func `an error status fails a task only where the policy says so`() {
        var current = current { $0.tasks.acceptsEveryStatus = false }
        let found = current.evaluate(status: 404, fields: [:], exchange: exchange(404), now: now)
        #expect(name(found) == "fail \(URLError.Code.badServerResponse.rawValue)")
    }

    // MARK: Redirects

    @Test func `a redirect keeps the body only if the step sends it and the delegate did not change the request`() {
        let body = Data("body".utf8)
        func bytes(sendsBody: Bool, _ change: (inout URLRequest) -> Void = { _ in }) -> Data? {
            var current = current(.memory(body), method: "POST")
            var proposed = URLRequest(url: url)
            proposed.httpMethod = sendsBody ? "POST" : "GET"
            var next = proposed
            change(&next)
            current.follow(
                RedirectStep(request: proposed, sendsBody: sendsBody, crossesOrigin: false, withheldFields: []), next)
            return current.body.bytes.map { Data($0) }
        }
        #expect(bytes(sendsBody: true) == body)
        #expect(bytes(sendsBody: false) == Data())
        #expect(bytes(sendsBody: true) { $0.url = URL(string: "http://b.example/") } == body)
        #expect(bytes(sendsBody: true) { $0.httpBody = Data("other".utf8) } == Data("other".utf8))
        #expect(bytes(sendsBody: true) { $0.httpMethod = "PUT" } == Data())
    }

    @Test func `a redirect forgets the stored response and the choice of a class, and keeps the withheld fields`() {
        var current = current()
        current.caching.hasLooked = true
        current.isLeftByClasses = true
        let next = URLRequest(url: url)
        for withheld: Set<String> in [["authorization"], []] {
            current.follow(
                RedirectStep(request: next, sendsBody: false, crossesOrigin: true, withheldFields: withheld), next)
        }
        #expect(!current.caching.hasLooked)
        #expect(!current.isLeftByClasses)
        #expect(
            current.fields(adding: ["Authorization": "Basic eA==", "X-Token": "1"]) == ["X-Token": "1"] as HeaderFields)
    }

    @Test func `the field of the request goes before the field of the session, unless the policy reverses it`() {
        func token(_ change: (inout SessionPolicies) -> Void = { _ in }) -> String? {
            var policies = SessionPolicies()
            change(&policies)
            var request = URLRequest(url: url)
            request.setValue("request", forHTTPHeaderField: "X-Token")
            return CurrentRequest(request, body: .none, policies: policies).fields(adding: ["x-token": "session"])[
                "X-Token"]
        }
        #expect(token() == "request")
        #expect(token { $0.tasks.requestFieldWins = false } == "session")
        #expect(token { $0.tasks.addsSessionFields = false } == "request")
    }

    @Test func `a redirect of a protocol class may lead anywhere, but not more often than the limit`() {
        var current = current { $0.redirects.limit = 1 }
        let next = URLRequest(url: URL(string: "other://a/")!)
        #expect(name(current.evaluate(redirectTo: next)) == "propose other://a/")
        #expect(name(current.evaluate(redirectTo: next)) == "fail \(URLError.Code.httpTooManyRedirects.rawValue)")
    }

    // MARK: Stored responses

    private func revalidating(tag: String) -> CurrentRequest {
        var current = current()
        let stored = StoredExchange(
            url: url, status: 200, fields: ["ETag": tag, "X": "old"], requestTime: now, responseTime: now)
        current.caching.entry = AdaptableCachedURLResponse(stored, data: Data("stored".utf8))
        current.caching.conditions = ["If-None-Match": tag]
        return current
    }

    @Test func `a matching 304 serves the stored body with its new fields`() throws {
        var current = revalidating(tag: "\"a\"")
        let found = current.evaluate(
            status: 304, fields: ["ETag": "\"a\"", "X": "new"], exchange: exchange(304), now: now)
        #expect(name(found) == "serve 6 bytes")
        #expect(current.caching.entry?.exchange?.fields["X"] == "new")
        #expect(current.caching.conditions == HeaderFields())
    }

    @Test func `a 304 with another tag repeats the request without conditions`() {
        var current = revalidating(tag: "\"a\"")
        let found = current.evaluate(status: 304, fields: ["ETag": "\"b\""], exchange: exchange(304), now: now)
        #expect(name(found) == "repeat")
        #expect(current.caching.entry == nil)
        #expect(current.caching.conditions == HeaderFields())
    }

    @Test func `a 304 without a stored response is delivered`() {
        var current = current()
        #expect(name(current.evaluate(status: 304, fields: [:], exchange: exchange(304), now: now)) == "deliver")
    }

    // MARK: Uploads

    @Test func `an upload is continued from the offset of its resource, with the rest of the body`() throws {
        let body = Data("0123456789".utf8)
        let policy = UploadResumePolicy()
        var current = current(.memory(body), method: "POST")
        var resume = UploadResume(
            UploadResumption(url: url.absoluteString, length: 10, isRepeatable: true, policy: policy),
            whole: .memory(body), fileIdentity: nil, length: 10, method: "POST", fields: HeaderFields())
        resume.begin()
        resume.didSend(10)
        let version = try #require(resume.fields[UploadFields.interopVersion])
        resume.informational(104, ["Location": "/upload", UploadFields.interopVersion: version])
        #expect(resume.lost().isSend)
        current.resumable = resume
        current.prepareUploadStep()
        #expect(current.request.url?.absoluteString == "http://a.example/upload")
        #expect(current.request.httpMethod == "HEAD")
        #expect(current.body.bytes == [])
        let found = current.evaluate(
            status: 204, fields: ["Upload-Offset": "4", "Upload-Complete": "?0", UploadFields.interopVersion: version],
            exchange: exchange(204), now: now)
        #expect(name(found) == "continue the upload")
        current.prepareUploadStep()
        #expect(current.request.httpMethod == "PATCH")
        #expect(current.body.bytes == Array("456789".utf8))
        // A redirect ends the resumption.
        current.follow(
            RedirectStep(request: current.request, sendsBody: false, crossesOrigin: false, withheldFields: []),
            current.request)
        #expect(current.resumable == nil)
    }
}

extension UploadResumption.Action {
    fileprivate var isSend: Bool { if case .send = self { true } else { false } }
}
