public import Foundation
public import FoundationNetworking
import Synchronization

extension NSNotification.Name {
    /// Posted when the set of stored credentials has changed, as NSURLCredentialStorageChanged is. Its object is the storage; it comes on
    /// the thread that changed the storage, after the change.
    public static let adaptableCredentialStorageChanged = NSNotification.Name("AdaptableCredentialStorageChanged")
}

/// Credentials by protection space, as URLCredentialStorage keeps them. All of them live in memory: `permanent` lasts as long as the storage
/// does, since this platform has no keychain.
///
/// A session asks and tells it through the variants that take the task; a subclass may answer them later and from any thread.
/// The only state is behind a lock; Swift has no other way than `@unchecked` to say that of a class that can be subclassed.
open class AdaptableCredentialStorage: @unchecked Sendable {
    /// What sessions share unless their configuration names another.
    public static let shared = AdaptableCredentialStorage()

    private struct Entry: Sendable {
        var space: URLProtectionSpace
        /// In the order in which the users came.
        var credentials: [URLCredential] = []
        var defaultUser: String?
    }

    /// `URLCredential.Persistence.synchronizable`, whose name is deprecated here because nothing is synchronised.
    private static let synchronizable: UInt = 3

    private let entries = Mutex<[ProtectionSpaceKey: Entry]>([:])

    /// An empty one, as ephemeral sessions have.
    public init() {}

    open var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        entries.withLock { entries in
            var all: [URLProtectionSpace: [String: URLCredential]] = [:]
            for entry in entries.values { all[entry.space] = AdaptableCredentialStorage.byUser(entry) }
            return all
        }
    }

    /// By user; nil when there are none.
    open func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        entries.withLock { $0[ProtectionSpaceKey(space)].map(AdaptableCredentialStorage.byUser) }
    }

    /// The one that was made the default, otherwise the only one.
    open func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        entries.withLock { entries in
            guard let entry = entries[ProtectionSpaceKey(space)] else { return nil }
            if let user = entry.defaultUser { return entry.credentials.first { $0.user == user } }
            return entry.credentials.count == 1 ? entry.credentials[0] : nil
        }
    }

    /// Replaces the credential of the same user. One without a user, or of persistence `none`, is not kept.
    open func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, space, asDefault: false)
    }

    open func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        keep(credential, space, asDefault: true)
    }

    /// One that is `synchronizable` goes only with the option NSURLCredentialStorageRemoveSynchronizableCredentials.
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

    /// Outside the lock: an observer may use the storage.
    private func postChange() {
        NotificationCenter.default.post(name: .adaptableCredentialStorageChanged, object: self)
    }

    private func keep(_ credential: URLCredential, _ space: URLProtectionSpace, asDefault: Bool) {
        guard let user = credential.user, credential.persistence != .none else { return }
        let key = ProtectionSpaceKey(space)
        let hasChanged = entries.withLock { entries in
            var entry = entries[key] ?? Entry(space: space)
            let old = entry.credentials.first { $0.user == user }
            // The default is part of it: it decides which credential is used.
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

    // MARK: With the task that asks (STOR-03)

    open func getCredentials(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable ([String: URLCredential]?) -> Void
    ) {
        completionHandler(credentials(for: space))
    }

    open func getDefaultCredential(
        for space: URLProtectionSpace, task: AdaptableSessionTask,
        completionHandler: @escaping @Sendable (URLCredential?) -> Void
    ) {
        completionHandler(defaultCredential(for: space))
    }

    open func set(_ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask) {
        set(credential, for: space)
    }

    open func setDefaultCredential(
        _ credential: URLCredential, for space: URLProtectionSpace, task: AdaptableSessionTask
    ) {
        setDefaultCredential(credential, for: space)
    }

    open func remove(
        _ credential: URLCredential, for space: URLProtectionSpace, options: [String: any Sendable]? = nil,
        task: AdaptableSessionTask
    ) {
        remove(credential, for: space, options: options)
    }
}
