import AdapterProtocol
import AdapterSupport
import Foundation
import Synchronization

extension SessionMutant {
    /// Mutants that report something else than has happened.
    static let reporting = [
        SessionMutant(
            "hides-failures-before-the-request", breaks: ["RFC-DNS-01", "RFC-DNS-02", "RFC-DNS-04", "RFC-CERT-08"],
            "ends a task without an error when its name cannot be resolved or its handshake fails",
            .events { _, event in
                guard case .didComplete(let failure?, let data) = event,
                    [.cannotFindHost, .dnsLookupFailed, .secureConnectionFailed].contains(failure.named)
                else { return [event] }
                return [.didComplete(nil, resumeDataLength: data)]
            }),
        SessionMutant(
            "hides-malformed-responses", breaks: ["RFC-FRAMING-18"],
            "ends a task without an error when its response is malformed",
            .events { _, event in
                guard case .didComplete(_?, let data) = event else { return [event] }
                return [.didComplete(nil, resumeDataLength: data)]
            }),
        SessionMutant(
            "hangs-after-garbage", breaks: ["RFC-FRAMING-16"], "never ends a task whose response is malformed",
            .events { _, event in
                if case .didComplete(_?, _) = event { return [] }
                return [event]
            }),
        SessionMutant(
            "end-of-the-connection-is-an-error", breaks: ["RFC-FRAMING-05"],
            "fails a response without a length when its connection ends", failsWithoutLength()),
        SessionMutant(
            "keeps-the-order-of-requests", breaks: ["H2-04"], "delivers no response before those of the earlier tasks",
            keepsOrder()),
        SessionMutant(
            "counts-with-32-bits", breaks: ["TASK-14"], "counts bytes with 32 bits",
            .events { _, event in
                guard case .inspected(let state, let received, let sent, let toReceive, let toSend) = event else {
                    return [event]
                }
                func short(_ count: Int64) -> Int64 { Int64(Int32(truncatingIfNeeded: count)) }
                return [
                    .inspected(
                        state: state, bytesReceived: short(received), bytesSent: short(sent),
                        expectedToReceive: short(toReceive), expectedToSend: short(toSend))
                ]
            }),
        SessionMutant(
            "reports-waiting-online", breaks: ["CONN-10"], "reports that it waits although there is connectivity",
            .events { _, event in
                if case .didReceiveResponse = event { return [.taskIsWaitingForConnectivity, event] }
                return [event]
            }),
        SessionMutant(
            "handlers-get-less", breaks: ["CONV-04"], "gives a completion handler the first kilobytes of a body",
            givesLess()),
        SessionMutant(
            "keeps-challenges-of-handlers", breaks: ["CONV-06"],
            "does not call the delegate for challenges of a task with a completion handler", keepsChallenges()),
        SessionMutant(
            "client-certificates-for-the-task", breaks: ["AUTH-02"],
            "asks for a client certificate on the level of the task",
            .events { _, event in
                guard case .didReceiveChallenge(var challenge) = event, challenge.method == "clientCertificate" else {
                    return [event]
                }
                challenge.level = .task
                return [.didReceiveChallenge(challenge)]
            }),
        SessionMutant(
            "data-at-the-end", breaks: ["DATA-02"], "delivers data only when the whole body has arrived",
            collects { if case .didReceiveData = $0 { true } else { false } }),
        SessionMutant(
            "response-at-the-end", breaks: ["DLGT-04", "DATA-08"],
            "delivers the response only when the body has arrived",
            collects { event in
                switch event {
                case .didReceiveResponse, .didReceiveData: true
                default: false
                }
            }),
        SessionMutant(
            "kept-data-changes", breaks: ["DATA-04"], "changes data that the delegate retains",
            .events { _, event in
                guard case .retainedContent(let offset, var bytes) = event, !bytes.isEmpty else { return [event] }
                bytes[0] ^= 1
                return [.retainedContent(offset: offset, bytes)]
            }),
        SessionMutant(
            "converted-tasks-deliver-data", breaks: ["DATA-06"], "delivers data after a task has become a download",
            .events { _, event in
                if case .didBecomeDownload = event { return [event, .didReceiveData([0])] }
                return [event]
            }),
        SessionMutant(
            "conversion-loses-a-byte", breaks: ["DATA-07"], "loses the first byte of a body that becomes a download",
            losesByteInConversion()),
        SessionMutant(
            "empty-data", breaks: ["DLGT-05"], "delivers empty data for an empty body",
            .events { _, event in
                if case .didReceiveResponse(let response) = event, response.expectedLength == 0 {
                    return [event, .didReceiveData([])]
                }
                return [event]
            }),
        SessionMutant(
            "downloads-deliver-data", breaks: ["DLGT-21"], "delivers the data of downloads to the delegate",
            .events { _, event in
                if case .didWriteData(let count, _, _) = event {
                    return [event, .didReceiveData([UInt8](repeating: 0, count: Int(count)))]
                }
                return [event]
            }),
        SessionMutant(
            "data-tasks-report-writing", breaks: ["DLGT-22"], "reports the data of data tasks as written",
            .events { _, event in
                if case .didReceiveData(let bytes) = event {
                    let count = Int64(bytes.count)
                    return [event, .didWriteData(written: count, totalWritten: count, expected: count)]
                }
                return [event]
            }),
        SessionMutant(
            "takes-moved-files", breaks: ["DNLD-03"], "empties a file that was moved away in its callback",
            .events { _, event in
                switch event {
                case .retainedContent: []
                case .retained(_, let isInPlace): [.retained(length: 0, isInPlace: isInPlace)]
                default: [event]
                }
            }),
        SessionMutant(
            "stays-suspended", breaks: ["TASK-02"], "shows the state suspended while a task runs",
            inspecting { $0 == "running" ? "suspended" : $0 }),
        SessionMutant(
            "never-completed", breaks: ["TASK-03"], "shows the state running after a task has ended",
            inspecting { $0 == "completed" ? "running" : $0 }),
        SessionMutant(
            "uploads-are-no-data-tasks", breaks: ["TASK-13"], "has upload tasks that are not data tasks",
            .events { _, event in
                guard case .propertyRead(.classes, "data upload") = event else { return [event] }
                return [.propertyRead(.classes, "upload")]
            }),
        SessionMutant(
            "counts-no-sent-bytes", breaks: ["UPLD-11"], "does not count the bytes of a request's body",
            .events { _, event in
                guard case .inspected(let state, let received, _, let expected, let toSend) = event else {
                    return [event]
                }
                return [
                    .inspected(
                        state: state, bytesReceived: received, bytesSent: 0, expectedToReceive: expected,
                        expectedToSend: toSend)
                ]
            }),
        SessionMutant(
            "tires", breaks: ["CONF-19"], "fails every task after the fifth", tires()),
        SessionMutant(
            "unanswered-challenges-never-end", breaks: ["BKGD-27"], "never ends a task whose challenge is not answered",
            .events { _, event in
                if case .didComplete(let failure?, _) = event, failure.named == .timedOut { return [] }
                return [event]
            }),
        SessionMutant(
            "asks-without-a-cache", breaks: ["CACH-18"], "asks the delegate about caching in a session without a cache",
            .events { _, event in
                if case .didComplete(nil, _) = event { return [.willCacheResponse, event] }
                return [event]
            }),
    ]

