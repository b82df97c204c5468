import AdapterProtocol
import LinkEmulator

enum ScriptShape {
    static let step = Shape.either([
        .choice(
            [
                Field("data", .text, "Makes a data task for this path or URL and resumes it."), made("download"),
                made("upload"),
            ], beside: naming(required: false) + newRequestFields + decisions + [retain, resume]),
        .choice(
            [Field("resume", .text, "resume() of a task: starts it, or continues it after suspend().")], beside: []),
        .choice(
            [Field("stream", .text, "Makes a stream task to this HOST:PORT and resumes it.")],
            beside: naming(required: true) + [resume, challenge]),
        .choice(
            [Field("readStream", .text, "Reads from a stream task; the event `streamRead` follows.")],
            beside: [
                Field("atLeast", .byteCount, "Not less, unless the stream ends; default 1B."),
                Field("atMost", .byteCount, "Not more; default 64KiB."),
            ]),
        .choice(
            [Field("writeStream", .text, "Writes to a stream task; the event `streamWritten` follows.")],
            beside: [
                Field(
                    "text", .text, required: true, "What is written, as UTF-8; line ends are \\r\\n in double quotes.")
            ]),
        .choice([Field("secure", .text, "TLS begins on a stream task.")], beside: []),
        .choice([Field("closeRead", .text, "Nothing more is read of a stream task.")], beside: []),
        .choice([Field("closeWrite", .text, "Nothing more is written to a stream task.")], beside: []),
        .choice(
            [
                Field(
                    "captureStreams", .text,
                    "A stream task becomes a pair of streams, after what was asked before; `didBecomeStreams` says so.")
            ],
            beside: []),
        .choice(
            [Field("readCaptured", .text, "Reads from a task's captured stream; the event `streamRead` follows.")],
            beside: [
                Field("atLeast", .byteCount, "Not less, unless the stream ends; default 1B."),
                Field("atMost", .byteCount, "Not more; default 64KiB, or `atLeast` where that is more."),
            ]),
        .choice(
            [Field("writeCaptured", .text, "Writes to a task's captured stream; the event `streamWritten` follows.")],
            beside: [
                Field(
                    "text", .text, required: true, "What is written, as UTF-8; line ends are \\r\\n in double quotes.")
            ]),
        .choice(
            [Field("closeCaptured", .text, "Closes both captured streams of a task, after what was asked of them.")],
            beside: []),
        .choice([Field("suspend", .text, "suspend() of a task.")], beside: []),
        .choice(
            [Field("cancel", .text, "Cancels a task.")],
            beside: [Field("resumeData", .boolean, "cancel(byProducingResumeData:); default false.")]),
        .choice(
            [
                Field(
                    "inspectCache", .text,
                    "Asks what the session's cache holds for a task's request; nothing is loaded.")
            ],
            beside: [
                Field(
                    "by", .word(CacheLookup.allCases.map(\.rawValue)),
                    "Look up by the request (default) or by the task itself.")
            ]),
        .choice([Field("inspect", .text, "Asks for state and counters of a task.")], beside: []),
        .choice(
            [
                Field(
                    "release", .text,
                    "Lets the oldest decision go that the task's `hold` keeps back, or its blocked callback return.")
            ], beside: []),
        .choice(
            [Field("progress", .text, "Uses the task's progress object; `progressRead` tells what it says then.")],
            beside: [Field("do", .word(ProgressAction.allCases.map(\.rawValue)), "Default read.")]),
        .choice(
            [
                Field(
                    "readRetained", .text,
                    "Reads again what the task delivered and `retain` kept; the event `retained` follows.")
            ], beside: []),
        .choice(
            [Field("read", .text, "Reads a property of a task or a session; the event `propertyRead` follows.")],
            beside: [
                Field(
                    "property", .word(TaskProperty.allCases.map(\.rawValue) + SessionProperty.allCases.map(\.rawValue)),
                    required: true,
                    "Of a task: \(Spelling.list(TaskProperty.allCases.map(\.rawValue))); of a session: \(Spelling.list(SessionProperty.allCases.map(\.rawValue)))."
                )
            ]),
        .choice(
            [Field("configure", .text, "Writes to the configuration of a session that has been made.")],
            beside: [
                Field(
                    "through", .word(ConfigurationObject.allCases.map(\.rawValue)), required: true,
                    "The object that the session was made with, or one that it gives when it is asked."),
                Field("with", SessionShape.session, required: true, "What is written."),
            ]),
        .choice(
            [Field("invalidate", .text, "Invalidates a session.")],
            beside: [Field("cancel", .boolean, "Cancel its tasks (default true) or let them finish.")]),
        .choice([Field("await", .either([.text, trigger]), "The next step waits for this moment.")], beside: []),
        .choice([Field("set", NetworkShape.change, "Changes the network now.")], beside: []),
    ])

