import AdapterProtocol

/// Reads the options of a task and the decisions of its delegate.
extension ScriptReader {
    mutating func readDecisions(_ fields: Fields, into task: inout TaskDescription) {
        task.session = session(fields)
        for setting in TaskDescription.taskSettings { readSetting(setting, fields, into: &task) }
        refuseWrongDelivery(task, fields)
        readChallenges(fields, into: &task)
        checkCallbacks(task, fields)
        checkHeld(task, fields)
        task.policies.redirect = redirectDecision(fields)
    }

    static let redirect = Shape.either([
        .text,
        .object([
            Field("to", .text, required: true, "The path or URL of the request that the delegate returns."),
            Field("method", .text, "Its method; default that of the proposed request."),
            Field("body", .text, "Its body; default that of the proposed request."),
        ]),
    ])

    private mutating func redirectDecision(_ fields: Fields) -> TaskPolicies.RedirectDecision? {
        let request = fields.fields("redirect")
        guard let text = fields.text("redirect") ?? request?.text("to") else { return nil }
        if request == nil, text == "follow" { return .follow }
        if request == nil, text == "refuse" { return .refuse }
        let place = request?.place(of: "to") ?? fields.place(of: "redirect")
        guard text.contains("/") else {
            findings.refuse(
                place,
                request == nil
                    ? "`redirect` is `\(text.shortened)`\(Spelling.hint(for: text, among: ["follow", "refuse"])), or a path or URL"
                    : "`to` is `\(text.shortened)`; write a path or URL, such as /new")
            return nil
        }
        if let method = request?.text("method"), !HTTPHeadSyntax.isToken(method) {
            findings.refuse(
                request?.place(of: "method") ?? place,
                "`\(method.shortened)` is not a method; write one such as GET or POST")
        }
        let target = findings.attempt { () throws(ScenarioError) in
            try RequestTarget.parse(text, secure: origin.tls != nil, at: place)
        }
        return target.map { .to(url: $0.url, method: request?.text("method"), body: request?.text("body")) }
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
