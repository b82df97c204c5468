import AdapterProtocol

/// The fields of `origin: tls`.
enum TLSShape {
    static let tls = Shape.object([
        Field("certificate", .word(TLSPlan.Certificate.allCases.map(\.rawValue)), "Default valid."),
        Field("minimum", .word(TLSVersion.allCases.map(\.rawValue)), "Lowest version offered; default 1.2."),
        Field("maximum", .word(TLSVersion.allCases.map(\.rawValue)), "Highest version offered; default 1.3."),
        Field(
            "alpn", .oneOrMore(.text),
            "Protocols taken, in this order, or `none` for a server without ALPN; a client that offers others is refused. Default http/1.1."
        ),
        Field(
            "staple", .word(TLSPlan.Staple.allCases.map(\.rawValue)),
            "What a stapled OCSP answer says; default none is stapled, and `revoked` for a revoked certificate."),
        Field(
            "clientCertificate", .word(TLSPlan.ClientCertificate.allCases.map(\.rawValue)),
            "Whether clients are asked for a certificate, or need one of the lab's authority; default none."),
        Field("resumption", .boolean, "Whether sessions are resumed; default true."),
        Field("earlyData", .word(["refused"]), "Tickets invite early data, and what comes is refused."),
    ])
}
