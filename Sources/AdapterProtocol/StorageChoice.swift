/// Which of an implementation's stores (cache, cookies, credentials) a session uses.
package enum StorageChoice: Hashable, Sendable {
    /// The session has no such store.
    case none
    /// The store of the whole process, as `URLCache.shared` and its like.
    case shared
    /// A store of its own, empty at first; sessions that give the same name share it.
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
