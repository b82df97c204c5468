import AdapterProtocol

extension NeededCapabilities {
    /// The capabilities that a session's stores and a task's use of them require.
    enum OfStores {
        static func of(_ configuration: SessionConfiguration) -> Set<Capability> {
            var needs: Set<Capability> = []
            if let cache = configuration.cache {
                needs.insert(.cache)
                // A default session already uses the shared store of the process.
                if cache.storage != .shared { needs.insert(.cacheStorage) }
            }
            if configuration.cachePolicy != nil { needs.formUnion([.cache, .cachePolicy]) }
            if let cookies = configuration.cookies {
                needs.insert(.cookies)
                if cookies.acceptance != nil { needs.insert(.cookieAcceptance) }
                if cookies.sends != nil { needs.insert(.cookieControl) }
                if let storage = cookies.storage, storage != .shared { needs.insert(.cookieStorage) }
            }
            if configuration.credentials != nil { needs.insert(.credentialStorage) }
            return needs
        }

        static func of(_ task: TaskDescription) -> Set<Capability> {
            var needs: Set<Capability> = []
            if task.allowsCellularAccess == false { needs.insert(.allowsCellularAccess) }
            if task.cachePolicy != nil { needs.formUnion([.cache, .cachePolicy]) }
            if task.policies.caching != nil { needs.formUnion([.cache, .cacheDecision]) }
            if task.handlesCookies != nil { needs.formUnion([.cookies, .cookieControl]) }
            if task.mainDocument != nil { needs.formUnion([.cookies, .cookieAcceptance]) }
            if task.priority != nil { needs.insert(.taskPriority) }
            for answer in task.policies.challenges {
                switch answer {
                case .credential(_, _, .forSession), .performDefaultHandling, .rejectProtectionSpace, .cancel: break
                case .credential(_, _, .none), .credential(_, _, .permanent): needs.insert(.credentialStorage)
                case .serverTrust: needs.insert(.serverTrustChallenge)
                case .clientCertificate: needs.insert(.clientCertificateChallenge)
                }
            }
            return needs
        }
    }
}
