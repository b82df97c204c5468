import AdapterProtocol

extension Setting {
    /// The key of the option in a scenario file.
    var key: Field { Field(name, form.shape, summary) }

    /// Assigns the value that a file gives. A structure is assigned by its own reader.
    func read(_ fields: Fields, into root: inout Root, isSecure: Bool, _ findings: inout Findings) {
        guard fields.has(name), let value = form.value(name, fields, isSecure, &findings) else { return }
        assign(&root, value)
    }
}

extension SettingForm {
    var shape: Shape {
        switch self {
        case .boolean: .boolean
        case .duration: .duration
        case .integer(let range): .integer(range)
        case .text, .url: .text
        case .headers: .headers
        case .word(let words): .word(words)
        case .words(let words): .oneOrMore(.word(words))
        case .structure(let structure): structure.shape
        }
    }

    fileprivate func value(_ name: String, _ fields: Fields, _ isSecure: Bool, _ findings: inout Findings)
        -> SettingValue?
    {
        switch self {
        case .boolean: return fields.boolean(name).map { .boolean($0) }
        case .duration:
            guard let duration = fields.duration(name) else { return nil }
            if duration == .zero {
                findings.refuse(fields.place(of: name), "`\(name)` is zero; leave it out for the default")
            }
            return .duration(duration)
        case .integer: return fields.integer(name).map { .integer($0) }
        case .text, .word: return fields.text(name).map { .text($0) }
        case .url:
            guard let text = fields.text(name) else { return nil }
            let place = fields.place(of: name)
            let target = findings.attempt { () throws(ScenarioError) in
                try RequestTarget.parse(text, secure: isSecure, at: place)
            }
            return target.map { .text($0.url) }
        case .headers: return .headers(findings.headers(name, of: fields))
        case .words: return .texts(fields.texts(name))
        case .structure: return nil
        }
    }
}

extension SettingStructure {
    fileprivate var shape: Shape {
        switch self {
        case .delegateQueue: SessionReader.delegateQueue
        case .proxy: ProxyReader.use
        case .protocolClasses: .oneOrMore(ProtocolReader.shape)
        case .cache: StoreReader.cache
        case .cookies: StoreReader.cookies
        case .credentials: StoreReader.credentials
        case .body: ScriptReader.body
        case .requestBody: .text
        case .redirect: ScriptReader.redirect
        case .caching: ScriptReader.caching
        case .challenge: ScriptReader.challenge
        }
    }
}
