package import Foundation
package import FoundationNetworking
import HTTPFields
import OpenSSLTLS

/// Responds to challenges for all tasks of a session (RFC 9110 §11, RFC 7616, RFC 7617, RFC 4559), and sends
/// credentials immediately to protection spaces that accepted them before.
///
/// For each request, call `field` just before it is sent. On 401 (or 407), call `refused`, then `stored` or `didDecide`
/// as the returned action requires. On any other response head, call `accepted`. When a connection closes, call
/// `closed`.
package struct SessionAuthentication: Sendable {
    package struct Storing: Sendable {
        package var space: URLProtectionSpace
        package var credential: URLCredential
    }

    package struct Acceptance: Sendable {
        /// The credential to store as the default of its protection space in the session's storage.
        package var store: Storing?
        /// True if the connection is authenticated for the whole session, not only for this task: others may use it
        /// (AUTH-04).
        package var opensConnection = false
        /// True or false if the server's proof that it knows the password (RFC 7616 §3.5) was right or wrong; nil if it
        /// sent nothing that can be checked.
        package var isServerProven: Bool?
    }

    /// The maximum number of stale nonces in a row, against a server that reports every nonce as stale.
    private static let staleLimit = 3
    /// The maximum number of exchanges, against a server that closes the connection after every challenge.
    private static let exchangeLimit = 3
    /// The maximum number of refused credentials, against a delegate that always supplies the same wrong password.
    package static let failureLimit = 100

    package let policy: AuthenticationPolicy
    private let random: @Sendable (Int) -> [UInt8]
    private var known = PreemptiveCredentials()
    private var digests: [ProtectionSpaceKey: DigestState] = [:]
    private var connections: [Int: Set<ProtectionSpaceKey>] = [:]

    /// `random` returns the given number of random bytes.
    package init(policy: AuthenticationPolicy = AuthenticationPolicy(), random: @escaping @Sendable (Int) -> [UInt8]) {
        self.policy = policy
        self.random = random
    }

    /// Forgets the authentication of a closed connection.
    package mutating func closed(connection: Int) { connections[connection] = nil }

    /// Forgets everything that was learned, for `reset()` of a session; authenticated connections keep their state.
    package mutating func forgetAll() {
        known.forgetAll()
        digests = [:]
    }

    // MARK: Before the request

    /// Returns the field to send with the request, or nil if none is needed.
    package mutating func field(
        _ task: inout RequestAuthentication, _ request: AuthenticatedRequest, connection: Int, now: Date
    ) -> HeaderFields.Field? {
        if let attempt = task.attempt, !isFor(attempt, task.side, request.url) { task.attempt = nil }
        if task.attempt == nil, !request.hasOwnField,
            let space = known.space(of: request.url, task.side),
            !space.candidate.scheme.isOfConnection, canRespondImmediately(space.credential, request.url, task.side)
        {
            task.attempt = RequestAuthentication.Attempt(
                candidate: space.candidate, credential: space.credential, source: .known)
        }
        guard var attempt = task.attempt else { return nil }
        defer { task.attempt = attempt }
        guard let text = credentials(&attempt, request, connection, now) else { return nil }
        return HeaderFields.Field(
            name: task.side.credentialField, value: "\(attempt.candidate.scheme.fieldName) \(text)")
    }

    /// Returns false if the URL names another user. User information in a URL never concerns a proxy.
    private func canRespond(_ credential: URLCredential, _ url: URL, _ side: AuthenticationSide) -> Bool {
        guard side == .server, let user = url.user(percentEncoded: false), !user.isEmpty
        else { return true }
        return credential.user == user
    }

    /// Like `canRespond`, but also compares the password in the URL, which has not been tried yet.
    private func canRespondImmediately(_ credential: URLCredential, _ url: URL, _ side: AuthenticationSide) -> Bool {
        guard side == .server, let password = url.password(percentEncoded: false) else {
            return canRespond(credential, url, side)
        }
        return canRespond(credential, url, side) && credential.password == password
    }

    private func isFor(_ attempt: RequestAuthentication.Attempt, _ side: AuthenticationSide, _ url: URL) -> Bool {
        let key = attempt.candidate.key
        return side.space(url, realm: key.realm, method: key.method).map(ProtectionSpaceKey.init) == key
    }

    private mutating func credentials(
        _ attempt: inout RequestAuthentication.Attempt, _ request: AuthenticatedRequest, _ connection: Int, _ now: Date
    ) -> String? {
        let user = attempt.credential.user ?? ""
        let password = attempt.credential.password ?? ""
        switch attempt.candidate.scheme {
        case .basic: return BasicCredentials.text(user: user, password: password)
        case .digest: return digest(&attempt, request, user: user, password: password)
        case .ntlm, .negotiate:
            attempt.isOpened = false
            guard connections[connection]?.contains(attempt.candidate.key) != true else { return nil }
            let client = NTLMClient(user: user, password: password)
            if case .challenged(let token, let pinned) = attempt.leg, pinned == connection || !policy.pinsConnection,
                let response = try? client.authenticate(challenge: token, clientChallenge: random(8), now: now)
            {
                attempt.leg = .attempted
                return Data(response).base64EncodedString()
            }
            attempt.leg = .first
            attempt.isOpened = true
            return Data(NTLMClient.negotiate).base64EncodedString()
        }
    }

    private mutating func digest(
        _ attempt: inout RequestAuthentication.Attempt, _ request: AuthenticatedRequest, user: String, password: String
    ) -> String? {
        let key = attempt.candidate.key
        guard var state = digests[key] ?? attempt.candidate.digest.map({ newState($0) }) else { return nil }
        var quality: DigestChallenge.Quality?
        var bodyDigest: [UInt8] = []
        let qualities = state.challenge.qualities
        // auth-int requires reading the whole body before the first byte of the request is sent.
        if qualities.contains(.integrity), !qualities.contains(.authentication),
            let digest = request.bodyDigest(state.challenge.scheme.algorithm)
        {
            quality = .integrity
            bodyDigest = digest
        } else if qualities.contains(.authentication) {
            quality = .authentication
        } else if !qualities.isEmpty {
            return nil
        }
        let response = DigestResponse(
            challenge: state.challenge, user: user, password: password, method: request.method, uri: request.target,
            quality: quality,
            count: state.count, clientNonce: state.clientNonce, bodyDigest: bodyDigest)
        state.count &+= 1
        digests[key] = state
        attempt.sent = response
        return response.text
    }

    private func newState(_ challenge: DigestChallenge) -> DigestState {
        DigestState(challenge: challenge, count: 1, clientNonce: Digests.hexadecimal(random(16)))
    }

    // MARK: After the response

    /// Handles a 401 or 407 on `connection`. `canDigestBody` is true if the body can be read before it is sent.
    package mutating func refused(
        _ task: inout RequestAuthentication, fields: HeaderFields, url: URL, connection: Int, canDigestBody: Bool = true
    ) -> AuthenticationAction {
        connections[connection] = nil
        let candidates = ChallengeCandidate.all(fields, task.side, url, canDigestBody: canDigestBody, policy)
        guard !candidates.isEmpty else { return .deliver }
        if var attempt = task.attempt {
            task.attempt = nil
            if let match = candidates.first(where: { $0.key == attempt.candidate.key }) {
                if match.digest?.isStale == true, policy.renewsStaleNonces,
                    task.staleRenewals < SessionAuthentication.staleLimit,
                    attempt.sent != nil
                {
                    task.staleRenewals += 1
                    digests[match.key] = match.digest.map { newState($0) }
                    attempt.candidate = match
                    task.attempt = attempt
                    return .send(connection: nil)
                }
                if let token = match.token, attempt.leg == .first,
                    attempt.exchanges < SessionAuthentication.exchangeLimit
                {
                    attempt.exchanges += 1
                    attempt.leg = .challenged(token, connection: connection)
                    task.attempt = attempt
                    return .send(connection: connection)
                }
                task.failures += 1
                task.refused = attempt.credential
                known.forget(match.key, attempt.credential)
            }
        }
        task.candidates = candidates
        guard task.failures < SessionAuthentication.failureLimit else { return .deliver }
        return next(&task, url)
    }

    /// Handles the credential that the storage returned, or nil if it has none.
    package mutating func stored(_ task: inout RequestAuthentication, _ credential: URLCredential?, url: URL)
        -> AuthenticationAction
    {
        guard let credential, !credential.isSame(as: task.refused), canRespond(credential, url, task.side) else {
            return next(&task, url)
        }
        return begin(&task, credential, .stored) ?? next(&task, url)
    }

    package mutating func didDecide(_ task: inout RequestAuthentication, _ response: ChallengeDecision, url: URL)
        -> AuthenticationAction
    {
        switch response {
        case .use(let credential):
            guard let credential else { return .deliver }
            return begin(&task, credential, .delegate) ?? .deliver
        case .performDefaultHandling: return .deliver
        case .cancel: return .cancel
        case .rejectProtectionSpace:
            guard !task.candidates.isEmpty else { return .deliver }
            let rejected = task.candidates.removeFirst().key
            task.candidates.removeAll { $0.key == rejected }
            return next(&task, url)
        }
    }

    /// Handles a response head with a status other than 401 (or 407).
    package mutating func accepted(
        _ task: inout RequestAuthentication, fields: HeaderFields, url: URL, connection: Int
    ) -> Acceptance {
        var acceptance = Acceptance()
        guard var attempt = task.attempt, isFor(attempt, task.side, url) else { return acceptance }
        task.refused = nil
        task.staleRenewals = 0
        let key = attempt.candidate.key
        if attempt.leg == .attempted { connections[connection, default: []].insert(key) }
        if let sent = attempt.sent {
            let information = ReceivedChallenge.read(fields.values(task.side.informationField).map { "Digest \($0)" })
                .first?.parameters
            if let proof = information?["rspauth"], sent.quality == .authentication {
                acceptance.isServerProven = HTTPFieldSyntax.equal(proof, sent.serverResponse())
            }
            if let next = information?["nextnonce"], DigestChallenge.canBeRepeated(next),
                var challenge = digests[key]?.challenge
            {
                challenge.nonce = next
                digests[key] = newState(challenge)
            }
            attempt.sent = nil
            task.attempt = attempt
        }
        let persists = attempt.credential.persistence != .none || !policy.storesByPersistence
        acceptance.opensConnection = persists && attempt.leg == .attempted
        guard persists, attempt.source != .known else { return acceptance }
        known.learn(attempt.candidate, attempt.credential, at: url, policy)
        if attempt.source == .delegate {
            acceptance.store = Storing(space: attempt.candidate.space, credential: attempt.credential)
        }
        return acceptance
    }

    // MARK: Credential sources

    private mutating func next(_ task: inout RequestAuthentication, _ url: URL) -> AuthenticationAction {
        guard let candidate = task.candidates.first else { return .deliver }
        while true {
            switch task.nextSource[candidate.key] ?? .userInformation {
            case .known:
                task.nextSource[candidate.key] = .stored
                if let credential = known.spaces[candidate.key]?.credential, !credential.isSame(as: task.refused),
                    canRespond(credential, url, task.side), let action = begin(&task, credential, .known)
                {
                    return action
                }
            case .userInformation:
                task.nextSource[candidate.key] = .known
                if task.side == .server, let user = url.user(percentEncoded: false),
                    !user.isEmpty
                {
                    let credential = URLCredential(
                        user: user, password: url.password(percentEncoded: false) ?? "", persistence: .forSession)
                    if !credential.isSame(as: task.refused), let action = begin(&task, credential, .userInformation) {
                        return action
                    }
                }
            case .stored:
                task.nextSource[candidate.key] = .delegate
                if policy.usesStoredCredentials { return .lookUp(candidate.space) }
            case .delegate:
                return .callDelegate(
                    ChallengeRequest(
                        space: candidate.space, proposed: task.refused, previousFailures: task.failures,
                        isSessionWide: policy.sessionWide.contains(candidate.scheme)))
            }
        }
    }

    /// Returns nil if the scheme cannot carry the credential.
    private mutating func begin(
        _ task: inout RequestAuthentication, _ credential: URLCredential, _ source: RequestAuthentication.Source
    ) -> AuthenticationAction? {
        guard let candidate = task.candidates.first, let user = credential.user else { return nil }
        if candidate.scheme == .basic, BasicCredentials.text(user: user, password: credential.password ?? "") == nil {
            return nil
        }
        if let challenge = candidate.digest, digests[candidate.key]?.challenge.nonce != challenge.nonce {
            digests[candidate.key] = newState(challenge)
        }
        task.attempt = RequestAuthentication.Attempt(candidate: candidate, credential: credential, source: source)
        return .send(connection: nil)
    }
}

/// A nonce in use. The count covers all requests of the session, because servers treat a repeated count as a replay
/// (RFC 7616 §3.4).
struct DigestState: Hashable, Sendable {
    var challenge: DigestChallenge
    var count: UInt32
    /// The same value for all requests with the nonce, so that the secret of a `-sess` algorithm is correct under both
    /// readings of §3.4.2.
    var clientNonce: String
}