    static let timelineEntry = Shape.object([
        Field(
            "when", .either([.text, trigger]), required: true,
            "The moment: an event such as first.didReceiveData, or an object."),
        Field("set", NetworkShape.change, required: true, "What changes."),
    ])

    /// `responseBody` comes before `request`, and `wireBytes` before `connection`, because they can be combined.
    static let trigger = Shape.either([
        .choice(
            [Field("proxy", .text, "At this proxy, by its name under `proxies`.")],
            beside: [
                Field("tunnel", .integer(1...1_000_000), "The k-th connection through it stands."),
                Field("uplink", .byteCount, "This many bytes went on to the target."),
                Field("downlink", .byteCount, "This many bytes of the target went on to the client."),
                Field(
                    "request", .integer(1...1_000_000),
                    "The k-th request reached it; beside uplink and downlink: of this request, default 1."),
                delay,
            ]),
        .choice([Field("event", .text, "TASK.EVENT, or SESSION.didBecomeInvalid.")], beside: [count("event"), delay]),
        .choice([Field("time", .duration, "Time since the first step.")], beside: []),
        .choice(
            [Field("responseBody", .byteCount, "This many bytes of the response body went to the kernel.")],
            beside: [Field("request", .integer(1...1_000_000), "Of the k-th request; default 1."), delay]),
        .choice(
            [
                Field(
                    "acknowledged", .byteCount,
                    "The client's kernel has acknowledged this many bytes of the response body.")
            ],
            beside: [Field("request", .integer(1...1_000_000), "Of the k-th request; default 1."), delay]),
        .choice(
            [Field("server", .word(ServerMoment.Event.allCases.map(\.rawValue)), "The origin told this.")],
            beside: [
                Field("request", .integer(1...1_000_000), "About the k-th request; default any."),
                Field("connection", .integer(1...1_000_000), "On the k-th connection; default any."),
                count("such fact"), delay,
            ]),
        .choice(
            [Field("request", .integer(1...1_000_000), "The k-th request head reached the origin.")], beside: [delay]),
        .choice(
            [Field("wireBytes", .byteCount, "This many bytes of layer 3 passed.")],
            beside: [
                interface, direction,
                Field(
                    "connection", .integer(1...1_000_000),
                    "Of the k-th TCP connection that the interface carried; default of all."),
                delay,
            ]),
        .choice([Field("connection", .integer(1...1_000_000), "The k-th connection was accepted.")], beside: [delay]),
        .choice([Field("query", .text, "A query for this host name.")], beside: [count("query"), delay]),
        .choice(
            [Field("packet", .integer(1...1_000_000_000), "The n-th packet, counted from 1.")],
            beside: [
                interface, direction, delay,
            ]),
    ])

    private static let interface = Field(
        "on", .word(InterfaceKind.allCases.map(\.rawValue)), "The interface; needed when there are several.")
    private static let direction = Field(
        "direction", .word(LinkDirectionName.allCases.map(\.rawValue)), "Default downlink.")

