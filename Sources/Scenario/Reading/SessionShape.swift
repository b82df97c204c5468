import AdapterProtocol

enum SessionShape {
    static let session = Shape.object(
        [
            Field("kind", .word(SessionConfiguration.Kind.allCases.map(\.rawValue)), "Default ephemeral."),
            Field("waitsForConnectivity", .boolean, "Wait instead of failing when there is no connectivity."),
            Field("requestTimeout", .duration, "timeoutIntervalForRequest: the longest silence."),
            Field("resourceTimeout", .duration, "timeoutIntervalForResource: the whole load."),
            Field("headers", HeaderShape.headers, "Sent with every request of the session."),
            Field("maximumConnectionsPerHost", .integer(1...1000), "The most connections to one host at a time."),
            Field("allowsCellularAccess", .boolean, "Whether cellular may be used."),
            Field(
                "delegateQueue",
                .object([
                    Field(
                        "width", .integer(1...64), required: true,
                        "So many callbacks may run at a time; 1 is a serial queue.")
                ]),
                "The session is given this queue for its callbacks, which tell then when they begin and end."),
            Field("proxy", ProxyShape.use, "The proxy of this session, by its name under `proxies`."),
            Field(
                "minimumTLS", .word(TLSVersion.allCases.map(\.rawValue)), "The lowest TLS version the client accepts."),
            Field(
                "maximumTLS", .word(TLSVersion.allCases.map(\.rawValue)), "The highest TLS version the client offers."),
            Field(
                "serviceType", .word(SessionConfiguration.ServiceType.allCases.map(\.rawValue)),
                "networkServiceType: what the traffic is for."),
            Field(
                "delegate", .word(["none"]), "The session has no delegate; its tasks have `completionHandler: true`."),
            Field(
                "spy", .oneOrMore(.word(SpyStore.allCases.map(\.rawValue))),
                "Stores of a class of the client's own, which report each access for a task (`storeAccess`)."),
            ProtocolShape.session,
        ] + StoreShape.session)
}

enum HeaderShape {
    static let headers = Shape.mapping(key: "header names", .oneOrMore(.text))
}
