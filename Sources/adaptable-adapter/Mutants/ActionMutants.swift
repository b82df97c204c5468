import AdapterProtocol
import AdapterSupport
import Foundation
import Synchronization

extension SessionMutant {
    /// Mutants that do something else than they are asked to.
    static let acting = [
        SessionMutant(
            "configurations-share-their-headers", breaks: ["CONF-03"],
            "sends the header fields of every earlier configuration", sharesHeaders()),
        SessionMutant(
            "ephemeral-leaves-a-file", breaks: ["CONF-06"], "writes a file for an ephemeral session",
            .sessions { configuration in
                guard configuration.kind == .ephemeral else { return }
                let file = FileManager.default.temporaryDirectory.appendingPathComponent("responses")
                try? Data("kept".utf8).write(to: file)
            }),
        SessionMutant(
            "default-is-ephemeral", breaks: ["CONF-18", "COOK-02"],
            "gives default sessions and the shared one stores of their own",
            .sessions { if $0.kind != .background { $0.kind = .ephemeral } }),
        SessionMutant(
            "keeps-no-cookies", breaks: ["PSLT-02"], "accepts no cookies unless the configuration says which",
            .sessions { configuration in
                if configuration.cookies == nil { configuration.cookies = CookieSettings(acceptance: .never) }
            }),
        SessionMutant(
            "cache-of-any-size", breaks: ["CACH-25"], "makes every cache a thousand times larger",
            .sessions {
                let capacity = $0.cache?.memoryCapacity
                $0.cache?.memoryCapacity = capacity.map { max($0, 1 << 16) * 1_000 }
            }),
        SessionMutant(
            "waiting-sessions-have-no-timeout", breaks: ["CONN-19"],
            "ignores the request timeout while waitsForConnectivity is on",
            .sessions { if $0.waitsForConnectivity == true { $0.requestTimeout = .seconds(3_600) } }),
        SessionMutant(
            "waiting-sessions-start-late", breaks: ["CONN-11"],
            "starts tasks a second late while waitsForConnectivity is on",
            startsLate { $0.waitsForConnectivity == true }),
        SessionMutant(
            "resume-blocks", breaks: ["TASK-15"], "returns from resume a second late", startsLate { _ in true }),
        SessionMutant(
            "background-in-the-app",
            breaks: ["BKGD-01", "BKGD-03", "BKGD-04", "BKGD-08", "BKGD-09", "BKGD-13", "BKGD-14", "BKGD-21"],
            "does the transfers of a background session in the app's own process",
            .sessions { configuration in
                if configuration.kind == .background {
                    (configuration.kind, configuration.identifier) = (.standard, nil)
                }
            }),
        SessionMutant(
            "every-session-is-a-background-session", breaks: ["BKGD-36", "SCHD-03", "SCHD-06"],
            "does the transfers of every session in the background",
            .sessions { configuration in
                if configuration.kind != .background {
                    (configuration.kind, configuration.identifier) = (.background, "all")
                }
            }),
        SessionMutant(
            "delayed-tasks-need-the-method", breaks: ["SCHD-07"],
            "cancels a delayed task whose delegate does not have the method",
            .tasks { task in
                if task.earliestBegin != nil, task.policies.delayedRequest == nil {
                    task.policies.delayedRequest = .cancel
                }
            }),
        SessionMutant(
            "trusts-every-server", breaks: ["AUTH-12"], "uses a connection that the delegate has declined",
            .tasks { task in
                task.policies.challenges = task.policies.challenges.map { $0 == .cancel ? .serverTrust : $0 }
            }),
        SessionMutant(
            "asks-twice", breaks: ["TASK-04"], "makes two requests for each task", asksTwice()),
        SessionMutant(
            "url-alone-is-a-head", breaks: ["TASK-05"], "makes a HEAD request of a URL without a request",
            .tasks { if $0.isOfBareURL, $0.kind == .data { $0.method = "HEAD" } }),
        SessionMutant(
            "methods-in-capitals", breaks: ["TASK-06"], "sends methods in capital letters",
            .tasks { $0.method = $0.method?.uppercased() }),
        SessionMutant(
            "streamed-upload-sends-the-body-of-its-request", breaks: ["UPLD-04"],
            "sends the request's own body in a streamed upload",
            .tasks { task in
                guard task.stream != nil, let body = task.requestBody else { return }
                (task.stream, task.requestBody, task.body) = (nil, nil, .bytes(body))
            }),
        SessionMutant(
            "uploads-forget-the-header-fields", breaks: ["UPLD-12"],
            "sends an upload without its request's header fields",
            .tasks { if $0.kind == .upload { $0.headers = [] } }),
        SessionMutant(
            "downloads-send-no-body", breaks: ["UPLD-14"], "drops the request's body in a download",
            .tasks { task in
                guard task.kind == .download else { return }
                (task.body, task.requestBody) = (nil, nil)
            }),
        SessionMutant(
            "handlers-do-not-resume", breaks: ["CONV-13"],
            "starts a download with a completion handler over instead of resuming it", startsHandlersOver()),
        SessionMutant(
            "ignores-expense", breaks: ["CONF-21"], "uses expensive interfaces against the configuration",
            .sessions { $0.allowsExpensiveNetworkAccess = nil }),
        SessionMutant(
            "ignores-low-data-mode", breaks: ["CONF-22"], "uses constrained interfaces against the configuration",
            .sessions { $0.allowsConstrainedNetworkAccess = nil }),
        SessionMutant(
            "tasks-without-a-delegate-of-their-own", breaks: ["DLGT-23"], "ignores a task's own delegate",
            .tasks { $0.hasOwnDelegate = false }),
        SessionMutant(
            "async-delegate-is-not-asked", breaks: ["TASK-17"],
            "does not ask the delegate that is given to an asynchronous method",
            .tasks { if $0.asyncMethod != nil { $0.policies = TaskPolicies() } }),
        SessionMutant(
            "async-methods-run-to-their-end", breaks: ["TASK-18"],
            "does not cancel the load when its Swift task is cancelled", ignoresAsyncCancel()),
        SessionMutant(
            "completes-failed-bodies", breaks: ["UPLD-18"], "takes the failure of a body's stream for its end",
            .tasks { $0.stream?.fails = false }),
        SessionMutant(
            "proxy-for-both-schemes", breaks: ["PRXY-05"], "uses the proxy of one scheme for the other too",
            .sessions { $0.proxy?.scheme = nil }),
        SessionMutant(
            "proxy-without-exceptions", breaks: ["PRXY-06"], "uses the proxy for its exceptions too",
            .sessions { $0.proxy?.exceptions = [] }),
        SessionMutant(
            "reset-keeps-the-stores", breaks: ["STOR-07"], "retires only the connections on reset", resetsConnections()),
    ]

