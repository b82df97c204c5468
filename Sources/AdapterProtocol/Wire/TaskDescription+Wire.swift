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
        line.set("timeout", timeout)
        line.set("resumesFrom", resumesFrom?.text)
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
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            task: TaskName(try fields.text("task")), kind: try fields.word("kind", Kind.self), url: try fields.text("url"))
        session = SessionName(try fields.text("session"))
        delivery = try fields.word("delivery", Delivery.self)
        method = try fields.optional("method", fields.text)
        headers = try fields.headers("headers")
        if fields.has("body") {
            let object = try fields.object("body")
            body = object.has("path") ? .file(path: try object.text("path")) : .bytes(try object.bytes("base64"))
        }
        timeout = try fields.optional("timeout", fields.duration)
        resumesFrom = try fields.optional("resumesFrom", fields.text).map { TaskName($0) }
        if fields.has("challenges") {
            for item in try fields.list("challenges") {
                guard let values = item.object else {
                    throw .wrongType("challenges", in: fields.kind, expected: "list of objects")
                }
                policies.challenges.append(
                    try TaskPolicies.ChallengeAnswer(WireFields(kind: "makeTask.challenges", values: values)))
            }
        }
        if fields.has("redirect") {
            switch try fields.text("redirect") {
            case "follow": policies.redirect = .follow
            case "refuse": policies.redirect = .refuse
            case "to": policies.redirect = .to(url: try fields.text("redirectURL"))
            case let word: throw .unknownWord(word, field: "redirect", allowed: ["follow", "refuse", "to"])
            }
        }
        if fields.has("response") {
            policies.response = try fields.word("response", TaskPolicies.ResponseAnswer.self)
        }
    }
}

extension TaskPolicies.ChallengeAnswer {
    fileprivate var wire: WireObject {
        var object = WireObject()
        switch self {
        case .credential(let user, let password):
            object.set("answer", "credential")
            object.set("user", user)
            object.set("password", password)
        case .performDefaultHandling: object.set("answer", "performDefaultHandling")
        case .rejectProtectionSpace: object.set("answer", "rejectProtectionSpace")
        case .cancel: object.set("answer", "cancel")
        }
        return object
    }

    fileprivate init(_ fields: WireFields) throws(WireError) {
        switch try fields.text("answer") {
        case "credential": self = .credential(user: try fields.text("user"), password: try fields.text("password"))
        case "performDefaultHandling": self = .performDefaultHandling
        case "rejectProtectionSpace": self = .rejectProtectionSpace
        case "cancel": self = .cancel
        case let word:
            throw .unknownWord(
                word, field: "answer",
                allowed: ["credential", "performDefaultHandling", "rejectProtectionSpace", "cancel"])
        }
    }
}
