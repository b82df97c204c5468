import AdapterProtocol

typealias StepForm = Form<ScriptReader, ScriptStep>

/// The kinds of steps.
extension ScriptReader {
    static let shape = forms.shape()

    static let forms: [StepForm] = [
        StepForm(
            [
                Field("data", .text, "Creates a data task for this path or URL and resumes it."), made("download"),
                made("upload"),
            ],
            beside: naming(required: false) + TaskDescription.requestSettings.map(\.key)
                + TaskDescription.taskSettings.map(\.key) + [resume, wait]
        ) { $0.task($1) },
        StepForm("resume", "resume() of a task: starts it, or continues it after suspend().", beside: [wait]) {
            $0.resume($1)
        },
        StepForm(
            "stream", "Creates a stream task to this HOST:PORT and resumes it.",
            beside: naming(required: true) + [resume, TaskDescription.challenges.key]
        ) { $0.streamTask($1) },
        stream(
            .read, "Reads from a stream task; the event `streamRead` follows.",
            beside: [
                Field("atLeast", .byteCount, "The fewest bytes to read, unless the stream ends; default 1B."),
                Field("atMost", .byteCount, "The most bytes to read; default 64KiB."),
            ]
        ) { reader, fields in
            let (minimum, maximum) = reader.sizes(.read, fields)
            return .read(minimum: minimum, maximum: maximum)
        },
        stream(.write, "Writes to a stream task; the event `streamWritten` follows.", beside: [written]) {
            .write($0.bytes($1))
        },
        stream(.secure, "Starts TLS on a stream task.") { _, _ in .secure },
        stream(.closeRead, "Closes the read side of a stream task.") { _, _ in .closeRead },
        stream(.closeWrite, "Closes the write side of a stream task.") { _, _ in .closeWrite },
        stream(
            .captureStreams,
            "Turns a stream task into a pair of streams after its pending reads and writes; the event `didBecomeStreams` follows."
        ) { _, _ in .captureStreams },
        stream(
            .readCaptured, "Reads from a task's captured stream; the event `streamRead` follows.",
            beside: [
                Field("atLeast", .byteCount, "The fewest bytes to read, unless the stream ends; default 1B."),
                Field("atMost", .byteCount, "The most bytes to read; default 64KiB, or `atLeast` if that is more."),
            ]
        ) { reader, fields in
            let (minimum, maximum) = reader.sizes(.readCaptured, fields)
            return .readCaptured(minimum: minimum, maximum: maximum)
        },
        stream(
            .writeCaptured, "Writes to a task's captured stream; the event `streamWritten` follows.", beside: [written]
        ) { .writeCaptured($0.bytes($1)) },
        stream(.closeCaptured, "Closes both captured streams of a task after their pending reads and writes.") { _, _ in
            .closeCaptured
        },
        StepForm("suspend", "suspend() of a task.") { $0.suspend($1) },
        StepForm(
            "cancel", "Cancels a task.",
            beside: [Field("resumeData", .boolean, "cancel(byProducingResumeData:); default false.")]
        ) { $0.cancel($1) },
        StepForm(
            "inspectCache", "Looks up the session's cache for a task's request; nothing is loaded.",
            beside: [
                Field(
                    "by", .word(CacheLookup.allCases.map(\.rawValue)),
                    "Look up by the request (default) or by the task itself.")
            ]
        ) { $0.inspectCache($1) },
        task("inspect", "Reads the state and counters of a task.") { .inspect($0) },
        StepForm(
            "release",
            "Releases the oldest decision that the task's `hold` delays, or its blocked callback."
        ) { $0.release($1) },
        StepForm(
            "progress", "Uses the task's progress object; `progressRead` reports its values.",
            beside: [Field("do", .word(ProgressAction.allCases.map(\.rawValue)), "Default read.")]
        ) { $0.progress($1) },
        task("readRetained", "Reads the delivered content that `retain` kept; the event `retained` follows.") {
            .readRetained($0)
        },
        StepForm(
            "read", "Reads a property of a task or a session; the event `propertyRead` follows.",
            beside: [
                Field(
                    "property", .word(TaskProperty.allCases.map(\.rawValue) + SessionProperty.allCases.map(\.rawValue)),
                    required: true,
                    "Of a task: \(Spelling.list(TaskProperty.allCases.map(\.rawValue))); of a session: \(Spelling.list(SessionProperty.allCases.map(\.rawValue)))."
                )
            ]
        ) { $0.read($1) },
        StepForm("listTasks", "Lists the outstanding tasks of a session; the event `tasksListed` follows.") {
            $0.listTasks($1)
        },
        StepForm(
            "configure", "Changes the configuration object of an existing session.",
            beside: [
                Field(
                    "through", .word(ConfigurationObject.allCases.map(\.rawValue)), required: true,
                    "The object with which the session was created, or the one that the session returns."),
                Field("with", SessionReader.shape, required: true, "The settings to write."),
            ]
        ) { $0.configure($1) },
        StepForm("flush", "Makes later requests of a session use new connections; the event `didFlush` follows.") {
            $0.empty(.flush, $1)
        },
        StepForm(
            "reset",
            "Empties the cookies, cache and learned credentials of a session, and makes later requests use new connections; the event `didReset` follows."
        ) { $0.empty(.reset, $1) },
        StepForm(
            "invalidate", "Invalidates a session.",
            beside: [Field("cancel", .boolean, "True: its tasks are cancelled (default); false: they finish.")]
        ) { $0.invalidate($1) },
        StepForm(
            "await", takes: .either([.text, TriggerReader.shape]), "The next step waits for this moment.",
            beside: [
                Field(
                    "orTasksEnd", .boolean,
                    "true: it also continues when the moment can no longer come: the task of its event, or every started task that is not suspended, has ended; default false."
                )
            ]
        ) { $0.await($1) },
        StepForm("set", takes: NetworkShape.change, "Changes the network now.") { $0.change($1) },
        StepForm(
            "app", takes: .word(AppAction.allCases.map(\.rawValue)),
            "Ends, stops or launches the app, or notifies it. A launched app has a new process in the same private folder and makes its background sessions again.",
            beside: [
                Field(
                    "name", .text,
                    "With launch: the app, as its sessions name it under `app`; default the one that ran last. The first session's app runs at first."
                )
            ]
        ) { $0.app($1) },
        StepForm(
            "daemon", takes: .word(DaemonAction.allCases.map(\.rawValue)),
            "A signal to the processes that the app has started and that outlive it."
        ) { _, fields in fields.text("daemon").flatMap(DaemonAction.init(rawValue:)).map { .daemon($0) } },
    ]

