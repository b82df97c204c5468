extension SessionSettings {
    /// Passes non-default policies to the stores, which implement a part of them. Stores may be shared between
    /// sessions, so the default policies are not applied.
    func applyStorePolicies() {
        if policies.cache != CachePolicy() { urlCache?.adopt(policies.cache) }
        if policies.cookies != CookiePolicy() { cookieStorage?.adopt(policies.cookies) }
    }
}
