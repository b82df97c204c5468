// The wire form of a configuration's cache, cookies and credentials.

extension CacheSettings: WireStructure {
    var wire: WireObject {
        var object = WireObject(["storage": .text(storage.text)])
        object.set("memoryCapacity", memoryCapacity)
        object.set("diskCapacity", diskCapacity)
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            storage: StorageChoice(text: try fields.text("storage")),
            memoryCapacity: try fields.optional("memoryCapacity", fields.count).map { Int64($0) },
            diskCapacity: try fields.optional("diskCapacity", fields.count).map { Int64($0) })
    }
}

extension CookieSettings: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        object.set("acceptance", acceptance?.rawValue)
        object.set("sends", sends)
        object.set("storage", storage?.text)
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            acceptance: fields.has("acceptance") ? try fields.word("acceptance", Acceptance.self) : nil,
            sends: try fields.optional("sends", fields.boolean),
            storage: try fields.optional("storage", fields.text).map { StorageChoice(text: $0) })
    }
}

extension CredentialSettings: WireStructure {
    var wire: WireObject {
        var object = WireObject()
        object.set("storage", storage?.text)
        if !stored.isEmpty { object.set("stored", list: stored.map { .object($0.wire.values) }) }
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(storage: try fields.optional("storage", fields.text).map { StorageChoice(text: $0) })
        guard fields.has("stored") else { return }
        for item in try fields.list("stored") {
            guard let values = item.object else {
                throw .wrongType("stored", in: fields.kind, expected: "list of objects")
            }
            stored.append(try StoredCredential(WireFields(kind: "\(fields.kind).stored", values: values)))
        }
    }
}

extension StoredCredential {
    fileprivate var wire: WireObject {
        var object = WireObject([
            "method": .text(method.rawValue), "scheme": .text(scheme), "host": .text(host),
            "port": .integer(Int64(port)),
            "user": .text(user), "password": .text(password), "persistence": .text(persistence.rawValue),
            "isDefault": .boolean(isDefault),
        ])
        object.set("realm", realm)
        return object
    }

    fileprivate init(_ fields: WireFields) throws(WireError) {
        self.init(
            method: try fields.word("method", Method.self), scheme: try fields.text("scheme"),
            host: try fields.text("host"),
            port: try fields.count("port"), realm: try fields.optional("realm", fields.text),
            user: try fields.text("user"),
            password: try fields.text("password"),
            persistence: try fields.word("persistence", CredentialPersistence.self),
            isDefault: try fields.boolean("isDefault"))
    }
}
