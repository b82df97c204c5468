public import Foundation
public import FoundationNetworking
import Synchronization

extension NSNotification.Name {
    /// Posted after the set of stored credentials has changed, like NSURLCredentialStorageChanged, on the thread that
    /// changed it. The notification's object is the storage.
    public static let adaptableCredentialStorageChanged = NSNotification.Name("AdaptableCredentialStorageChanged")
}

/// Credentials by protection space, like URLCredentialStorage. All of them are kept in memory: `permanent` credentials
/// last only as long as the storage, because this platform does not have a keychain.
///
/// A session uses the methods that take the task; a subclass may call their completion handlers later and on any
/// thread. `@unchecked` is safe because the only state is behind a lock; Swift does not allow a checked `Sendable` for
/// a class that can be subclassed.
open class AdaptableCredentialStorage: @unchecked Sendable {
    /// The storage of sessions whose configuration does not set another one.
    public static let shared = AdaptableCredentialStorage()

    private struct Entry: Sendable {
        var space: URLProtectionSpace
        /// In the order in which the users were added.
        var credentials: [URLCredential] = []
        var defaultUser: String?
    }

    /// `URLCredential.Persistence.synchronizable`, whose name is deprecated here because nothing is synchronised.
    private static let synchronizable: UInt = 3

    private let entries = Mutex<[ProtectionSpaceKey: Entry]>([:])

    /// Creates an empty storage, as ephemeral sessions have.
    public init() {}

    /// All stored credentials, by protection space and user name.
    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        entries.withLock { entries in
            var all: [URLProtectionSpace: [String: URLCredential]] = [:]
            for entry in entries.values { all[entry.space] = AdaptableCredentialStorage.byUser(entry) }
            return all
        }
    }

    /// Returns the credentials by user name; nil if there are none.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        entries.withLock { $0[ProtectionSpaceKey(space)].map(AdaptableCredentialStorage.byUser) }
    }

    /// Returns the default credential if one was set, otherwise the credential if there is only one.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        entries.withLock { entries in
            guard let entry = entries[ProtectionSpaceKey(space)] else { return nil }
            if let user = entry.defaultUser { return entry.credentials.first { $0.user == user } }
            return entry.credentials.count == 1 ? entry.credentials[0] : nil
        }
    }

    /// Stores the credential in place of one of the same user. A credential without a user or with the persistence
    /// `none` is not stored.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, space, asDefault: false)
    }

    /// Stores the credential, like `set`, and makes it the default of its protection space.
    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, space, asDefault: true)
    }

    /// Removes the credential of the same user. A `synchronizable` credential is removed only if the option
    /// NSURLCredentialStorageRemoveSynchronizableCredentials is true.
    open func remove(_ credential: URLCredential, for space: URLProtectionSpace, options: [String: any Sendable]? = nil)
    {
        let removesSynchronizable = options?[NSURLCredentialStorageRemoveSynchronizableCredentials] as? Bool == true
        guard credential.persistence.rawValue != AdaptableCredentialStorage.synchronizable || removesSynchronizable
        else { return }
        let key = ProtectionSpaceKey(space)
        let hasChanged = entries.withLock { entries in
            guard var entry = entries[key] else { return false }
            let count = entry.credentials.count
            entry.credentials.removeAll { $0.user == credential.user }
            if entry.defaultUser == credential.user { entry.defaultUser = nil }
            entries[key] = entry.credentials.isEmpty ? nil : entry
            return entry.credentials.count != count
        }
        if hasChanged { postChange() }
    }

    /// Posts the notification. Call it without the lock: an observer may use the storage.
    private func postChange() {
        NotificationCenter.default.post(name: .adaptableCredentialStorageChanged, object: self)
    }

    private func keep(_ credential: URLCredential, _ space: URLProtectionSpace, asDefault: Bool) {
        guard let user = credential.user, credential.persistence != .none else { return }
        let key = ProtectionSpaceKey(space)
        let hasChanged = entries.withLock { entries in
            var entry = entries[key] ?? Entry(space: space)
            let old = entry.credentials.first { $0.user == user }
            // A new default is a change too: it decides which credential is used.
            let hasChanged =
                !(old.map { AdaptableCredentialStorage.isSame($0, credential) } ?? false)
                || asDefault && entry.defaultUser != user
            entry.credentials.removeAll { $0.user == user }
            entry.credentials.append(credential)
            if asDefault { entry.defaultUser = user }
            entries[key] = entry
            return hasChanged
        }
        if hasChanged { postChange() }
    }

    private static func isSame(_ one: URLCredential, _ other: URLCredential) -> Bool {
        if one === other { return true }
        return type(of: one) == URLCredential.self && type(of: other) == URLCredential.self && one.user == other.user
            && one.password == other.password && one.persistence == other.persistence
    }

    private static func byUser(_ entry: Entry) -> [String: URLCredential] {
        Dictionary(entry.credentials.map { ($0.user ?? "", $0) }) { _, last in last }
    }

    // MARK: Methods that take the task (STOR-03)

    /// Returns the credentials of a space for a task. Sessions do not call this method.
    open func getCredentials(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        completionHandler(credentials(for: space))
    }

    /// Called by a session for the default credential of a space; `task` received the challenge.
    open func getDefaultCredential(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        completionHandler(defaultCredential(for: space))
    }

    /// Stores a credential for a task. Sessions do not call this method.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask) {
        set(credential, for: space)
    }

    /// Called by a session to store a credential of the delegate that the server accepted, as the default of its space.
    open func setDefaultCredential(
        _ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask
    ) {
        setDefaultCredential(credential, for: space)
    }

    /// Removes a credential for a task. Sessions do not call this method.
    open func remove(
        _ credential: URLCredential, for space: URLProtectionSpace, options: [String: any Sendable]? = nil,
        task: AdaptableSessionTask
    ) {
        remove(credential, for: space, options: options)
    }
}
