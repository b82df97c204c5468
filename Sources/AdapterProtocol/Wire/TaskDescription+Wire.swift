extension TaskDescription {
    func put(into line: inout WireObject) {
        line.set("task", task.text)
        line.set("session", session.text)
        line.set("kind", kind.rawValue)
        line.set("url", url)
        if let stream {
            var object = WireObject()
            object.set("supplies", stream.supplies.map { Int64($0) })
            if stream.fails { object.set("fails", true) }
            line.set("stream", object)
        }
        line.set("resumesFrom", resumesFrom?.text)
        Self.settings.encode(self, into: &line)
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            task: TaskName(try fields.text("task")), kind: try fields.word("kind", Kind.self),
            url: try fields.text("url"))
        session = SessionName(try fields.text("session"))
        if fields.has("stream") {
            let object = try fields.object("stream")
            stream = BodyStream(
                supplies: try object.optional("supplies", object.count),
                fails: object.has("fails") ? try object.boolean("fails") : false)
        }
        resumesFrom = try fields.optional("resumesFrom", fields.text).map { TaskName($0) }
        try Self.settings.decode(fields, into: &self)
    }
}

extension TaskDescription.Body: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        switch self {
        case .bytes(let bytes): object.set(bytes: bytes)
        case .file(let path): object.set("path", path)
        }
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self = fields.has("path") ? .file(path: try fields.text("path")) : .bytes(try fields.bytes("base64"))
    }
}

extension SettingCodec<TaskDescription.Delivery> {
    /// True: a completion handler.
    static var completionHandler: SettingCodec {
        SettingCodec(
            form: .boolean, read: { $0 == .boolean(true) ? .completionHandler : .delegate }, encode: word.encode,
            decode: word.decode)
    }
}

extension SettingCodec<Double> {
    /// A number from 0 to 1, for which scenario files have words.
    static func fraction(_ words: KeyValuePairs<String, Double>) -> SettingCodec {
        let words = words.map { (word: $0.key, number: $0.value) }
        return SettingCodec(
            form: .word(words.map(\.word)), read: { value in words.first { value == .text($0.word) }?.number },
            encode: { $2.set($1, number: $0) },
            decode: { (fields, name) throws(WireError) in try fields.fraction(name) })
    }
}

extension SettingCodec<[UInt8]> {
    static func bytes(_ structure: SettingStructure) -> SettingCodec {
        .structure(
            structure,
            encode: { bytes, name, line in
                var object = WireObject()
                object.set(bytes: bytes)
                line.set(name, object)
            },
            decode: { (fields, name) throws(WireError) in try fields.object(name).bytes("base64") })
    }
}

extension SettingCodec<TaskPolicies.RedirectDecision> {
    static var redirect: SettingCodec {
        .structure(
            .redirect,
            encode: { decision, name, line in
                switch decision {
                case .follow: line.set(name, "follow")
                case .refuse: line.set(name, "refuse")
                case .to(let url, let method, let body):
                    line.set(name, "to")
                    line.set("redirectURL", url)
                    line.set("redirectMethod", method)
                    line.set("redirectBody", body)
                }
            },
            decode: { (fields, name) throws(WireError) in
                switch try fields.text(name) {
                case "follow": .follow
                case "refuse": .refuse
                case "to":
                    .to(
                        url: try fields.text("redirectURL"), method: try fields.optional("redirectMethod", fields.text),
                        body: try fields.optional("redirectBody", fields.text))
                case let word: throw .unknownValue(word, field: name, allowed: ["follow", "refuse", "to"])
                }
            })
    }
}

extension SettingCodec<TaskPolicies.CachingDecision> {
    static var caching: SettingCodec {
        .structure(
            .caching,
            encode: { decision, name, line in
                switch decision {
                case .allow: line.set(name, "allow")
                case .refuse: line.set(name, "refuse")
                case .replaceBody(let text):
                    line.set(name, "replaceBody")
                    line.set("cachedBody", text)
                }
            },
            decode: { (fields, name) throws(WireError) in
                switch try fields.text(name) {
                case "allow": .allow
                case "refuse": .refuse
                case "replaceBody": .replaceBody(try fields.text("cachedBody"))
                case let word: throw .unknownValue(word, field: name, allowed: ["allow", "refuse", "replaceBody"])
                }
            })
    }
}

extension TaskPolicies.ChallengeDecision: WireStructure {
    var wire: WireObject {
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

    init(_ fields: WireFields) throws(WireError) {
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