    private static func ignoresAsyncCancel() -> Interception {
        let calls = Mutex<Set<TaskName>>([])
        return Interception(
            command: { command in
                switch command {
                case .makeTask(let task):
                    if task.asyncMethod != nil { calls.withLock { _ = $0.insert(task.task) } }
                    return [command]
                case .cancel(let task) where calls.withLock({ $0.contains(task) }): return []
                default: return [command]
                }
            })
    }

    private static func resetsConnections() -> Interception {
        let isReset = Mutex(false)
        return Interception(
            command: { command in
                guard case .empty(let session, .reset) = command else { return [command] }
                isReset.withLock { $0 = true }
                return [.empty(session, .flush)]
            },
            event: { kind in
                guard case .emptied(let session, .flush) = kind, isReset.withLock({ $0 }) else { return [kind] }
                return [.emptied(session, .reset)]
            })
    }

    private static func sharesHeaders() -> Interception {
        let fields = Mutex<[HeaderField]>([])
        return .sessions { configuration in
            fields.withLock { fields in
                fields += configuration.headers
                configuration.headers = fields
            }
        }
    }

    private static func startsLate(_ concerns: @escaping @Sendable (SessionConfiguration) -> Bool) -> Interception {
        let isLate = Mutex(false)
        return Interception(command: { command in
            switch command {
            case .makeSession(_, let configuration) where concerns(configuration): isLate.withLock { $0 = true }
            case .resume where isLate.withLock({ $0 }): sleep(1)
            default: break
            }
            return [command]
        })
    }

    private static func asksTwice() -> Interception {
        @Sendable func twin(_ name: TaskName) -> TaskName { TaskName(name.text + " again") }
        return Interception(
            command: { command in
                switch command {
                case .makeTask(var task):
                    task.task = twin(task.task)
                    return [command, .makeTask(task)]
                case .resume(let name): return [command, .resume(twin(name))]
                default: return [command]
                }
            },
            event: { kind in
                if case .task(let name, _) = kind, name.text.hasSuffix(" again") { return [] }
                return [kind]
            })
    }

    private static func startsHandlersOver() -> Interception {
        let urls = Mutex<[TaskName: String]>([:])
        return .tasks { task in
            urls.withLock { urls in
                if task.delivery == .completionHandler, let first = task.resumesFrom, let url = urls[first] {
                    (task.resumesFrom, task.url) = (nil, url)
                }
                urls[task.task] = task.url
            }
        }
    }
}