    /// Declares a step that sends a command about one task.
    private static func task(
        _ key: String, _ summary: String, _ command: @escaping @Sendable (TaskName) -> AdapterCommand
    ) -> StepForm {
        StepForm(key, summary) { reader, fields in
            reader.known(key, fields).map { .command(command(reader.tasks[$0].name)) }
        }
    }

    /// Declares an action on a stream task.
    private static func stream(
        _ name: StreamAction.Name, _ summary: String, beside: [Field] = [],
        _ action: @escaping @Sendable (inout ScriptReader, Fields) -> StreamAction
    ) -> StepForm {
        StepForm(name.rawValue, summary, beside: beside) { reader, fields in
            reader.knownStream(name, fields).map { .command(.stream($0, action(&reader, fields))) }
        }
    }

    private static let written = Field(
        "text", .text, required: true, "The text to write, as UTF-8; line ends are \\r\\n in double quotes.")

    private static let resume = Field(
        "resume", .boolean, "false: the task stays suspended until a step `resume`; default true.")

    private static let wait = Field(
        "wait", .boolean, "true: the next step comes after the task's completion; default false.")

    private static func naming(required: Bool) -> [Field] {
        [
            Field("as", .text, required: required, "The task's name\(required ? "" : "; default task1, task2, …")."),
            Field("session", .text, "The session that creates it; default main."),
        ]
    }

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
