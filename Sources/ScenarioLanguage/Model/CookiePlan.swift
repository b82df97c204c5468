/// One Set-Cookie field.
package enum CookiePlan: Hashable, Sendable {
    /// The field's value byte for byte.
    case text(String)
    case made(Made)

    package struct Made: Hashable, Sendable {
        package enum SameSite: String, CaseIterable, Hashable, Sendable {
            case strict = "Strict"
            case lax = "Lax"
            case none = "None"
        }
        package var name: String
        package var value: String
        package var domain: String?
        package var path: String?
        /// Time from the response to its Expires date.
        package var expiresIn: Duration?
        /// Time from the Expires date back to the response: the client must remove the cookie.
        package var expiredSince: Duration?
        /// Max-Age in seconds; zero or a negative number removes the cookie.
        package var maxAge: Int64?
        package var isSecure = false
        package var isHTTPOnly = false
        package var sameSite: SameSite?
        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }
}
