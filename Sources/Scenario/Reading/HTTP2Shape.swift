enum HTTP2Shape {
    static let fields: [Field] = [
        Field(
            "protocols", .list(.word(ApplicationProtocol.allCases.map(\.rawValue))),
            "The versions of HTTP, the preferred one first; TLS offers them by ALPN, and without TLS h2 begins by prior knowledge. Default [http/1.1]."
        ),
        Field(
            "http2",
            .object([
                Field("settings", StreamFaultShape.settings, "In the server's first SETTINGS."),
                Field(
                    "dataFrame", .byteCount, "The most data in one DATA frame; default 16KiB or what the client allows."
                ),
                Field(
                    "connectionWindow", .byteCount,
                    "What the client may send on the connection before more is granted; default 4MiB."),
            ]), "How the server speaks HTTP/2."),
    ]
}
