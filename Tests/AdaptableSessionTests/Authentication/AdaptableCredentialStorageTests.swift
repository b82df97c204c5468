import AdaptableSession
import Foundation
import FoundationNetworking
import Testing

struct AdaptableCredentialStorageTests {
    /// A new object every time: URLProtectionSpace itself compares by identity here.
    private func space(realm: String = "lab", port: Int = 80, method: String = NSURLAuthenticationMethodHTTPBasic) -> URLProtectionSpace {
        URLProtectionSpace(host: "H.test", port: port, protocol: "http", realm: realm, authenticationMethod: method)
    }

    @Test func `Credentials are found again by what their space says`() {
        let storage = AdaptableCredentialStorage()
        storage.set(URLCredential(user: "ann", password: "1", persistence: .forSession), for: space())
        #expect(storage.defaultCredential(for: space())?.user == "ann")
        #expect(storage.credentials(for: space())?.count == 1)
        #expect(storage.defaultCredential(for: space(realm: "other")) == nil)
        #expect(storage.defaultCredential(for: space(port: 81)) == nil)
        #expect(storage.defaultCredential(for: space(method: NSURLAuthenticationMethodHTTPDigest)) == nil)
        #expect(storage.allCredentials.count == 1)
    }

    @Test func `Of several users one is the default only when it was made so`() {
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

    @Test func `One of persistence none is not kept`() {
        let storage = AdaptableCredentialStorage()
        storage.setDefaultCredential(URLCredential(user: "ann", password: "1", persistence: .none), for: space())
        #expect(storage.credentials(for: space()) == nil)
    }

    @Test func `A synchronizable one is removed by the option only`() throws {
        let storage = AdaptableCredentialStorage()
        let credential = URLCredential(user: "ann", password: "1", persistence: try #require(URLCredential.Persistence(rawValue: 3)))
        storage.set(credential, for: space())
        storage.remove(credential, for: space())
        #expect(storage.credentials(for: space()) != nil)
        storage.remove(credential, for: space(), options: [NSURLCredentialStorageRemoveSynchronizableCredentials: true])
        #expect(storage.credentials(for: space()) == nil)
    }
}
