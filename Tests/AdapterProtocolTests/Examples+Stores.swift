import AdapterProtocol

/// The fields about cache, cookies and credentials, with no two numbers equal.
extension Examples {
    static var storing: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.cache = CacheSettings(storage: .named("left"), memoryCapacity: 1_048_576, diskCapacity: large)
        configuration.cachePolicy = .returnCacheDataElseLoad
        configuration.cookies = CookieSettings(
            acceptance: .onlyFromMainDocumentDomain, sends: false, storage: StorageChoice.none)
        configuration.credentials = CredentialSettings(
            storage: .shared,
            stored: [
                StoredCredential(
                    method: .basic, scheme: "http", host: "api.test", port: 80, realm: "lab", user: "ann",
                    password: "p\"w",
                    persistence: .permanent, isDefault: true)
            ])
        return configuration
    }

    static var cached: TaskDescription {
        var task = TaskDescription(task: "fourth", kind: .data, url: "http://api.test/a")
        task.allowsCellularAccess = false
        task.cachePolicy = .returnCacheDataDontLoad
        task.handlesCookies = false
        task.mainDocument = "http://api.test/page"
        task.priority = 0.75
        task.policies.caching = .replaceBody("other\n")
        task.policies.challenges = [
            .credential(user: "ann", password: "pw", persistence: CredentialPersistence.none), .serverTrust,
            .clientCertificate(chainPath: "/mnt/chain", keyPath: "/mnt/key"),
        ]
        return task
    }
}