    private static func inspecting(_ change: @escaping @Sendable (String) -> String) -> Interception {
        .events { _, event in
            guard case .inspected(let state, let received, let sent, let toReceive, let toSend) = event else {
                return [event]
            }
            return [
                .inspected(
                    state: change(state), bytesReceived: received, bytesSent: sent, expectedToReceive: toReceive,
                    expectedToSend: toSend)
            ]
        }
    }

    /// Holds some events of a task back until it completes.
    private static func collects(_ isHeld: @escaping @Sendable (TaskEvent) -> Bool) -> Interception {
        let held = Mutex<[TaskName: [TaskEvent]]>([:])
        return .events { task, event in
            held.withLock { held in
                if isHeld(event) {
                    held[task, default: []].append(event)
                    return []
                }
                if case .didComplete = event { return (held.removeValue(forKey: task) ?? []) + [event] }
                return [event]
            }
        }
    }

    private static func failsWithoutLength() -> Interception {
        let unlimited = Mutex<Set<TaskName>>([])
        return .events { task, event in
            unlimited.withLock { unlimited in
                switch event {
                case .didReceiveResponse(let response):
                    let isChunked = response.headers.contains { $0.name.lowercased() == "transfer-encoding" }
                    if response.expectedLength < 0, !isChunked { unlimited.insert(task) }
                case .didComplete(nil, let data) where unlimited.contains(task):
                    let failure = Failure(domain: Failure.urlErrorDomain, code: -1005, text: "the connection ended")
                    return [.didComplete(failure, resumeDataLength: data)]
                default: break
                }
                return [event]
            }
        }
    }

