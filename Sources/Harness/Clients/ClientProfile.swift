/// The expectations that are asked of a client.
package enum ClientProfile: String, CaseIterable, Hashable, Sendable {
    case httpClient = "http-client"
    case browser
    case urlsession
}
