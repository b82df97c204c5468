public import FoundationNetworking

/// Hears what was answered to a challenge of a protocol class, on a thread of the session's, once.
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
