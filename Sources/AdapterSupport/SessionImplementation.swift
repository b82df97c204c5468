package import AdapterProtocol
package import Foundation

/// One implementation of URL loading: its objects, and how it differs from the others.
package protocol SessionImplementation {
    associatedtype Session: ClientSession
    typealias Configuration = Session.Configuration

    /// The description of the implementation in the handshake.
    var description: SessionEvent.Implementation { get }
    /// The keys of resume data in the user info of the errors of downloads and uploads; nil: it has none.
    var resumeDataKeys: (download: String, upload: String?) { get }
    func offers(_ capability: Capability) -> Bool

    var sharedSession: Session { get }
    var defaultConfiguration: Configuration { get }
    var ephemeralConfiguration: Configuration { get }
    /// Returns the configuration of a background session, with what its identifier and options ask for; nil if the
    /// implementation does not have such sessions.
    func backgroundConfiguration(_ settings: SessionConfiguration, identifier: String) -> Configuration?
    /// Gives a task its earliest begin date.
    func schedule(_ task: any ClientTask, _ description: TaskDescription)
    /// Notifies the library that the app enters the background or the foreground.
    func enter(_ state: ApplicationState)
    /// Makes a session with a delegate for the reporter, or without one.
    func session(_ configuration: Configuration, _ reporter: SessionReporter?, _ queue: OperationQueue?) -> Session
    /// Gives a task a delegate of its own for the reporter.
    func setDelegate(_ reporter: SessionReporter, of task: any ClientTask)
    /// Returns a call of an asynchronous method, with a delegate for the reporter; nil if the implementation does not
    /// have the method.
    func call(_ request: AsyncRequest, of session: Session, _ reporter: SessionReporter)
        -> (@Sendable () async throws -> AsyncResult)?
    /// Writes the given settings that `ClientConfiguration` does not have.
    func write(_ settings: SessionConfiguration, to configuration: Configuration)
    /// Returns the proxy in the form of a configuration's `connectionProxyDictionary`.
    func dictionary(of proxy: ProxyAddress) -> [AnyHashable: Any]

    var sharedCache: Configuration.Cache { get }
    var sharedCookieStorage: Configuration.CookieStorage { get }
    var sharedCredentialStorage: Configuration.CredentialStorage { get }
    func cache(named name: String, _ settings: CacheSettings) -> Configuration.Cache
    func newCookieStorage() -> Configuration.CookieStorage?
    func newCredentialStorage() -> Configuration.CredentialStorage?
    /// Gives the configuration a store that reports to the spy.
    func add(_ store: SpyStore, _ spy: StoreSpy, to configuration: Configuration)

    /// Returns the class that loads requests for a slot of the script.
    func loadingClass<Slot: ProtocolSlot>(_ slot: Slot.Type) -> Configuration.LoadingClass
    /// Registers a class with the process.
    func register(_ loadingClass: Configuration.LoadingClass)
}

extension SessionImplementation {
    package func write(_ settings: SessionConfiguration, to configuration: Configuration) {}
    package func backgroundConfiguration(_ settings: SessionConfiguration, identifier: String) -> Configuration? { nil }
    package func schedule(_ task: any ClientTask, _ description: TaskDescription) {}
    package func enter(_ state: ApplicationState) {}

    /// Returns the first of these capabilities that is not offered.
    func missing(_ needed: [Capability]) -> Capability? { needed.first { !offers($0) } }

    /// Makes the classes of the script: registers those of the process and returns the session's.
    func installProtocolClasses(_ asked: SessionConfiguration, of session: SessionName, _ output: EventOutput)
        -> [Configuration.LoadingClass]?
    {
        var own: [Configuration.LoadingClass] = []
        for (index, protocolClass) in asked.protocolClasses.enumerated() {
            let slot = ProtocolClassRegistry.register(
                ProtocolClassRegistry.Script(
                    number: index + 1, session: session, protocolClass: protocolClass, output: output))
            let made = loadingClass(slot)
            if protocolClass.isRegistered { register(made) } else { own.append(made) }
        }
        return own.isEmpty ? nil : own
    }
}

extension SessionConfiguration {
    /// The capabilities whose absence makes a session of this configuration impossible.
    var neededCapabilities: [Capability] {
        var needed: [Capability] = []
        if kind == .background { needed.append(.backgroundSession) }
        if waitsForConnectivity == true { needed.append(.waitsForConnectivity) }
        if minimumTLSVersion != nil || maximumTLSVersion != nil { needed.append(.tlsVersionLimits) }
        if allowsExpensiveNetworkAccess == false { needed.append(.allowsExpensiveNetworkAccess) }
        if allowsConstrainedNetworkAccess == false { needed.append(.allowsConstrainedNetworkAccess) }
        if delegateMethods != nil { needed.append(.optionalDelegateMethods) }
        if proxy?.kind == .https { needed.append(.secureProxy) }
        if spies.contains(.cookies) { needed.append(.cookieSpy) }
        if spies.contains(.cache) { needed.append(.cacheSpy) }
        if spies.contains(.credentials) { needed.append(.credentialSpy) }
        return needed
    }
}

extension TaskDescription {
    /// The capabilities whose absence makes this task impossible.
    var neededCapabilities: [Capability] {
        var needed: [Capability] = []
        if kind == .stream { needed.append(.streamTask) }
        if policies.response == .becomeDownload { needed.append(.becomeDownload) }
        if hasOwnDelegate { needed.append(.taskDelegate) }
        if asyncMethod != nil { needed.append(.asyncMethods) }
        if asyncMethod == .bytes { needed.append(.asyncBytes) }
        if asyncMethod != nil, resumesFrom != nil { needed.append(.asyncResume) }
        if ownDelegateMethods != nil { needed.append(.optionalDelegateMethods) }
        if kind == .upload, resumesFrom != nil { needed.append(.uploadResumeData) }
        return needed
    }
}
