import LinuxNet

/// The network as one session knows it at this moment.
final class NetworkView {
    /// nil: it cannot be seen, and is taken for open.
    var state: NetworkState?
    private let policy: PathPolicy
    private let look: (() -> NetworkState?)?
    private var glance: (state: NetworkState, at: Int64)?

    /// A look costs some tenths of a millisecond, which ten thousand tasks that begin without a network should not pay one by one.
    private static let glanceIsFresh: Int64 = 5_000_000

    /// Of this machine; `state` is what its monitor told.
    static func ofMachine(_ state: NetworkState?, policy: PathPolicy) -> NetworkView {
        guard state != nil, let netlink = try? NetlinkSocket() else { return NetworkView(state, policy: policy) }
        return NetworkView(state, policy: policy) { try? NetworkState.read(netlink, policy) }
    }

    /// `look` asks the kernel now.
    init(_ state: NetworkState?, policy: PathPolicy, look: (() -> NetworkState?)? = nil) {
        self.state = state
        self.policy = policy
        self.look = look
    }

    func path(to host: String, forbidding traits: PathTraits) -> NetworkPath {
        guard let state else { return NetworkPath(interfaces: [], obstacle: nil, needsBinding: false) }
        let path = state.path(toHost: host, forbidding: traits, policy: policy)
        guard !path.isOpen else { return path }
        // A task may begin in the moment between the change and the word of it; a verdict that is final should not be of yesterday.
        let now = MonotonicClock.now()
        if glance.map({ now - $0.at > Self.glanceIsFresh }) ?? true { glance = look?().map { ($0, now) } }
        return glance?.state.path(toHost: host, forbidding: traits, policy: policy) ?? path
    }
}
