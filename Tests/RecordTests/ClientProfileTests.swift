import Testing

@testable import Record

/// A profile that asks too much blames a client for a choice of its own; one that asks too little proves nothing.
@Suite struct ClientProfileTests {
    @Test func `each profile asks for its bases`() {
        func asked(_ profile: ClientProfile) -> [Basis] { Basis.allCases.filter(profile.asks) }
        #expect(asked(.httpClient) == [.rfc])
        #expect(asked(.browser) == [.rfc, .fetch])
        #expect(asked(.urlsession) == Basis.allCases)
        #expect(ClientProfile.allCases.map(\.rawValue) == ["http-client", "browser", "urlsession"])
    }

    @Test func `one asked basis is enough, and a scenario without claims is asked of every client`() {
        #expect(ClientProfile.httpClient.asks(anyOf: [.urlsession, .rfc]))
        #expect(!ClientProfile.httpClient.asks(anyOf: [.urlsession, .fetch, .policy]))
        #expect(ClientProfile.browser.asks(anyOf: [.policy, .fetch]))
        #expect(ClientProfile.httpClient.asks(anyOf: []))
    }

    @Test func `a run is counted under the most general of its bases`() {
        #expect(Basis.main(of: [.policy, .urlsession, .rfc]) == .rfc)
        #expect(Basis.main(of: [.policy, .urlsession]) == .urlsession)
        #expect(Basis.main(of: []) == nil)
    }

    @Test func `only the profile of URLSession compares codes`() {
        #expect(ClientProfile.allCases.filter(\.comparesClasses) == [.httpClient, .browser])
    }
}
