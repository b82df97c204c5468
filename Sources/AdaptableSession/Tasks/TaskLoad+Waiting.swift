import Foundation
import FoundationNetworking

/// Waiting for connectivity, as the application sees it.
extension TaskLoad {
    /// Notifies the delegate that the task waits, also for tasks with a completion handler (CONV-07).
    func notifyWaiting() {
        post { caller in
            caller.callTaskDelegate { $0.urlSession(caller.session, taskIsWaitingForConnectivity: caller.task) }
        }
    }

    /// Lets a task wait again after a lost connection, if the policy allows it. By default a lost connection is an
    /// error (CONN-18).
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
            finish(.notConnectedToInternet, "No network interface has a usable route.")
        case .path(.forbidden(let traits)):
            finish(
                URLError.made(
                    .notConnectedToInternet, "This request may not use any of the interfaces that have a route.",
                    request.url,
                    [
                        AdaptableSession.networkUnavailableReason: AdaptableSession.NetworkUnavailableReason(traits)
                            .rawValue
                    ]))
        case .attempt, .lookup, .unanswered:
            let failure = lastFailure ?? .cannotConnect("the connection could not be established")
            if resumesUpload(after: failure) { return }
            finish(failure.urlError(request.url))
        }
    }
}

extension AdaptableSession {
    /// The key of `NetworkUnavailableReason`'s raw value in the `userInfo` of `URLError.notConnectedToInternet`.
    public static let networkUnavailableReason = "NSURLErrorNetworkUnavailableReasonKey"

    /// The interface property because of which the request could not use the network.
    public enum NetworkUnavailableReason: Int, Hashable, Sendable {
        /// The request or its session does not allow cellular interfaces.
        case cellular
        /// The request or its session does not allow expensive interfaces.
        case expensive
        /// The request or its session does not allow constrained interfaces.
        case constrained

        init(_ traits: PathTraits) {
            self = traits.contains(.cellular) ? .cellular : traits.contains(.expensive) ? .expensive : .constrained
        }
    }
}

extension TransportFailure {
    /// The reason for which a task may wait after this failure; nil: the task fails immediately.
    var waitingCause: ConnectivityWaitQueue.Cause? {
        switch self {
        case .hostNotFound: .lookup
        case .nameServerSilent: .unanswered
        case .cannotConnect, .noNetwork: .attempt
        case .lost, .reset, .malformed, .tls, .handshakeLost, .timedOut, .streamRefused, .goneAway, .needsHTTP1,
            .unanswered, .proxy, .unusable:
            nil
        }
    }
}
