import Record
import LinkEmulator

enum NetworkShape {
    static let network = Shape.object(
        InterfaceKind.allCases.map { kind in
            Field(
                kind.rawValue, .either([profile, interface]), "The \(kind.rawValue) interface: a profile or an object.")
        } + [
            Field(
                "addresses", .word(AddressFamilies.allCases.map(\.rawValue)),
                "Address families of the client; default both."),
            Field(
                "nat64", .either([.boolean, nat64]),
                "The client is IPv6-only behind a NAT64 translator, and the origin is IPv4-only."),
            Field("resolver", DNSPlanReader.resolver, "The configuration of the client's resolver."),
        ])

    static let nat64 = Shape.object([
        Field("prefix", .text, "RFC 6052 prefix; default 2001:db8:64::/96."),
        Field("dns64", .boolean, "True: the DNS servers synthesize AAAA records (DNS64); default true."),
        Field("clat", .boolean, "True: the client's system translates IPv4 itself (464XLAT); default false."),
        Field(
            "establishedTimeout", .duration, "The translator forgets a silent connection after this; default 2 h 4 min."
        ),
    ])

    static let profile = Shape.word(ProfileCatalogue.all.map(\.name))
    static let stateDescription = InterfaceState.allCases.map(\.rawValue)

    static let interface = Shape.object(interfaceFields + [metric])

    /// Allowed only at the start: a change of the metric would remove the route and add a new one.
    private static let metric = Field(
        "metric", .integer(1...1_000_000),
        "The metric of its default routes; the lowest is preferred. Default vpn 50, wired 100, wifi 600, cellular 700.")

    private static let interfaceFields = [
        Field("profile", profile, "The named condition to start from; default perfect."),
        Field(
            "state", .word(stateDescription),
            "up, down, noRoute (no default route; noIPv4Route, noIPv6Route), noAddress, noCarrier or blackhole (every packet is dropped)."
        ),
        Field(
            "expensive", .boolean,
            "True: using it is expensive; programs see it in the interface's alias, where a cellular interface that is not says `inexpensive`. Default true for cellular, else false."
        ),
        Field("constrained", .boolean, "True: the user enabled low data mode; shown likewise."),
        Field("downlink", .object(Impairment.fields), "Changes to the profile towards the client."),
        Field("uplink", .object(Impairment.fields), "Changes to the profile from the client."),
        Field("both", .object(Impairment.fieldsOfBoth), "Changes to the profile in both directions."),
    ]

    /// A field that is allowed only in `set:`.
    private static let flapping = Field(
        "flapping",
        .object([
            Field("times", .integer(1...1000), required: true, "The number of times that it goes down and up again."),
            Field("downFor", .duration, required: true, "The time that it stays down."),
            Field("upFor", .duration, required: true, "The time that it stays up before it goes down again."),
        ]), "The interface goes down at once and up again, several times; it is up at the end.")

    /// `set:` in steps and timeline.
    static let change = Shape.object(
        InterfaceKind.allCases.map { kind in
            Field(
                kind.rawValue,
                .either([
                    .word(stateDescription + ProfileCatalogue.all.map(\.name)), .object(interfaceFields + [flapping]),
                ]),
                "A state, a profile, or an object.")
        } + [
            Field("dns", DNSPlanReader.names, "New replies of the DNS servers."),
            Field(
                "proxies", .mapping(key: "proxy names", ProxyReader.change),
                "The authentication and faults of proxies from here on."),
            Field("origin", .object([OriginReader.laterFaults]), "The faults of the origin from here on."),
            Field(
                "renumber", .oneOrMore(.word(InterfaceKind.allCases.map(\.rawValue))),
                "These interfaces get new addresses."),
            Field("connections", .oneOrMore(connections), "Ends connections across an interface."),
            Field(
                "program", .word(ProgramState.allCases.map(\.rawValue)),
                "The program under test is stopped, as a suspended app is, or continues."),
            Field(
                "disk", .word(DiskState.allCases.map(\.rawValue)),
                "full: nothing more fits on the disk that holds the client's files. A scenario with it gives the client 64 MiB."
            ),
            Field(
                "clock", .object(wallClock),
                "The wall clock of background transfers is set, while elapsed time and the scale continue."),
        ] + power)

    /// The power supply, at the start and in `set:`.
    static let power = [
        Field("power", .word(["external", "battery"]), "The source of the client's power; default external."),
        Field("battery", .probability, "The charge of the client's battery, such as 40%; default 100%."),
    ]

    static let clock = Shape.object(
        [Field("scale", .integer(1...10_000_000), "The seconds of this clock in one second; default 1.")] + wallClock)

    /// The difference from the right time, at the start and in `set:`.
    private static let wallClock = [
        Field("behind", .duration, "The wall clock shows an earlier time by this much."),
        Field("ahead", .duration, "The wall clock shows a later time by this much."),
    ]

    static let connections = Shape.object([
        Field(
            "on", .word(InterfaceKind.allCases.map(\.rawValue)), required: true,
            "The interface that carries the connections."),
        Field("number", .integer(1...1_000_000), "The k-th TCP connection over it; default: all open ones."),
        Field(
            "end", .word(ConnectionKill.named.map(\.word)), required: true,
            "drop (nothing passes any more), or a RST to one side or both."),
    ])
}
