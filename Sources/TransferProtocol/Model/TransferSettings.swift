/// The configuration of a background session, as the daemon keeps it.
package struct TransferSettings: Codable, Hashable, Sendable {
    /// The identifier of the session, unique for one user.
    package var identifier: String
    /// `sessionSendsLaunchEvents`: the daemon launches the client for its events (BKGD-32).
    package var sendsLaunchEvents: Bool
    package var isDiscretionary: Bool
    /// The absolute path of the folder in which files are delivered (BKGD-30); nil means the daemon's own folder.
    package var sharedContainer: String?
    package var allowsCellular: Bool
    package var allowsExpensive: Bool
    package var allowsConstrained: Bool
    /// Seconds, default 60.
    package var requestTimeout: Double
    /// Seconds, default 7 days.
    package var resourceTimeout: Double
    package var additionalHeaderFields: [TransferHeaderField]
    package var maximumConnectionsPerHost: Int
    /// The command that starts the client; nil means that it cannot be launched.
    package var launch: TransferLaunch?

    package init(
        identifier: String, sendsLaunchEvents: Bool = true, isDiscretionary: Bool = false,
        sharedContainer: String? = nil, allowsCellular: Bool = true, allowsExpensive: Bool = true,
        allowsConstrained: Bool = true, requestTimeout: Double = 60, resourceTimeout: Double = 604_800,
        additionalHeaderFields: [TransferHeaderField] = [], maximumConnectionsPerHost: Int = 6,
        launch: TransferLaunch? = nil
    ) {
        self.identifier = identifier
        self.sendsLaunchEvents = sendsLaunchEvents
        self.isDiscretionary = isDiscretionary
        self.sharedContainer = sharedContainer
        self.allowsCellular = allowsCellular
        self.allowsExpensive = allowsExpensive
        self.allowsConstrained = allowsConstrained
        self.requestTimeout = requestTimeout
        self.resourceTimeout = resourceTimeout
        self.additionalHeaderFields = additionalHeaderFields
        self.maximumConnectionsPerHost = maximumConnectionsPerHost
        self.launch = launch
    }
}

/// The command that launches the client in the background. The daemon appends the session's identifier (BKGD-24).
package struct TransferLaunch: Codable, Hashable, Sendable {
    /// The absolute path of the program, then its arguments.
    package var command: [String]
    package var environment: [String: String]
    package var workingFolder: String?

    package init(command: [String], environment: [String: String] = [:], workingFolder: String? = nil) {
        self.command = command
        self.environment = environment
        self.workingFolder = workingFolder
    }
}

/// The relation of a client to the user, which decides about urgency.
package enum TransferClientState: String, Codable, Hashable, Sendable, CaseIterable {
    case foreground
    case background
    /// Not connected: suspended so long that its connection ended, or not running.
    case absent
}
