import Foundation
import FoundationNetworking
import HTTPFields

/// The current request of a task, and the decisions about its responses and failures: repetition, redirects, the
/// confirmation of a stored response, and the next request of a resumable upload.
struct CurrentRequest {
    /// The consequence of a response that is not a challenge, or of a challenge that was not resolved.
    enum Consequence {
        case deliver
        case `repeat`(onFreshConnection: Bool)
        case propose(RedirectStep)
        case continueUpload
        /// The stored response, with the fields of the 304 that confirmed it.
        case serve(AdaptableCachedURLResponse)
        case fail(URLError.Code, String)
    }

    private(set) var request: URLRequest
    private(set) var body: BodySource
    var redirectCount = 0
    /// True when no protocol class takes the request.
    var isLeftByClasses = false
    var caching = TaskCaching()
    @Boxed var resumable: UploadResume?
    private var redirects: RedirectChain
    private var retry: RequestRetry
    /// The lower-case names of fields that the session's additional fields must not add again.
    private var withheldFields: Set<String> = []
    // These four alone: all policies take 450 bytes, in each queued task.
    private let tasks: TaskPolicy
    private let cache: CachePolicy
    private let retries: RetryPolicy
    private let uploads: UploadResumePolicy

    init(_ request: URLRequest, body: BodySource, policies: SessionPolicies) {
        self.request = request
        self.body = body
        (tasks, cache, retries, uploads) = (policies.tasks, policies.cache, policies.retry, policies.uploadResume)
        redirects = RedirectChain(policy: policies.redirects)
        retry = RequestRetry(method: request.httpMethod ?? "GET", policy: policies.retry)
    }

    var method: String { request.httpMethod ?? "GET" }

    /// Returns the header fields of the request and of the session.
    func fields(adding sessionFields: HeaderFields) -> HeaderFields {
        var fields = HeaderFields(dictionary: request.allHTTPHeaderFields ?? [:])
        guard tasks.addsSessionFields else { return fields }
        for field in sessionFields.fields where !withheldFields.contains(HTTPFieldSyntax.lowercased(field.name)) {
            if !fields.has(field.name) || !tasks.requestFieldWins { fields[field.name] = field.value }
        }
        return fields
    }

    // MARK: Responses and failures

    /// Decides what a response leads to. `exchange` holds the facts of the exchange; nil for a protocol class.
    mutating func evaluate(status: Int, fields: HeaderFields, exchange: RequestFailure?, now: Date) -> Consequence {
        // Statuses that concern the connection rather than the request: 421, 425.
        if let exchange, case .repeat(let onFreshConnection) = retry.decide(exchange) {
            return .repeat(onFreshConnection: onFreshConnection)
        }
        if let next = continuedUpload(status, fields) ?? confirmed(status, fields, now) { return next }
        if status >= 400, !tasks.acceptsEveryStatus {
            return .fail(.badServerResponse, "The server responded with status \(status).")
        }
        return consequence(redirects.evaluate(status: status, fields: fields, answering: request))
    }

    /// Decides about a redirect from a protocol class.
    mutating func evaluate(redirectTo next: URLRequest) -> Consequence {
        consequence(redirects.informational(next, answering: request))
    }

    mutating func evaluate(_ failure: RequestFailure) -> RetryDecision { retry.decide(failure) }

    private func consequence(_ verdict: RedirectVerdict) -> Consequence {
        switch verdict {
        case .deliver: .deliver
        case .propose(let step): .propose(step)
        case .fail(let code, let reason): .fail(code, reason)
        }
    }

    /// Redirects and challenges do not continue an upload.
    private mutating func continuedUpload(_ status: Int, _ fields: HeaderFields) -> Consequence? {
        if (300...399).contains(status) || status == 401 || status == 407 { return nil }
        switch resumable?.didReceiveResponse(status, fields) {
        case .send: return .continueUpload
        case .fail(let reason, _): return .fail(.cannotParseResponse, "The upload cannot continue: \(reason).")
        case .proceed, .acknowledged, .deliver, nil: return nil
        }
    }

    /// Handles a 304 for a stored response: it is served, or the request is repeated if the 304 does not match it.
    private mutating func confirmed(_ status: Int, _ fields: HeaderFields, _ now: Date) -> Consequence? {
        guard status == 304, let entry = caching.entry else { return nil }
        caching.entry = nil
        caching.conditions = HeaderFields()
        switch CacheEvaluator(policy: cache)
            .validated(entry, by: fields, requestTime: caching.requestTime, responseTime: now)
        {
        case .serve(let renewed):
            caching.entry = renewed
            return .serve(renewed)
        case .revalidate: return .repeat(onFreshConnection: false)
        }
    }

    // MARK: The next request

    /// Continues with the request after a redirect: the proposed one, or another one from the delegate.
    mutating func follow(_ step: RedirectStep, _ next: URLRequest) {
        withheldFields.formUnion(step.withheldFields)
        if next.changes(otherThan: step.request) {
            // The delegate's own request; the task's body belongs to the proposed request only.
            body = next.ownBody
        } else if !step.sendsBody {
            body = .none
        }
        resumable = nil
        caching = TaskCaching()
        isLeftByClasses = false
        replace(by: next)
    }

    /// Continues a resumable upload with its next request, to the upload resource or again to the URL of the task.
    mutating func prepareUploadStep() {
        guard let resumable, let step = resumable.step else { return }
        if let location = step.location, let url = URL(string: location), let method = step.method {
            var next = URLRequest(
                url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeoutInterval)
            next.httpMethod = method
            next.allowsCellularAccess = request.allowsCellularAccess
            next.httpShouldHandleCookies = request.httpShouldHandleCookies
            for field in resumable.credentials.fields where uploads.sendsCredentials {
                next.addValue(field.value, forHTTPHeaderField: field.name)
            }
            replace(by: next)
        }
        body = resumable.body
    }

    private mutating func replace(by next: URLRequest) {
        request = next
        retry = RequestRetry(method: method, policy: retries)
    }
}

extension URLRequest {
    /// The body of the request. Its own stream can be sent only once; the delegate provides further ones.
    var ownBody: BodySource { httpBody.map { .memory($0) } ?? (httpBodyStream == nil ? .none : .stream) }

    fileprivate func changes(otherThan proposed: URLRequest) -> Bool {
        httpMethod != proposed.httpMethod || httpBody != proposed.httpBody || httpBodyStream !== proposed.httpBodyStream
    }
}
