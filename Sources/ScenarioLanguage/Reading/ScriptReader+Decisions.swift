import AdapterProtocol

/// Reads the options of a task and the decisions of its delegate.
extension ScriptReader {
    mutating func readDecisions(_ fields: Fields, into task: inout TaskDescription) {
        task.session = session(fields)
        for setting in TaskDescription.taskSettings { readSetting(setting, fields, into: &task) }
        refuseUnknownEvents(task, fields)
        readChallenges(fields, into: &task)
        checkCallbacks(task, fields)
        checkHeld(task, fields)
        switch fields.text("redirect") {
        case nil: break
        case "follow": task.policies.redirect = .follow
        case "refuse": task.policies.redirect = .refuse
        case let text?:
            let place = fields.place(of: "redirect")
            guard text.contains("/") else {
                findings.refuse(
                    place,
                    "`redirect` is `\(text.shortened)`\(Spelling.hint(for: text, among: ["follow", "refuse"])), or a path or URL"
                )
                return
            }
            let target = findings.attempt { () throws(ScenarioError) in
                try RequestTarget.parse(text, secure: origin.tls != nil, at: place)
            }
            task.policies.redirect = target.map { .to(url: $0.url) }
        }
    }

    mutating func readSetting(
        _ setting: Setting<TaskDescription>, _ fields: Fields, into task: inout TaskDescription
    ) {
        setting.read(fields, into: &task, isSecure: origin.tls != nil, &findings)
    }

    static let challenge = Shape.oneOrMore(
        .either([
            .word(["cancel", "default", "reject", "trust"]),
            .choice(
                [Field("user", .text, "The user of the credential.")],
                beside: [Field("password", .text, required: true, "Its password."), StoreReader.persistence]),
            .choice(
                [
                    Field(
                        "certificate", .word(ClientIdentity.allCases.map(\.rawValue)),
                        "A client certificate from the lab's authority (known) or from another one (unknown).")
                ], beside: []),
        ]))

    func readChallenges(_ fields: Fields, into task: inout TaskDescription) {
        task.policies.challenges = (fields.value("challenge")?.elements ?? []).compactMap { value in
            switch value.text {
            case "cancel": return .cancel
            case "default": return .performDefaultHandling
            case "reject": return .rejectProtectionSpace
            case "trust": return .serverTrust
            default:
                if let identity = value.fields?.text("certificate").flatMap(ClientIdentity.init(rawValue:)) {
                    return .clientCertificate(chainPath: identity.chainFile, keyPath: identity.keyFile)
                }
                guard let user = value.fields?.text("user"), let password = value.fields?.text("password") else {
                    return nil
                }
                return .credential(
                    user: user, password: password,
                    persistence: value.fields.map(StoreReader.persistence) ?? .forSession)
            }
        }
    }
}
