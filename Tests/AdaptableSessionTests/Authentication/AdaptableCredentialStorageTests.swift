import AdaptableSession
import Foundation
import FoundationNetworking
import Synchronization
import Testing

struct AdaptableCredentialStorageTests {
    /// Returns a new object every time, because URLProtectionSpace compares by identity on this platform.
    private func space(realm: String = "lab", port: Int = 80, method: String = NSURLAuthenticationMethodHTTPBasic)
        -> URLProtectionSpace
    {
        URLProtectionSpace(host: "H.test", port: port, protocol: "http", realm: realm, authenticationMethod: method)
    }

    @Test func `credentials are found by the properties of their protection space`() {
        let storage = AdaptableCredentialStorage()
        storage.set(URLCredential(user: "ann", password: "1", persistence: .forSession), for: space())
        #expect(storage.defaultCredential(for: space())?.user == "ann")
        #expect(storage.credentials(for: space())?.count == 1)
        #expect(storage.defaultCredential(for: space(realm: "other")) == nil)
        #expect(storage.defaultCredential(for: space(port: 81)) == nil)
        #expect(storage.defaultCredential(for: space(method: NSURLAuthenticationMethodHTTPDigest)) == nil)
        #expect(storage.allCredentials.count == 1)
    }

    @Test func `among several users only the one set as default is the default`() {
        let storage = AdaptableCredentialStorage()
        storage.set(URLCredential(user: "ann", password: "1", persistence: .forSession), for: space())
        storage.set(URLCredential(user: "bob", password: "2", persistence: .permanent), for: space())
        #expect(storage.defaultCredential(for: space()) == nil)
        storage.setDefaultCredential(URLCredential(user: "ann", password: "3", persistence: .forSession), for: space())
        #expect(storage.defaultCredential(for: space())?.password == "3")
        #expect(storage.credentials(for: space())?.keys.sorted() == ["ann", "bob"])
        storage.remove(URLCredential(user: "ann", password: "3", persistence: .forSession), for: space())
        #expect(storage.defaultCredential(for: space())?.user == "bob")
    }

    @Test func `a credential with persistence none is not stored`() {
        let storage = AdaptableCredentialStorage()
        storage.setDefaultCredential(URLCredential(user: "ann", password: "1", persistence: .none), for: space())
        #expect(storage.credentials(for: space()) == nil)
    }

    @Test func `a synchronizable credential is removed only with the option`() throws {
        let storage = AdaptableCredentialStorage()
        let credential = URLCredential(
            user: "ann", password: "1", persistence: try #require(URLCredential.Persistence(rawValue: 3)))
        storage.set(credential, for: space())
        storage.remove(credential, for: space())
        #expect(storage.credentials(for: space()) != nil)
        storage.remove(credential, for: space(), options: [NSURLCredentialStorageRemoveSynchronizableCredentials: true])
        #expect(storage.credentials(for: space()) == nil)
    }

    /// Returns the number of credentials that each notification reports while `act` runs.
    private func posted(by storage: AdaptableCredentialStorage, _ act: () -> Void) -> [Int] {
        let counts = Mutex<[Int]>([])
        let observer = NotificationCenter.default.addObserver(
            forName: .adaptableCredentialStorageChanged, object: storage, queue: nil
        ) { notification in
            // The lock is not held: an observer may query the storage.
            let all = (notification.object as? AdaptableCredentialStorage)?.allCredentials
            counts.withLock { $0.append(all?.values.reduce(0) { $0 + $1.count } ?? -1) }
        }
        act()
        NotificationCenter.default.removeObserver(observer)
        return counts.withLock { $0 }
    }

    @Test func `a change posts a notification and a call without effect posts none`() {
        let storage = AdaptableCredentialStorage()
        func ann(_ password: String) -> URLCredential {
            URLCredential(user: "ann", password: password, persistence: .forSession)
        }
        let bob = URLCredential(user: "bob", password: "1", persistence: .permanent)
        #expect(posted(by: storage) { storage.set(ann("1"), for: space()) } == [1])
        #expect(posted(by: storage) { storage.set(ann("1"), for: space()) }.isEmpty)
        #expect(posted(by: storage) { storage.set(ann("2"), for: space()) } == [1])
        #expect(posted(by: storage) { storage.set(bob, for: space(realm: "other")) } == [2])
        #expect(posted(by: storage) { storage.setDefaultCredential(ann("2"), for: space()) } == [2])
        #expect(posted(by: storage) { storage.setDefaultCredential(ann("2"), for: space()) }.isEmpty)
        #expect(
            posted(by: storage) {
                storage.set(URLCredential(user: "eve", password: "1", persistence: .none), for: space())
            }.isEmpty)
        #expect(posted(by: storage) { _ = storage.defaultCredential(for: space()) }.isEmpty)
        #expect(posted(by: storage) { storage.remove(bob, for: space()) }.isEmpty)
        #expect(posted(by: storage) { storage.remove(ann("2"), for: space()) } == [1])
        #expect(posted(by: storage) { storage.remove(ann("2"), for: space()) }.isEmpty)
        #expect(posted(by: AdaptableCredentialStorage()) { storage.remove(bob, for: space(realm: "other")) }.isEmpty)
        #expect(storage.allCredentials.isEmpty)
    }
}
