/// The cache, cookie store or credential store that a session uses.
package enum StorageChoice: Hashable, Sendable {
    /// The session does not have such a store.
    case none
    /// The store of the whole process, such as `URLCache.shared`.
    case shared
    /// A separate store, empty at first; sessions with the same name share it.
    case named(String)

    package var text: String {
        switch self {
        case .none: "none"
        case .shared: "shared"
        case .named(let name): name
        }
    }

    package init(text: String) {
        self =
            switch text {
            case "none": .none
            case "shared": .shared
            default: .named(text)
            }
    }
}
