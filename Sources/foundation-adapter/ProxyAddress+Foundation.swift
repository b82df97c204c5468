import AdapterProtocol

extension ProxyAddress {
    /// The keys are the values of the kCFNetworkProxies… and kCFStreamPropertySOCKS… constants, which this platform does not declare.
    var foundation: [AnyHashable: Any] {
        switch kind {
        case .http, .https:
            return [
                "HTTPEnable": 1, "HTTPProxy": host, "HTTPPort": port, "HTTPSEnable": 1, "HTTPSProxy": host,
                "HTTPSPort": port,
            ]
        case .socks5:
            var settings: [AnyHashable: Any] = ["SOCKSEnable": 1, "SOCKSProxy": host, "SOCKSPort": port]
            if let user { settings["kCFStreamPropertySOCKSUser"] = user }
            if let password { settings["kCFStreamPropertySOCKSPassword"] = password }
            return settings
        }
    }
}
