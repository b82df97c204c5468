import AdapterProtocol

enum ScriptShape {
    static let step = Shape.either([
        .choice(
            TaskDescription.Kind.allCases.map {
                Field($0.rawValue, .text, "Makes a \($0.rawValue) task for this path or URL and starts it.")
            }, beside: naming(required: false) + requestFields + answers + [response, start]),
        .choice(
            [Field("resume", .text, "Makes a download from the resume data that this task left.")],
            beside: naming(required: true) + answers + [start]),
        .choice([Field("start", .text, "resume() of a task.")], beside: []),
        .choice([Field("suspend", .text, "suspend() of a task.")], beside: []),
        .choice(
            [Field("cancel", .text, "Cancels a task.")],
            beside: [Field("resumeData", .boolean, "cancel(byProducingResumeData:); default false.")]),
        .choice([Field("inspect", .text, "Asks for state and counters of a task.")], beside: []),
        .choice(
            [Field("invalidate", .text, "Invalidates a session.")],
            beside: [Field("cancel", .boolean, "Cancel its tasks (default true) or let them finish.")]),
        .choice([Field("await", .either([.text, trigger]), "The next step waits for this moment.")], beside: []),
        .choice([Field("set", NetworkShape.change, "Changes the network now.")], beside: []),
    ])

    static let timelineEntry = Shape.object([
        Field(
            "when", .either([.text, trigger]), required: true, "The moment: an event such as first.didReceiveData, or an object."),
        Field("set", NetworkShape.change, required: true, "What changes."),
    ])

    /// `responseBody` before `request` and `wireBytes` before `connection`, which stand beside them.
    static let trigger = Shape.either([
        .choice([Field("event", .text, "TASK.EVENT, or SESSION.didBecomeInvalid.")], beside: [count("event"), delay]),
        .choice([Field("time", .duration, "Time since the script began.")], beside: []),
        .choice(
            [Field("responseBody", .byteCount, "This many bytes of the response body went to the kernel.")],
            beside: [Field("request", .integer(1...1_000_000), "Of the k-th request; default 1."), delay]),
        .choice([Field("request", .integer(1...1_000_000), "The k-th request head reached the origin.")], beside: [delay]),
        .choice(
            [Field("wireBytes", .byteCount, "This many bytes of layer 3 passed.")],
            beside: [
                interface, direction,
                Field("connection", .integer(1...1_000_000), "Of the k-th TCP connection that the interface carried; default of all."),
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
    private static let direction = Field("direction", .word(LinkDirectionName.allCases.map(\.rawValue)), "Default down.")

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
                    Field("from", .word(BodyPlan.Source.allCases.map(\.rawValue)), "Default memory."),
                ]),
            ]), "What is sent: a text or an object."),
        Field("timeout", .duration, "Timeout of the request object."),
    ]

    private static let answers = [
        Field("handler", .boolean, "Report to a completion handler instead of the delegate; default false."),
        Field(
            "challenge",
            .oneOrMore(
                .either([
                    .word(["cancel", "default", "reject"]),
                    .object([
                        Field("user", .text, required: true, "User of the credential."),
                        Field("password", .text, required: true, "Its password."),
                    ]),
                ])), "Answers to the first, second, … challenge; the last repeats."),
        Field("redirect", .text, "Answer to redirects: follow, refuse, or another path or URL."),
    ]
    private static let response = Field(
        "response", .word(TaskPolicies.ResponseAnswer.allCases.map(\.rawValue)), "Answer to the response head.")
    private static let start = Field("start", .boolean, "Whether the task is started at once; default true.")
}
