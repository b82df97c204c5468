enum OriginShape {
    static let origin = Shape.open(
        [
            Field(
                "tls", .either([.boolean, TLSShape.tls]), "Also listen with TLS; paths of steps then become https URLs."
            ),
            Field(
                "idleTimeout", .duration, "A kept-alive connection is closed after this much idleness; default never."),
            Field("faults", .list(FaultShape.fault), "Where the server misbehaves."),
        ] + HTTP2Shape.fields, key: "a path such as /big or //host/big", pattern: KeyPattern.path, route)

    static let route = Shape.object(
        ContentShape.fields + AuthenticationShape.fields + ResumableUploadShape.fields + WireShape.fields)
}
