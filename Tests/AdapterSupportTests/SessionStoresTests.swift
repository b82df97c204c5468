import AdapterProtocol
@testable import AdapterSupport
import Testing

@Suite struct SessionStoresTests {
    /// Each store is a number of its own, so equal numbers are the same store.
    @Test func `A named store is made once, and sessions with its name share it`() {
        var stores = NamedStores<Int>()
        var made = 0
        func store(_ choice: StorageChoice) -> Int? {
            stores.store(choice, shared: 0) { _ in
                made += 1
                return made
            }
        }
        #expect([.named("a"), .named("b"), .named("a")].map(store) == [1, 2, 1])
        #expect(store(.shared) == 0)
        #expect(store(.none) == nil)
        #expect(made == 2)
    }
}

@Suite struct NeededCapabilitiesTests {
    @Test func `A plain session and a plain task can be made by every implementation`() {
        #expect(SessionConfiguration().neededCapabilities == [])
        #expect(TaskDescription(task: "first", kind: .upload, url: "https://api.test/").neededCapabilities == [])
    }

    @Test func `A session needs what its settings name`() {
        var configuration = SessionConfiguration()
        configuration.kind = .background
        configuration.waitsForConnectivity = true
        configuration.maximumTLSVersion = .tls12
        configuration.proxy = ProxyAddress(kind: .https, host: "proxy.test", port: 443)
        configuration.spies = [.cookies, .cache, .credentials]
        configuration.allowsExpensiveNetworkAccess = false
        configuration.allowsConstrainedNetworkAccess = false
        #expect(
            configuration.neededCapabilities == [
                .backgroundSession, .waitsForConnectivity, .tlsVersionLimits, .allowsExpensiveNetworkAccess,
                .allowsConstrainedNetworkAccess, .secureProxy, .cookieSpy, .cacheSpy, .credentialSpy,
            ])
        configuration = SessionConfiguration()
        configuration.waitsForConnectivity = false
        configuration.proxy = ProxyAddress(kind: .http, host: "proxy.test", port: 80)
        #expect(configuration.neededCapabilities == [])
    }

    @Test func `Only an upload from resume data needs resumable uploads`() {
        var task = TaskDescription(task: "second", kind: .download, url: "https://api.test/")
        task.resumesFrom = "first"
        #expect(task.neededCapabilities == [])
        task.kind = .upload
        #expect(task.neededCapabilities == [.uploadResumeData])
        task = TaskDescription(task: "third", kind: .stream, url: "tcp://api.test:80")
        task.policies.response = .becomeDownload
        task.hasOwnDelegate = true
        #expect(task.neededCapabilities == [.streamTask, .becomeDownload, .taskDelegate])
    }
}
