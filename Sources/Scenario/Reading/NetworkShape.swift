enum NetworkShape {
    static let answerWords = ["origin", "nxdomain", "servfail", "refused", "silent"]

    static let network = Shape.object(
        InterfaceKind.allCases.map { kind in
            Field(kind.rawValue, .either([profile, interface]), "The \(kind.rawValue) interface: a profile or an object.")
        } + [
            Field("addresses", .word(AddressFamilies.allCases.map(\.rawValue)), "Address families of the client; default both."),
            Field(
                "nat64", .either([.boolean, nat64]), "The client is IPv6-only behind a translator, the origin IPv4-only."),
        ])

    static let nat64 = Shape.object([
        Field("prefix", .text, "RFC 6052 prefix; default 2001:db8:64::/96."),
        Field("dns64", .boolean, "Whether the name service makes AAAA records; default true."),
    ])

    static let profile = Shape.word(ProfileCatalogue.all.map(\.name))
    static let stateWords = InterfaceState.allCases.map(\.rawValue)

    static let interface = Shape.object([
        Field("profile", profile, "The named condition to start from; default perfect."),
        Field("state", .word(stateWords), "up, down, noRoute (no default route) or blackhole (all swallowed)."),
        Field("down", .object(direction), "Changes of the profile towards the client."),
        Field("up", .object(direction), "Changes of the profile from the client."),
        Field("both", .object(direction + [roundTrip]), "Changes of the profile in both directions."),
    ])

    /// One direction of a link. Each key replaces the profile's effect of the same kind.
    static let direction = [
        Field("rate", .bitRate, "Bits per second of layer 3."),
        Field("delay", .duration, "One-way delay; replaces the profile's delay and its jitter."),
        Field("jitter", .either([.duration, jitter]), "Spread of the delay."),
        Field("loss", .either([.probability, loss]), "Lost packets."),
        Field("duplicate", .probability, "Share of packets that arrive twice."),
        Field("reorder", .probability, "Share of packets that skip the delay and overtake."),
        Field("corrupt", .probability, "Share of packets with one bit flipped."),
        Field("queue", .either([.byteCount, queue]), "Tail drop beyond this."),
        Field("mtu", .integer(68...65535), "Largest packet; IPv6 needs 1280."),
        Field(
            "outages",
            .object([
                Field("every", .duration, required: true, "Period."),
                Field("lasting", .duration, required: true, "Nothing passes for the last part of each period this long."),
            ]), "Drop-outs while the interface stays up."),
    ]
    static let roundTrip = Field("roundTrip", .duration, "Round-trip delay, half of it each way; instead of `delay`.")

    static let jitter = Shape.object([
        Field("amount", .duration, required: true, "Spread around the delay."),
        Field("distribution", .word(LinkEffect.Jitter.Distribution.allCases.map(\.rawValue)), "Default normal."),
        Field("reorders", .boolean, "Whether a packet may leave before an earlier one; default false."),
    ])

    static let loss = Shape.choice(
        [
            Field(
                "bursts",
                .object([
                    Field("p", .probability, required: true, "Good to bad, per packet."),
                    Field("r", .probability, required: true, "Bad to good, per packet; a burst lasts 1/r packets."),
                    Field("inBad", .probability, "Loss in the bad state; default 100%."),
                    Field("inGood", .probability, "Loss in the good state; default 0%."),
                ]), "Gilbert–Elliott: losses come in bursts."),
            Field("packets", .list(.integer(0...1_000_000_000)), "Exactly these packets of the direction, counted from 0."),
        ], beside: [])

    static let queue = Shape.object([
        Field("bytes", .byteCount, "At most this many bytes wait."),
        Field("packets", .integer(1...1_000_000), "At most this many packets wait."),
    ])

    static let names = Shape.mapping(key: "host names (`*` for all others)", answer)
    static let answer = Shape.either([
        .word(answerWords), .list(.text),
        .object([
            Field("answer", .either([.word(answerWords), .list(.text)]), "Default origin."),
            Field("delay", .duration, "The answer comes this much later."),
        ]),
    ])

    /// `set:` in script and timeline.
    static let change = Shape.object(
        InterfaceKind.allCases.map { kind in
            Field(
                kind.rawValue, .either([.word(stateWords + ProfileCatalogue.all.map(\.name)), interface]),
                "A state, a profile, or an object.")
        } + [Field("names", names, "New answers of the name service.")])
}
