extension TaskDescription {
    func put(into line: inout WireObject) {
        line.set("task", task.text)
        line.set("session", session.text)
        line.set("kind", kind.rawValue)
        line.set("delivery", delivery.rawValue)
        line.set("url", url)
        line.set("method", method)
        if !headers.isEmpty { line.set("headers", headers: headers) }
        switch body {
        case .bytes(let bytes):
            var object = WireObject()
            object.set(bytes: bytes)
            line.set("body", object)
        case .file(let path):
            var object = WireObject()
            object.set("path", path)
            line.set("body", object)
        case nil: break
        }
        if let stream {
            var object = WireObject()
            object.set("supplies", stream.supplies.map { Int64($0) })
            line.set("stream", object)
        }
        if let requestBody {
            var object = WireObject()
            object.set(bytes: requestBody)
            line.set("requestBody", object)
        }
        if retainsDelivered { line.set("retainsDelivered", true) }
        line.set("timeout", timeout)
        line.set("resumesFrom", resumesFrom?.text)
        line.set("allowsCellularAccess", allowsCellularAccess)
        line.set("cachePolicy", cachePolicy?.rawValue)
        line.set("handlesCookies", handlesCookies)
        line.set("mainDocument", mainDocument)
        line.set("priority", number: priority)
        if watchesProgress { line.set("watchesProgress", true) }
        line.set("jointProgress", jointProgress)
        if !policies.blockedCallbacks.isEmpty {
            line.set(
                "blockedCallbacks",
                list: TaskEventName.allCases.filter(policies.blockedCallbacks.contains).map { .text($0.rawValue) })
        }
        if !policies.challenges.isEmpty {
            line.set("challenges", list: policies.challenges.map { .object($0.wire.values) })
        }
        switch policies.redirect {
        case .follow: line.set("redirect", "follow")
        case .refuse: line.set("redirect", "refuse")
        case .to(let url):
            line.set("redirect", "to")
            line.set("redirectURL", url)
        case nil: break
        }
        line.set("response", policies.response?.rawValue)
        if !policies.held.isEmpty {
            line.set(
                "held", list: TaskPolicies.Decision.allCases.filter(policies.held.contains).map { .text($0.rawValue) })
        }
        switch policies.caching {
        case .allow: line.set("caching", "allow")
        case .refuse: line.set("caching", "refuse")
        case .replaceBody(let text):
            line.set("caching", "replaceBody")
            line.set("cachedBody", text)
        case nil: break
        }
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            task: TaskName(try fields.text("task")), kind: try fields.word("kind", Kind.self),
            url: try fields.text("url"))
        session = SessionName(try fields.text("session"))
        delivery = try fields.word("delivery", Delivery.self)
        method = try fields.optional("method", fields.text)
        headers = try fields.optional("headers", fields.headers) ?? []
        if fields.has("body") {
            let object = try fields.object("body")
            body = object.has("path") ? .file(path: try object.text("path")) : .bytes(try object.bytes("base64"))
        }
        if fields.has("stream") {
            let object = try fields.object("stream")
            stream = BodyStream(supplies: try object.optional("supplies", object.count))
        }
        if fields.has("requestBody") { requestBody = try fields.object("requestBody").bytes("base64") }
        retainsDelivered = try fields.optional("retainsDelivered", fields.boolean) ?? false
        timeout = try fields.optional("timeout", fields.duration)
        resumesFrom = try fields.optional("resumesFrom", fields.text).map { TaskName($0) }
        allowsCellularAccess = try fields.optional("allowsCellularAccess", fields.boolean)
        if fields.has("cachePolicy") { cachePolicy = try fields.word("cachePolicy", CachePolicy.self) }
        handlesCookies = try fields.optional("handlesCookies", fields.boolean)
        mainDocument = try fields.optional("mainDocument", fields.text)
        priority = try fields.optional("priority", fields.fraction)
        watchesProgress = try fields.optional("watchesProgress", fields.boolean) ?? false
        jointProgress = try fields.optional("jointProgress", fields.text)
        policies.blockedCallbacks = try Self.blockedCallbacks(fields)
        if fields.has("challenges") {
            for item in try fields.list("challenges") {
                guard let values = item.object else {
                    throw .wrongType("challenges", in: fields.kind, expected: "list of objects")
                }
                policies.challenges.append(
                    try TaskPolicies.ChallengeDecision(WireFields(kind: "makeTask.challenges", values: values)))
            }
        }
        if fields.has("redirect") {
            switch try fields.text("redirect") {
            case "follow": policies.redirect = .follow
            case "refuse": policies.redirect = .refuse
            case "to": policies.redirect = .to(url: try fields.text("redirectURL"))
            case let word: throw .unknownValue(word, field: "redirect", allowed: ["follow", "refuse", "to"])
            }
        }
        if fields.has("response") {
            policies.response = try fields.word("response", TaskPolicies.ResponseDecision.self)
        }
        if fields.has("held") {
            for item in try fields.list("held") {
                let allowed = TaskPolicies.Decision.allCases.map(\.rawValue)
                guard let text = item.text else { throw .wrongType("held", in: fields.kind, expected: "list of texts") }
                guard let word = TaskPolicies.Decision(rawValue: text) else {
                    throw .unknownValue(text, field: "held", allowed: allowed)
                }
                policies.held.insert(word)
            }
        }
        if fields.has("caching") {
            switch try fields.text("caching") {
            case "allow": policies.caching = .allow
            case "refuse": policies.caching = .refuse
            case "replaceBody": policies.caching = .replaceBody(try fields.text("cachedBody"))
            case let word: throw .unknownValue(word, field: "caching", allowed: ["allow", "refuse", "replaceBody"])
            }
        }
    }
}

