import Foundation
import FoundationNetworking
import Synchronization
import TransferProtocol

/// The questions of the daemon to the delegate.
extension BackgroundEvents {
    func ask(_ challenge: TransferChallenge, _ task: AdaptableSessionTask, _ caller: DelegateCaller) {
        let number = task.taskIdentifier
        let decide = OneShotCompletion<TransferChallengeDecision> { [link] decision in
            link.send(.decideChallenge(task: number, decision: decision))
        }
        let value = AdaptableSessionAuthenticationChallenge(challenge)
        let isSessionWide = [
            AdaptableSessionAuthenticationChallenge.serverTrustMethod,
            AdaptableSessionAuthenticationChallenge.clientCertificateMethod, NSURLAuthenticationMethodNTLM,
            NSURLAuthenticationMethodNegotiate,
        ].contains(challenge.method)
        if isSessionWide,
            caller.callSessionDelegate({
                $0.urlSession(session, didReceive: value) { decide(TransferChallengeDecision($0, $1)) }
            })
        {
            return
        }
        let isImplemented = caller.callTaskDelegate {
            $0.urlSession(session, task: task, didReceive: value) { decide(TransferChallengeDecision($0, $1)) }
        }
        if !isImplemented { decide(.notImplemented) }
    }

    func ask(_ request: TransferRequest, _ task: AdaptableSessionTask, _ caller: DelegateCaller) {
        let number = task.taskIdentifier
        let decide = OneShotCompletion<TransferDelayedDecision> { [link] decision in
            link.send(.decideDelayedRequest(task: number, decision: decision))
        }
        let isImplemented = caller.callTaskDelegate {
            $0.urlSession(session, task: task, willBeginDelayedRequest: request.urlRequest) { disposition, next in
                switch disposition {
                case .continueLoading: decide(.continueLoading)
                case .cancel: decide(.cancel)
                case .useNewRequest:
                    let new = next.flatMap { TransferRequest($0) }
                    if let new { task.facts.withLock { $0.currentRequest = new.urlRequest } }
                    decide(new.map { .useNewRequest(request: $0) } ?? .continueLoading)
                }
            }
        }
        if !isImplemented { decide(.continueLoading) }
    }
}

extension AdaptableSessionAuthenticationChallenge {
    init(_ challenge: TransferChallenge) {
        let space =
            challenge.isProxy
            ? URLProtectionSpace(
                proxyHost: challenge.host, port: challenge.port, type: challenge.scheme, realm: challenge.realm,
                authenticationMethod: challenge.method)
            : URLProtectionSpace(
                host: challenge.host, port: challenge.port, protocol: challenge.scheme, realm: challenge.realm,
                authenticationMethod: challenge.method)
        self.init(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: challenge.previousFailures,
            failureResponse: challenge.response?.urlResponse, error: nil)
        guard challenge.method == Self.serverTrustMethod else { return }
        serverTrust = AdaptableServerTrust(
            certificates: challenge.certificates, isTrusted: challenge.isTrusted, problem: challenge.problem)
    }
}

extension TransferChallengeDecision {
    fileprivate init(_ disposition: AdaptableSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        switch disposition {
        case .performDefaultHandling: self = .performDefaultHandling
        case .cancelAuthenticationChallenge: self = .cancel
        case .rejectProtectionSpace: self = .rejectProtectionSpace
        case .useCredential:
            if credential is AdaptableTrustCredential {
                self = .trustServer
            } else if let user = credential?.user, let password = credential?.password {
                self = .useCredential(user: user, password: password)
            } else {
                self = .continueWithoutCredential
            }
        }
    }
}

extension AdaptableSession {
    /// Makes the object of a task that the daemon has, in its present state.
    func makeTask(from stored: TransferTask) -> AdaptableSessionTask {
        var facts = TaskFacts()
        facts.originalRequest = stored.originalRequest.urlRequest
        facts.currentRequest = stored.request.urlRequest
        facts.sent = stored.counts.sent
        facts.received = stored.counts.received
        facts.expectedToSend = stored.counts.expectedToSend
        facts.expectedToReceive = stored.counts.expectedToReceive
        facts.clientExpectsToSend = stored.counts.clientExpectsToSend
        facts.clientExpectsToReceive = stored.counts.clientExpectsToReceive
        facts.earliestBeginDate = stored.earliestBeginDate
        facts.priority = Float(stored.priority)
        facts.description = stored.label
        facts.state =
            switch stored.state {
            case .running: .running
            case .suspended: .suspended
            case .canceling: .canceling
            case .completed: .completed
            }
        let number = stored.number
        return switch stored.kind {
        case .data: AdaptableSessionDataTask(session: self, identifier: number, load: number, facts: facts)
        case .upload: AdaptableSessionUploadTask(session: self, identifier: number, load: number, facts: facts)
        case .download: AdaptableSessionDownloadTask(session: self, identifier: number, load: number, facts: facts)
        }
    }
}
