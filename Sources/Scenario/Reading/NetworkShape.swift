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
                "The client is IPv6-only behind a translator, the origin IPv4-only."),
            Field("resolver", DNSShape.resolver, "The configuration of the client's resolver."),
        ])

    static let nat64 = Shape.object([
        Field("prefix", .text, "RFC 6052 prefix; default 2001:db8:64::/96."),
        Field("dns64", .boolean, "Whether the name service makes AAAA records; default true."),
        Field("clat", .boolean, "Whether the client translates IPv4 itself (464XLAT); default false."),
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
        "Of its default routes, the lowest is preferred; default vpn 50, wired 100, wifi 600, cellular 700.")

    private static let interfaceFields = [
        Field("profile", profile, "The named condition to start from; default perfect."),
        Field(
            "state", .word(stateDescription),
            "up, down, noRoute (no default route; noIPv4Route, noIPv6Route), noAddress, noCarrier or blackhole (all swallowed)."
        ),
        Field(
            "expensive", .boolean,
            "Whether its use costs; shown to programs as the interface's alias. Default true for cellular, else false."),
        Field("constrained", .boolean, "Whether its user asked to save data; shown likewise."),
        Field("downlink", .object(direction), "Changes of the profile towards the client."),
        Field("uplink", .object(direction), "Changes of the profile from the client."),
        Field("both", .object(direction + [roundTrip]), "Changes of the profile in both directions."),
    ]

    /// A field that is allowed only in `set:`.
    private static let flapping = Field(
        "flapping",
        .object([
            Field("times", .integer(1...1000), required: true, "How often it goes down and comes back."),
            Field("downFor", .duration, required: true, "How long it is down each time."),
            Field("upFor", .duration, required: true, "How long it is up before it goes down again."),
        ]), "The interface goes down at once and comes back, again and again; it ends up.")

    /// One direction of a link. Each key overrides the profile's effect of the same kind.
    static let direction = [
        Field("rate", .either([.bitRate, rate]), "Bits per second of layer 3, or how they come."),
        Field(
            "promotion",
            .object([
                Field("delay", .duration, required: true, "How much longer the first packet takes."),
                Field("idleTimeout", .duration, required: true, "The radio is idle after this long without a packet."),
            ]), "A radio that is promoted from idle (RRC promotion)."),
        Field("delay", .duration, "One-way delay; replaces the profile's delay and its jitter."),
        Field("jitter", .either([.duration, jitter]), "Spread of the delay."),
        Field("loss", .either([.probability, loss]), "Lost packets."),
        Field("duplicate", .probability, "Share of packets that arrive twice."),
        Field("reorder", .probability, "Share of packets that skip the delay and overtake."),
        Field("corrupt", .probability, "Share of packets with one bit flipped."),
        Field(
            "queue", .either([.byteCount, queue]),
            "What waits for the link; a number of bytes means tail drop beyond it."),
        Field("mtu", .either([.integer(68...65535), mtu]), "Largest packet; IPv6 needs 1280."),
        Field("outages", .either([outages, .list(outage)]), "Drop-outs while the interface stays up."),
        Field(
            "filter", PacketRuleReader.shape, "Packets picked by what they are; the first rule that matches decides."),
    ]

    static let rate = Shape.choice(
        [
            Field("bucket", .bitRate, "A token bucket of this rate."),
            Field("trace", .text, "A file of millisecond stamps, one per 1,500 bytes; relative to this file."),
            Field("cellular", cellular, "A made trace: a rate that wanders, with gaps."),
        ], beside: [Field("burst", .byteCount, "What the bucket lets through at once after a pause.")])

    static let cellular = Shape.object([
        Field("mean", .bitRate, required: true, "Over the whole trace, gaps included."),
        Field("seed", .integer(0...Int64.max), "The same seed gives the same trace everywhere; default 1."),
        Field("length", .duration, "After which it repeats; default 60s."),
        Field("variation", .probability, "How far the rate wanders from its middle, less than 100%; default 60%."),
        Field("wandering", .duration, "How long it takes from one end to the other; default 4s."),
        Field("outages", gaps, "No signal: seldom and long; default none."),
        Field("handovers", gaps, "From one cell to the next: often and short; default none."),
    ])

    private static let gaps = Shape.object([
        Field("every", .duration, required: true, "How far apart on average."),
        Field("lasting", .duration, required: true, "How long on average; both vary by half."),
    ])

    static let mtu = Shape.object([
        Field("bytes", .integer(68...65535), required: true, "Largest packet; IPv6 needs 1280."),
        Field("announced", .boolean, "Whether the sender is told by ICMP; default true, false is a black hole."),
    ])

    static let outages = Shape.object([
        Field("every", .duration, required: true, "Period."),
        Field("lasting", .duration, required: true, "Nothing passes for the last part of each period this long."),
    ])

    static let outage = Shape.object([
        Field("from", .duration, required: true, "Time since the condition came into force."),
        Field("lasting", .duration, required: true, "How long nothing passes."),
    ])
    static let roundTrip = Field("roundTrip", .duration, "Round-trip delay, half of it each way; instead of `delay`.")

    static let jitter = Shape.object([
        Field("amount", .duration, required: true, "Spread around the delay."),
        Field(
            "distribution", .either([.word(LinkEffect.Jitter.Distribution.named.map(\.key)), .list(.text)]),
            "Default normal; a list holds evenly spaced quantiles in units of the amount."),
        Field("reorders", .boolean, "Whether a packet may leave before an earlier one; default false."),
    ])

    static let loss = Shape.choice(
        [
            Field(
                "bursts",
                .object([
                    Field("p", .probability, required: true, "Good to bad, per packet."),
                    Field("r", .probability, required: true, "Bad to good, per packet; a burst lasts 1/r packets."),
                    Field("lossInBad", .probability, "Loss in the bad state; default 100%."),
                    Field("lossInGood", .probability, "Loss in the good state; default 0%."),
                ]), "Gilbert–Elliott: losses come in bursts."),
            Field(
                "states",
                .object([
                    Field("p13", .probability, required: true, "Received to lost within a burst."),
                    Field("p31", .probability, "Lost within a burst to received; default 100%."),
                    Field("p32", .probability, "Lost within a burst to received within it; default 0%."),
                    Field("p23", .probability, "Received within a burst to lost; default 100%."),
                    Field("p14", .probability, "Received to lost by itself; default 0%."),
                ]), "Four states, as netem has them."),
            Field(
                "packets", .list(.integer(1...1_000_000_000)), "Exactly these packets of the direction, counted from 1."
            ),
        ], beside: [])

    static let queue = Shape.object([
        Field(
            "drop", .word(["tail", "head", "codel"]),
            "Which packet is dropped when there is no room, or too much delay; default tail."),
        Field("target", .duration, "CoDel's target delay; default 5ms."),
        Field("interval", .duration, "CoDel's interval; default 100ms."),
        Field("bytes", .byteCount, "At most this many bytes wait."),
        Field("packets", .integer(1...1_000_000), "At most this many packets wait."),
    ])

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
            Field("dns", DNSShape.names, "New replies of the DNS servers."),
            Field(
                "proxies", .mapping(key: "proxy names", ProxyShape.change),
                "What proxies ask for and do wrong from here on."),
            Field(
                "renumber", .oneOrMore(.word(InterfaceKind.allCases.map(\.rawValue))),
                "These interfaces get new addresses."),
            Field("connections", .oneOrMore(connections), "Ends connections across an interface."),
        ])

    static let connections = Shape.object([
        Field("on", .word(InterfaceKind.allCases.map(\.rawValue)), required: true, "The interface that carries them."),
        Field("number", .integer(1...1_000_000), "The k-th TCP connection that it carried; default all that are open."),
        Field(
            "end", .word(ConnectionKillPlan.Method.named.map(\.word)), required: true,
            "drop (nothing passes any more) or a RST to one side or both."),
    ])
}