extension TaskDescription {
    fileprivate static func blockedCallbacks(_ fields: WireFields) throws(WireError) -> Set<TaskEventName> {
        guard fields.has("blockedCallbacks") else { return [] }
        var names: Set<TaskEventName> = []
        for item in try fields.list("blockedCallbacks") {
            guard let text = item.text else {
                throw .wrongType("blockedCallbacks", in: fields.kind, expected: "list of texts")
            }
            guard let name = TaskEventName(rawValue: text) else {
                throw .unknownValue(text, field: "blockedCallbacks", allowed: TaskEventName.allCases.map(\.rawValue))
            }
            names.insert(name)
        }
        return names
    }
}

extension TaskPolicies.ChallengeDecision {
    fileprivate var wire: WireObject {
        var object = WireObject()
        switch self {
        case .credential(let user, let password, let persistence):
            object.set("decision", "credential")
            object.set("user", user)
            object.set("password", password)
            // Omitted when it has the only value that version 1 had at first.
            if persistence != .forSession { object.set("persistence", persistence.rawValue) }
        case .serverTrust: object.set("decision", "serverTrust")
        case .clientCertificate(let chain, let key):
            object.set("decision", "clientCertificate")
            object.set("chainPath", chain)
            object.set("keyPath", key)
        case .performDefaultHandling: object.set("decision", "performDefaultHandling")
        case .rejectProtectionSpace: object.set("decision", "rejectProtectionSpace")
        case .cancel: object.set("decision", "cancel")
        }
        return object
    }

    fileprivate init(_ fields: WireFields) throws(WireError) {
        switch try fields.text("decision") {
        case "credential":
            self = .credential(
                user: try fields.text("user"), password: try fields.text("password"),
                persistence: fields.has("persistence")
                    ? try fields.word("persistence", CredentialPersistence.self) : .forSession)
        case "serverTrust": self = .serverTrust
        case "clientCertificate":
            self = .clientCertificate(chainPath: try fields.text("chainPath"), keyPath: try fields.text("keyPath"))
        case "performDefaultHandling": self = .performDefaultHandling
        case "rejectProtectionSpace": self = .rejectProtectionSpace
        case "cancel": self = .cancel
        case let word:
            throw .unknownValue(
                word, field: "decision",
                allowed: [
                    "credential", "serverTrust", "clientCertificate", "performDefaultHandling", "rejectProtectionSpace",
                    "cancel",
                ])
        }
    }
}
