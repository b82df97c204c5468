public import FoundationNetworking

/// Receives the decision on a challenge that a protocol class sent. Exactly one method is called, once, on one of the
/// session's threads.
public protocol AdaptableSessionAuthenticationChallengeSender: AnyObject, Sendable {
    func use(_ credential: URLCredential, for challenge: AdaptableSessionAuthenticationChallenge)
    func continueWithoutCredential(for challenge: AdaptableSessionAuthenticationChallenge)
    func cancel(_ challenge: AdaptableSessionAuthenticationChallenge)
    func performDefaultHandling(for challenge: AdaptableSessionAuthenticationChallenge)
    func rejectProtectionSpaceAndContinue(with challenge: AdaptableSessionAuthenticationChallenge)
}

extension AdaptableSessionAuthenticationChallengeSender {
    public func performDefaultHandling(for challenge: AdaptableSessionAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }

    public func rejectProtectionSpaceAndContinue(with challenge: AdaptableSessionAuthenticationChallenge) {
        continueWithoutCredential(for: challenge)
    }
}
