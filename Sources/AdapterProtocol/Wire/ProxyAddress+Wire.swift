extension ProxyAddress: WireStructure {
    var wire: WireObject {
        var object = WireObject(["kind": .text(kind.rawValue), "host": .text(host), "port": .integer(Int64(port))])
        object.set("user", user)
        object.set("password", password)
        object.set("scheme", scheme?.rawValue)
        if !exceptions.isEmpty { object.set("exceptions", exceptions) }
        return object
    }

    init(_ fields: WireFields) throws(WireError) {
        self.init(
            kind: try fields.word("kind", Kind.self), host: try fields.text("host"), port: try fields.count("port"),
            user: try fields.optional("user", fields.text), password: try fields.optional("password", fields.text))
        if fields.has("scheme") { scheme = try fields.word("scheme", Scheme.self) }
        if fields.has("exceptions") { exceptions = try fields.texts("exceptions") }
    }
}
