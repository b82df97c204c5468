import LinuxNet

/// The network as one session knows it at this moment.
final class NetworkView {
    /// nil: it cannot be seen, and is taken for open.
    private(set) var state: NetworkState?
    private let policy: PathPolicy
    private let look: (() -> NetworkState?)?
    private var glance: (state: NetworkState, at: Int64)?

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

    /// What the monitor told.
    func received(_ state: NetworkState) {
        self.state = state
        glance = nil
    }

    /// `since`: when the task began, in nanoseconds; before it is refused a way, the kernel is asked for the state after that moment.
    /// A look costs some tenths of a millisecond, and one serves all the tasks that had begun before it.
    func path(to host: String, forbidding traits: PathTraits, since: Int64) -> NetworkPath {
        guard let state else { return NetworkPath(interfaces: [], obstacle: nil, needsBinding: false) }
        let path = state.path(toHost: host, forbidding: traits, policy: policy)
        guard !path.isOpen else { return path }
        // A task may begin in the moment between the change and the word of it; a verdict that is final should not be of yesterday.
        if glance.map({ $0.at < since }) ?? true {
            let now = MonotonicTime.now()
            glance = look?().map { ($0, now) }
        }
        return glance?.state.path(toHost: host, forbidding: traits, policy: policy) ?? path
    }
}
