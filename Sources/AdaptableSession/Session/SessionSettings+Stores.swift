extension SessionSettings {
    /// Stores decide part of what policies say. They may be shared, so only a session with other policies than the usual tells them.
    func applyStorePolicies() {
        if policies.cache != CachePolicy() { urlCache?.adopt(policies.cache) }
        if policies.cookies != CookiePolicy() { cookieStorage?.adopt(policies.cookies) }
    }
}