    private static func keepsOrder() -> Interception {
        struct Line {
            var tasks: [TaskName] = []
            var held: [TaskName: [SessionEvent.Kind]] = [:]
            var ended: Set<TaskName> = []
        }
        let line = Mutex(Line())
        return Interception(event: { kind in
            guard case .task(let task, let event) = kind else { return [kind] }
            return line.withLock { line in
                if !line.tasks.contains(task) { line.tasks.append(task) }
                line.held[task, default: []].append(kind)
                if case .didComplete = event { line.ended.insert(task) }
                var out: [SessionEvent.Kind] = []
                while let first = line.tasks.first {
                    out += line.held.removeValue(forKey: first) ?? []
                    guard line.ended.contains(first) else { break }
                    line.tasks.removeFirst()
                }
                return out
            }
        })
    }

    /// The names of the tasks with a completion handler.
    private static func handlerTasks(
        _ change: @escaping @Sendable (TaskEvent) -> [TaskEvent]
    ) -> Interception {
        let handlers = Mutex<Set<TaskName>>([])
        var interception = Interception.events { task, event in
            handlers.withLock { $0.contains(task) } ? change(event) : [event]
        }
        interception.command = { command in
            if case .makeTask(let task) = command, task.delivery == .completionHandler {
                _ = handlers.withLock { $0.insert(task.task) }
            }
            return [command]
        }
        return interception
    }

    private static func givesLess() -> Interception {
        handlerTasks { event in
            guard case .didReceiveData(let bytes) = event, bytes.count > 4_096 else { return [event] }
            return [.didReceiveData(Array(bytes.prefix(4_096)))]
        }
    }

    private static func keepsChallenges() -> Interception {
        handlerTasks { event in
            if case .didReceiveChallenge = event { return [] }
            return [event]
        }
    }

    private static func losesByteInConversion() -> Interception {
        let converted = Mutex<Set<TaskName>>([])
        return .events { task, event in
            converted.withLock { converted in
                switch event {
                case .didBecomeDownload: converted.insert(task)
                case .fileContent(0, let bytes) where converted.contains(task) && !bytes.isEmpty:
                    return [.fileContent(offset: 0, [0] + bytes.dropFirst())]
                default: break
                }
                return [event]
            }
        }
    }

    private static func tires() -> Interception {
        let count = Mutex(0)
        return .events { _, event in
            guard case .didComplete(nil, let data) = event else { return [event] }
            let number = count.withLock { count in
                count += 1
                return count
            }
            guard number > 5 else { return [event] }
            let failure = Failure(domain: Failure.urlErrorDomain, code: -1, text: "too many tasks")
            return [.didComplete(failure, resumeDataLength: data)]
        }
    }
}
