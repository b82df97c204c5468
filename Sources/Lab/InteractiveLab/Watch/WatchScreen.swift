package import AdapterProtocol
import Record
import ScenarioLanguage

/// The live screen of a lab as a value: the last views, the chosen interface and the last message. `lines(_:)` draws it;
/// `press` returns what a key does.
package struct WatchScreen: Hashable, Sendable {
    package enum Action: Hashable, Sendable {
        case quit
        /// A change to send to the lab.
        case set(JSONValue)
    }

    struct Place: Hashable, Sendable {
        var interface: InterfaceKind
        var isDownlink: Bool
    }

    /// The figures of one direction in one window.
    struct Figures: Hashable, Sendable {
        var rate: Double
        var delay: Double?
        var loss: Double?
        var queue: Double?
    }

    /// Maximum number of windows in the history: more than a wide terminal has columns.
    static let most = 240
    /// The profiles of the keys 1 to 9.
    package static let profiles = [
        "perfect", "good-wifi", "poor-wifi", "flaky-wifi", "lte", "3g", "edge", "satellite", "very-bad-network",
    ]

    /// True for terminals that cannot show characters other than ASCII.
    package var isPlain: Bool
    package private(set) var view: LabView?
    private(set) var history: [Place: [Figures]] = [:]
    /// The interface that the profiles change; nil for the first one.
    private var chosen: InterfaceKind?
    private(set) var showsHelp = false
    /// The reply to the last key, such as the reason why a change was refused.
    package private(set) var message = ""

    package init(isPlain: Bool = false) { self.isPlain = isPlain }

    package mutating func show(_ new: LabView) {
        view = new
        for link in new.links {
            for (isDownlink, direction) in [(true, link.downlink), (false, link.uplink)] {
                let place = Place(interface: link.interface, isDownlink: isDownlink)
                let figures = Figures(
                    rate: Double(direction.bitsPerSecond), delay: direction.delay.map(Double.init),
                    loss: direction.lossShare, queue: direction.queuedPackets.map(Double.init))
                history[place] = ((history[place] ?? []) + [figures]).suffix(WatchScreen.most)
            }
        }
    }

    /// Shows the lab's reply to a change.
    package mutating func show(_ reply: ControlReply) {
        switch reply {
        case .done(let words): message = words.joined(separator: ", ")
        case .refused(let reason): message = "not changed: \(reason)"
        case .view(let view): show(view)
        case .lab, .seen: break
        }
    }

    package mutating func show(message words: String) { message = words }

    /// The interface that keys change; nil before the first view.
    var selected: LabView.Link? {
        view.flatMap { view in view.links.first { $0.interface == chosen } ?? view.links.first }
    }

    package mutating func press(_ key: Character) -> Action? {
        message = ""
        if showsHelp, key != "q" {
            showsHelp = false
            return nil
        }
        switch key {
        case "q": return .quit
        case "?", "h": showsHelp = true
        case "\t": selectNext()
        case "w": return toggle(.wifi, .down)
        case "c": return toggle(.cellular, .down)
        case "n": return toggleNAT64()
        case "1"..."9":
            guard let selected, let number = key.wholeNumberValue else { return nil }
            let profile = WatchScreen.profiles[number - 1]
            message = "\(selected.interface.rawValue): \(profile) …"
            return .set(.object([selected.interface.rawValue: .text(profile)]))
        default: break
        }
        return nil
    }

    private mutating func toggleNAT64() -> Action? {
        guard let view else { return nil }
        let isOn = view.nat64 != true
        message = "NAT64 \(isOn ? "on" : "off") …"
        return .set(.object(["nat64": .boolean(isOn)]))
    }

    private mutating func selectNext() {
        guard let view, let selected, let index = view.links.firstIndex(of: selected) else { return }
        chosen = view.links[(index + 1) % view.links.count].interface
    }

    /// Puts an interface into a state, or back up if it is in any other state than up.
    private mutating func toggle(_ kind: InterfaceKind, _ state: InterfaceState) -> Action? {
        guard let view else { return nil }
        guard let link = view.links.first(where: { $0.interface == kind }) else {
            message = "this lab does not have a \(kind.rawValue) interface; start it with --interface \(kind.rawValue)"
            return nil
        }
        let next = link.state == .up ? state : .up
        message = "\(kind.rawValue): \(next.rawValue) …"
        return .set(.object([kind.rawValue: .text(next.rawValue)]))
    }
}
