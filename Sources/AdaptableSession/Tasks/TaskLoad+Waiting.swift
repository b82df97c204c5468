import Foundation
import FoundationNetworking

/// Waiting for connectivity, as it shows outside.
extension TaskLoad {
    /// Handler tasks say it to the delegate too (CONV-07).
    func notifyWaiting() {
        post { caller in
            caller.callTaskDelegate { $0.urlSession(caller.session, taskIsWaitingForConnectivity: caller.task) }
        }
    }

    /// A connection that was there and is lost is an error (CONN-18), unless the policy says otherwise.
    func waitsAgain(after failure: TransportFailure) -> Bool {
        guard !policies.waiting.waitsOnlyBeforeFirstConnection, core.settings.waitsForConnectivity, case .lost = failure
        else { return false }
        lastFailure = failure
        core.attemptFailed(self, .attempt)
        return true
    }

    func cannotStart(_ cause: ConnectivityWaitQueue.Cause) {
        switch cause {
        case .path(.noNetwork):
            finish(URLError.made(.notConnectedToInternet, "No network interface leads anywhere.", request.url))
        case .path(.forbidden(let traits)):
            finish(
                URLError.made(
                    .notConnectedToInternet, "The only interfaces that lead anywhere may not be used by this request.",
                    request.url,
                    [
                        AdaptableSession.networkUnavailableReason: AdaptableSession.NetworkUnavailableReason(traits)
                            .rawValue
                    ]))
        case .attempt, .lookup, .unanswered:
            let failure = lastFailure ?? .cannotConnect("the connection could not be made")
            if resumesUpload(after: failure) { return }
            finish(failure.urlError(request.url))
        }
    }
}

extension AdaptableSession {
    /// The key of `NetworkUnavailableReason`'s raw value in the `userInfo` of `URLError.notConnectedToInternet`.
    public static let networkUnavailableReason = "NSURLErrorNetworkUnavailableReasonKey"

    public enum NetworkUnavailableReason: Int, Hashable, Sendable {
        case cellular, expensive, constrained

        init(_ traits: PathTraits) {
            self = traits.contains(.cellular) ? .cellular : traits.contains(.expensive) ? .expensive : .constrained
        }
    }
}

extension TransportFailure {
    /// Whether a task may wait after it; nil: it is an error at once.
    var waitingCause: ConnectivityWaitQueue.Cause? {
        switch self {
        case .hostNotFound: .lookup
        case .nameServerSilent: .unanswered
        case .cannotConnect, .noNetwork: .attempt
        case .lost, .reset, .malformed, .tls, .handshakeLost, .timedOut, .streamRefused, .goneAway, .needsHTTP1, .proxy,
            .unusable:
            nil
        }
    }
}
