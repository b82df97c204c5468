import Foundation
import Synchronization
import TransferProtocol

/// The relation of this program to the user, which the daemon cannot know.
enum ApplicationState {
    private struct Links: Sendable {
        var state: TransferClientState
        var all: [WeakLink] = []
    }

    private struct WeakLink: Sendable {
        weak var link: BackgroundLink?
    }

    private static let shared = Mutex(
        Links(
            state: ProcessInfo.processInfo.environment[TransferPlaces.launchVariable] == nil
                ? .foreground : .background))

    static var current: TransferClientState { shared.withLock { $0.state } }

    static func add(_ link: BackgroundLink) {
        shared.withLock { links in
            links.all.removeAll { $0.link == nil }
            links.all.append(WeakLink(link: link))
        }
    }

    static func change(to state: TransferClientState) {
        let links = shared.withLock { links in
            links.state = state
            return links.all.compactMap(\.link)
        }
        for link in links { link.send(.clientState(state: state)) }
    }
}

extension AdaptableSession {
    /// True if the user does not see this program: tasks that a background session creates now are discretionary
    /// (DISC-03), until it is set to false (DISC-04). Linux does not have such a state, so the program sets it. Its first
    /// value is true if the daemon launched the program for the events of a session, otherwise false.
    public static var isApplicationInBackground: Bool {
        get { ApplicationState.current == .background }
        set { ApplicationState.change(to: newValue ? .background : .foreground) }
    }
}
