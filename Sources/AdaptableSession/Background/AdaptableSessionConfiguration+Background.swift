import Foundation
import TransferProtocol

/// The settings that only a background session has.
struct BackgroundSettings: Hashable, Sendable {
    var identifier: String
    var sendsLaunchEvents = true
    var isDiscretionary = false
    var sharedContainer: String?
    var launchCommand: [String]?
}

extension AdaptableSessionConfiguration {
    /// A configuration of a background session: its transfers are done by a daemon of this user, `adaptable-transferd`,
    /// which the library starts, and continue when the program is suspended or ends. A session with the same identifier
    /// finds them again, in the same or in a later process, and receives the events that it missed (BKGD-02 to BKGD-05).
    ///
    /// A background session needs a delegate. It accepts HTTP and HTTPS only, uploads from files only, and no completion
    /// handlers; such tasks end at once with an error. Redirects are always followed (REDR-08), and tasks always wait for
    /// connectivity (CONN-21). Data tasks run only while the program does (BKGD-12). The daemon keeps cookies and
    /// credentials of its own, so those of the configuration's stores are not used.
    ///
    /// One process at a time can use an identifier, and only in one session (BKGD-28, BKGD-29); another session becomes
    /// invalid with `URLError.backgroundSessionInUseByAnotherProcess`.
    public static func background(withIdentifier identifier: String) -> AdaptableSessionConfiguration {
        var settings = SessionSettings()
        settings.background = BackgroundSettings(identifier: identifier)
        settings.waitsForConnectivity = true
        return AdaptableSessionConfiguration(settings: settings)
    }

    /// The identifier of a background session; nil for another kind.
    public var identifier: String? { settings.background?.identifier }

    /// True if the daemon launches the program when a background session's tasks have all ended or one needs an answer
    /// (BKGD-22, BKGD-23, BKGD-32). Default: true. No effect on other kinds.
    public var sessionSendsLaunchEvents: Bool {
        get { settings.background?.sendsLaunchEvents ?? false }
        set { self[\.background]?.sendsLaunchEvents = newValue }
    }

    /// If true, a background session's tasks run when conditions are good: on Wi-Fi and external power (DISC-01).
    /// Default: false. No effect on other kinds.
    ///
    /// The daemon reads the power from `/sys/class/power_supply`. If no battery is listed there, it asks UPower on the
    /// system bus, which also knows a UPS; it does not start UPower. Without either, the machine has external power.
    public var isDiscretionary: Bool {
        get { settings.background?.isDiscretionary ?? false }
        set { self[\.background]?.isDiscretionary = newValue }
    }

    /// The absolute path of the folder in which a background session's downloads are delivered (BKGD-30), for programs
    /// that share it. nil: a folder of the daemon. No effect on other kinds.
    public var sharedContainerIdentifier: String? {
        get { settings.background?.sharedContainer }
        set { self[\.background]?.sharedContainer = newValue }
    }

    /// The command with which the daemon launches this program for events of the session: the absolute path of a
    /// program and its arguments. The identifier of the session is appended and is also in the environment variable
    /// `ADAPTABLE_SESSION_IDENTIFIER` (BKGD-24). nil, the default: the program of this process, without arguments. No
    /// effect on other kinds.
    public var launchCommand: [String]? {
        get { settings.background?.launchCommand }
        set { self[\.background]?.launchCommand = newValue }
    }
}

extension SessionSettings {
    /// The settings as the daemon keeps them; nil for a session of another kind.
    var transferSettings: TransferSettings? {
        guard let background else { return nil }
        let usual = SessionSettings()
        return TransferSettings(
            identifier: background.identifier, sendsLaunchEvents: background.sendsLaunchEvents,
            isDiscretionary: background.isDiscretionary, sharedContainer: background.sharedContainer,
            allowsCellular: allowsCellularAccess, allowsExpensive: allowsExpensiveNetworkAccess,
            allowsConstrained: allowsConstrainedNetworkAccess,
            requestTimeout: requestTimeout > 0 ? requestTimeout : usual.requestTimeout,
            resourceTimeout: resourceTimeout > 0 ? resourceTimeout : usual.resourceTimeout,
            additionalHeaderFields: additionalHeaders.fields.map { TransferHeaderField($0.name, $0.value) },
            maximumConnectionsPerHost: maximumConnectionsPerHost, launch: background.launch)
    }
}

extension BackgroundSettings {
    fileprivate var launch: TransferLaunch? {
        let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        guard let command = launchCommand ?? program.map({ [$0] }), !command.isEmpty else { return nil }
        // The environment of this process may hold secrets, which do not belong in a file.
        return TransferLaunch(command: command, workingFolder: FileManager.default.currentDirectoryPath)
    }
}
