/// Words of other tools (Toxiproxy, WireMock, MockWebServer, netem, browser developer tools, shell) that writers try,
/// with the way to write the same here.
package enum ForeignWords {
    /// Words with the same advice at one position.
    struct Entry: Sendable {
        let words: [String]
        /// Words of the language; the entry is meant where one of them is allowed.
        let markers: [String]
        let advice: String
        init(_ words: String..., where markers: String..., advice: String) {
            self.words = words
            self.markers = markers
            self.advice = advice
        }
    }

    /// Returns the message about `word` where `allowed` are the words of the language; nil if it is not known.
    static func message(for word: String, among allowed: [String]) -> String? {
        let wanted = plain(word)
        let entry = table.first { $0.words.contains(wanted) && $0.markers.contains(where: allowed.contains) }
        return entry.map { "`\(word.shortened)` is not a word of scenarios; \($0.advice)" }
    }

    /// Returns the advice about `word` at each position that has some.
    package static func advice(for word: String) -> [String] {
        let wanted = plain(word)
        return table.filter { $0.words.contains(wanted) }.map(\.advice)
    }

    /// `reset_peer`, `RESET-PEER` and `resetPeer` are one word.
    private static func plain(_ word: String) -> String {
        word.lowercased().filter { $0 != "_" && $0 != "-" && $0 != " " }
    }

    static let table: [Entry] = root + steps + routes + faults + links + checks

    private static let root = [
        Entry(
            "name", "title", "description", "test", where: "scenario",
            advice: "write `scenario:` with the expected behaviour"),
        Entry(
            "server", "routes", "mock", "mocks", "stubs", "responses", "mappings", "respond", where: "origin",
            advice: "write `origin: { /path: { text: \"hello\" } }`"),
        Entry(
            "toxics", "toxic", "faults", "fault", "chaos", where: "origin",
            advice:
                "faults of the server stand under `origin:`, as `faults: [{ at: { responseBody: 4KiB }, do: reset }]`"),
        Entry("proxy", where: "proxies", advice: "write `proxies: { front: {} }`, and `proxy: front` under `session`"),
        Entry(
            "assert", "asserts", "assertions", "checks", "verify", "then", "should", "status", "result",
            where: "expect",
            advice: "checks are a list under `expect:`, such as `- response: { status: 200 }`"),
        Entry("offline", "off", where: "expect", advice: "write `network: none`"),
        Entry(
            "request", "requests", "get", "post", "put", "url", "given", "actions", "tasks", "do", where: "steps",
            advice: "requests are a list under `steps:`, such as `- data: /path`"),
        Entry(
            "latency", "bandwidth", "delay", "loss", "packetloss", "jitter", "rate", "throughput", "throttling", "wifi",
            "cellular", "profile", "condition", "link", where: "network",
            advice:
                "interfaces and their links stand under `network:`, as `network: { wifi: { profile: lte, both: { loss: 1% } } }`"
        ),
        Entry(
            "retry", "retries", "repeat", where: "expect",
            advice: "count requests with the check `requests: { atMost: 1 }`"),
        Entry("sleep", "wait", "pause", where: "steps", advice: "waiting is a step: `- await: { request: 1 }`"),
    ]

    private static let steps = [
        Entry(
            "sleep", "wait", "waitfor", "waituntil", "pause", "delay", where: "await",
            advice:
                "wait for progress with `await: { request: 1 }`, or with `await: { sinceStart: 2s }`, which counts from the first step"
        ),
        Entry(
            "get", "fetch", "request", "url", "load", "curl", "http", "datatask", "datataskwithurl", where: "inspect",
            advice: "write `data: /path`"),
        Entry(
            "post", "put", "patch", "delete", "head", "options", where: "inspect",
            advice:
                "write `data: /path` with `method:`, such as `method: POST` and `body: \"text\"` beside it; a file is sent with `upload: /path`"
        ),
        Entry("downloadtask", "downloadfile", "save", where: "download", advice: "write `download: /path`"),
        Entry(
            "uploadtask", "uploadfile", "send", where: "upload",
            advice: "write `upload: /path` with `body: { size: 1MiB }`"),
        Entry(
            "network", "wifi", "cellular", "offline", "online", "disconnect", "connect", "off", "on", "airplanemode",
            where: "await", advice: "write `set: { wifi: down }` or `set: { wifi: up }`"),
        Entry(
            "expect", "assert", "status", "verify", "check", "response", where: "await",
            advice: "checks stand under `expect:` at the end, such as `- response: { status: 200 }`"),
        Entry("background", "foreground", where: "await", advice: "write `set: { program: stopped }`"),
        Entry("id", "name", "called", "label", where: "as", advice: "write `as:`"),
        Entry("verb", "httpmethod", where: "method", advice: "write `method:`"),
        Entry("data", "payload", "json", "text", "content", "bodytext", where: "requestBody", advice: "write `body:`"),
        Entry("await", "waits", "sync", "block", where: "requestBody", advice: "write `wait: true`"),
        Entry("header", where: "headers", advice: "write `headers:`"),
        Entry(
            "expect", "assert", "status", "check", "verify", where: "requestBody",
            advice: "checks stand under `expect:` at the end, such as `- response: { status: 200 }`"),
    ]

    private static let routes = [
        Entry(
            "respond", "response", "reply", "return", "body", "content", "json", "data", "bodytext", "html",
            where: "ranges",
            advice: "a route has its response as keys: `text:` for a body, or `size:` for a pattern, and `status:`"),
        Entry("code", "statuscode", "httpstatus", "responsecode", where: "ranges", advice: "write `status:`"),
        Entry(
            "latency", "fixeddelay", "fixeddelaymilliseconds", "delaydistribution", "bodydelay", "headersdelay",
            "sleep",
            "wait", where: "variants", advice: "write `delay:`, the time before the response head"),
        Entry(
            "throttle", "throttlebody", "bandwidth", "chunkeddribbledelay", where: "ranges",
            advice:
                "faults are listed beside the routes: `faults: [{ at: { responseBody: 1B }, do: { throttle: 1Mbit/s } }]`"
        ),
        Entry(
            "fault", "faults", "socketpolicy", "toxics", "abort", "disconnect", "reset", "error", where: "ranges",
            advice:
                "faults are listed beside the routes: `faults: [{ at: { responseBody: 4KiB }, for: { path: /path }, do: reset }]`"
        ),
        Entry("contenttype", "mime", "mimetype", "mediatype", where: "type", advice: "write `type:`"),
        Entry("contentlength", "length", "bytes", where: "size", advice: "write `size:`"),
        Entry("acceptranges", "range", "resumable", where: "ranges", advice: "write `ranges: true`"),
        Entry("chunked", "transferencoding", where: "framing", advice: "write `framing: chunked`"),
        Entry(
            "gzip", "compress", "compression", "contentencoding", "brotli", where: "encoding",
            advice: "write `encoding: gzip`"),
        Entry(
            "method", "methods", "verb", where: "variants",
            advice: "write `variants: [{ when: { method: POST }, status: 201 }]`"),
        Entry("toxics", "toxic", "fault", "chaos", "errors", where: "faults", advice: "write `faults:`"),
        Entry(
            "routes", "stubs", "mappings", "responses", "respond", "paths", where: "faults",
            advice: "each route is a key of its own: `/path: { text: \"hello\" }`"),
        Entry("https", "ssl", "cert", where: "faults", advice: "write `tls: true`"),
    ]

    private static let faults = [
        Entry("when", "on", "where", "position", "point", "trigger", where: "do", advice: "write `at:`"),
        Entry("effect", "action", "toxic", "then", "kind", "type", "attributes", where: "do", advice: "write `do:`"),
        Entry("match", "filter", "if", "only", "scope", "path", "request", where: "do", advice: "write `for:`"),
        Entry(
            "probability", "toxicity", "chance", "percent", where: "do",
            advice: "faults happen at chosen requests: `for: { every: 3 }`"),
        Entry(
            "connectionlost", "connectionreset", "resetpeer", "rst", "abort", "kill", "disconnect", "econnreset",
            "drop",
            "disconnectduringresponsebody", "connectionresetbypeer", "networkconnectionlost", where: "stall", "dribble",
            advice: "write `do: reset`, or `do: close` for an orderly end"),
        Entry(
            "fin", "slowclose", "eof", "end", "shutdown", "disconnectatend", "disconnectafterrequest", "emptyresponse",
            where: "stall", "dribble", advice: "write `do: close`"),
        Entry(
            "timeout", "hang", "noresponse", "blackhole", "freeze", "silence", "stallsocketatstart", where: "stall",
            "dribble",
            advice: "write `do: stall`"),
        Entry("latency", "sleep", "wait", "delay", where: "stall", "dribble", advice: "write `do: { pause: 2s }`"),
        Entry(
            "bandwidth", "rate", "limit", "slowdown", where: "stall", "dribble",
            advice: "write `do: { throttle: 1Mbit/s }`"),
        Entry(
            "slicer", "slow", "trickle", "drip", where: "stall", "dribble",
            advice: "write `do: { dribble: { bytes: 1, every: 100ms } }`"),
        Entry(
            "limitdata", "truncate", "cut", where: "stall", "dribble",
            advice: "write `at: { responseBody: 4KiB }` with `do: close`"),
        Entry(
            "error", "code", "http", "statuscode", "servererror", where: "stall", "dribble",
            advice: "write `at: requestHead` with `do: { status: 503 }`"),
        Entry(
            "corrupt", "randomdata", "malformedresponsechunk", "bytes", where: "stall", "dribble",
            advice: "write `do: { noise: 100B }`"),
        Entry(
            "bytes", "body", "offset", "afterbytes", "data", where: "requestHead", "afterChunks",
            advice: "write `at: { responseBody: 4KiB }`"),
        Entry("connect", "connection", "start", where: "requestHead", "afterChunks", advice: "write `at: accept`"),
        Entry(
            "request", "headers", "beforeresponse", where: "requestHead", "afterChunks",
            advice: "write `at: requestHead`"),
        Entry(
            "response", where: "requestHead", "afterChunks",
            advice: "write `at: responseHead` or `at: { responseBody: 4KiB }`"),
    ]

    private static let links = [
        Entry(
            "latency", "ping", "rtt", "lag", where: "loss",
            advice: "write `delay:`, which is one-way, or `roundTrip:` under `both`"),
        Entry(
            "bandwidth", "throughput", "speed", "downloadthroughput", "uploadthroughput", "kbps", "limit",
            where: "loss",
            advice: "write `rate:`, such as `rate: 1.5Mbit/s`"),
        Entry("packetloss", "drop", "dropped", "plr", where: "loss", advice: "write `loss:`, such as `loss: 2%`"),
        Entry("duplicates", "duplication", where: "loss", advice: "write `duplicate:`"),
        Entry("reordering", where: "loss", advice: "write `reorder:`"),
        Entry("corruption", where: "loss", advice: "write `corrupt:`"),
        Entry("buffer", "queuelength", "packetqueuelength", where: "loss", advice: "write `queue:`"),
        Entry(
            "latency", "ping", "rtt", "bandwidth", "throughput", "loss", "packetloss", "jitter", "delay", "rate",
            where: "both",
            advice:
                "properties of a link stand under a direction: `both: { roundTrip: 100ms, rate: 1Mbit/s, loss: 1% }`"),
        Entry(
            "enabled", "off", "offline", "connected", "status", where: "both",
            advice: "write `state: down` or `state: up`"),
        Entry(
            "off", "offline", "disconnected", "disabled", "false", "no", "lost", "disconnect", "airplane",
            where: "noRoute",
            advice: "write `down`"),
        Entry("on", "online", "connected", "enabled", "true", "yes", "connect", where: "noRoute", advice: "write `up`"),
        Entry(
            "off", "offline", "down", "disconnected", where: "poor-wifi",
            advice: "write `{ profile: good-wifi, state: down }`"),
        Entry(
            "slow", "bad", "weak", where: "poor-wifi",
            advice: "write `poor-wifi` or `very-bad-network`; crosswind profiles lists all"),
        Entry("2g", "gprs", where: "poor-wifi", advice: "write `edge`; crosswind profiles lists all"),
        Entry("4g", "mobile", where: "poor-wifi", advice: "write `lte`; crosswind profiles lists all"),
        Entry(
            "fast", "normal", "default", "wifi", where: "poor-wifi",
            advice: "write `good-wifi`; crosswind profiles lists all"),
        Entry("wlan", "wireless", "wlan0", "en0", where: "wifi", advice: "write `wifi:`"),
        Entry(
            "mobile", "cell", "lte", "4g", "5g", "3g", "wwan", where: "cellular",
            advice: "write `cellular:`, such as `cellular: lte`"),
        Entry("ethernet", "lan", "eth0", where: "wired", advice: "write `wired:`"),
        Entry(
            "latency", "bandwidth", "loss", "delay", "rate", "jitter", "packetloss", "profile", "condition",
            where: "nat64",
            advice: "name the interface first: `wifi: { profile: lte, both: { loss: 1% } }`"),
        Entry("offline", where: "nat64", advice: "write `network: none`"),
    ]

    private static let checks = [
        Entry("status", "statuscode", "code", where: "requests", advice: "write `response: { status: 200 }`"),
        Entry(
            "error", "fails", "fail", "failure", "throws", "errors", where: "requests",
            advice: "write `completes: { error: timedOut }`"),
        Entry(
            "success", "succeed", "ok", "pass", "passes", "noerror", where: "requests", advice: "write `succeeds: all`"),
        Entry(
            "called", "callcount", "times", "hits", "retries", "attempts", "requestcount", where: "requests",
            advice: "write `requests: { count: 1 }`"),
        Entry(
            "duration", "elapsed", "time", "latency", "responsetime", where: "requests",
            advice: "write `timing: { from: start, to: first.didComplete, atMost: 5s }`"),
        Entry(
            "header", "headers", where: "requests",
            advice:
                "write `response: { headers: { ETag: present } }`, or `request: { number: 1, headers: { Range: absent } }`"
        ),
        Entry(
            "content", "text", "data", "json", where: "requests",
            advice: "write `body: { equals: /path }` or `body: { text: hello }`"),
        Entry(
            "status", "statuscode", where: "resumeData",
            advice: "the status is a check of its own: `response: { status: 200 }`"),
        Entry("success", "succeeds", "ok", where: "resumeData", advice: "write `error: none`"),
        Entry(
            "connectionlost", "connectionreset", "reset", "econnreset", "1005", "lost", where: "networkConnectionLost",
            advice: "write `networkConnectionLost`"),
        Entry(
            "timeout", "etimedout", "1001", "timeouterror", where: "networkConnectionLost", advice: "write `timedOut`"),
        Entry(
            "connectionrefused", "econnrefused", "refused", "1004", where: "networkConnectionLost",
            advice: "write `cannotConnectToHost`"),
        Entry(
            "dns", "nxdomain", "enotfound", "hostnotfound", "unknownhost", "1003", where: "networkConnectionLost",
            advice: "write `cannotFindHost`"),
        Entry(
            "offline", "notconnected", "nointernet", "networkunreachable", "1009", where: "networkConnectionLost",
            advice: "write `notConnectedToInternet`"),
        Entry("ok", "success", "null", "nil", "no", "false", where: "networkConnectionLost", advice: "write `none`"),
        Entry("error", "failure", "true", "yes", "some", where: "networkConnectionLost", advice: "write `any`"),
        Entry(
            "tls", "ssl", "sslerror", "tlserror", "1200", where: "networkConnectionLost",
            advice: "write `secureConnectionFailed`"),
    ]
}