    private static let delay = Field("after", .duration, "Added after the moment.")
    private static func count(_ what: String) -> Field {
        Field("count", .integer(1...1_000_000), "The n-th \(what); default 1.")
    }

    private static func naming(required: Bool) -> [Field] {
        [
            Field("as", .text, required: required, "The task's name; default task1, task2, …"),
            Field("session", .text, "The session that makes it; default main."),
        ]
    }

    private static let requestFields = [
        Field("method", .text, "Default GET, with a body POST."),
        Field("headers", HeaderShape.headers, "Sent with the request."),
        Field(
            "body",
            .either([
                .text,
                .object([
                    Field("size", .byteCount, required: true, "This many position-dependent bytes."),
                    Field(
                        "from", .word(BodyPlan.Source.allCases.map(\.rawValue)),
                        "Default memory; `stream`: the delegate supplies it when it is asked for a stream."),
                    Field(
                        "supplies", .integer(0...1_000),
                        "With `from: stream`: so many streams, and then none; default always."),
                ]),
            ]), "What is sent: a text or an object."),
        Field("requestBody", .text, "Beside a body `from: stream`: another one, on the request object itself."),
        Field("timeout", .duration, "Timeout of the request object."),
    ]

    private static let challenge = Field(
        "challenge",
        .oneOrMore(
            .either([
                .word(["cancel", "default", "reject", "trust"]),
                .choice(
                    [Field("user", .text, "User of the credential.")],
                    beside: [Field("password", .text, required: true, "Its password."), StoreShape.persistence]),
                .choice(
                    [
                        Field(
                            "certificate", .word(ClientIdentity.allCases.map(\.rawValue)),
                            "A certificate of the client's: of the lab's authority (known) or a stranger's (unknown).")
                    ], beside: []),
            ])),
        "Answers to the first, second, … challenge; the last repeats. `trust` takes the server's certificate as it is; it and `certificate` answer only the challenge they are for."
    )

    private static let decisions = [
        Field("completionHandler", .boolean, "Report to a completion handler instead of the delegate; default false."),
        challenge,
        Field("redirect", .text, "Answer to redirects: follow, refuse, or another path or URL."),
        Field(
            "hold", .oneOrMore(.word(TaskPolicies.Decision.allCases.map(\.rawValue))),
            "Decisions that wait for a step `release`; the callbacks return at once."),
        Field(
            "blockCallback", .oneOrMore(.word(TaskPolicies.stallable.map(\.rawValue))),
            "The first callback of this name blocks its thread until a step `release`."),
        Field("watchProgress", .boolean, "The task's progress is read in each of its callbacks; default false."),
        Field(
            "jointProgress", .text,
            "The task's progress becomes a child, among equals, of the parent progress of this name."),
    ]
    private static let response = Field(
        "response", .word(TaskPolicies.ResponseDecision.allCases.map(\.rawValue)), "Answer to the response head.")
    private static let retain = Field(
        "retain", .boolean,
        "The client keeps what is delivered, for `readRetained`: data as it comes, a file by moving it away; default false."
    )
    private static let resume = Field(
        "resume", .boolean, "false: the task stays suspended until a step `resume`; default true.")

    /// The fields that only a new request has; a task from resume data repeats the request of the earlier one.
    static let newRequestFields = requestFields + StoreShape.task + [response]

    private static func made(_ kind: String) -> Field {
        Field(
            kind,
            .either([
                .text,
                .object([
                    Field(
                        "resumeData", .text, required: true,
                        "The earlier task whose resume data this one continues from.")
                ]),
            ]),
            "Makes \(kind == "upload" ? "an" : "a") \(kind) task for this path or URL, or from resume data, and resumes it."
        )
    }
}

extension TaskPolicies {
    /// The callbacks that every session has and that can be blocked.
    static let stallable: [TaskEventName] = [
        .didReceiveResponse, .didReceiveData, .didSendBodyData, .didWriteData, .didFinishDownloading,
        .willPerformRedirect, .didComplete,
    ]
}
