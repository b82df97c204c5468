/// The words of the scenario language before version 1.0 with their replacements. An old word is an error that names
/// the new one; the table will be removed in the next version.
package enum RenamedWords {
    /// Keys, words and events. A word may occur twice: the words allowed at its position select the replacement.
    static let table: KeyValuePairs = [
        // The file.
        "limit": "timeout", "after": "dependsOn", "script": "steps", "names": "dns",
        // Steps, and options of tasks and sessions.
        "start": "resume", "handler": "completionHandler", "ask": "read", "for": "property", "read": "readStream",
        "write": "writeStream",
        "keep": "retain", "recall": "readRetained", "stall": "blockCallback", "watch": "spy",
        // Events and capabilities.
        "told": "propertyRead", "recalled": "retained", "recalledContent": "retainedContent",
        "storeAsked": "storeAccess",
        "cookieSwitch": "cookieControl", "delegateLife": "delegateRelease", "stalledCallbacks": "blockedCallbacks",
        "watchedCookies": "cookieSpy", "watchedCache": "cacheSpy", "watchedCredentials": "credentialSpy",
        // Networks.
        "up": "uplink", "down": "downlink", "flaps": "flapping", "down": "downFor", "up": "upFor", "wait": "delay",
        "idle": "idleTimeout",
        "drops": "drop", "newest": "tail", "oldest": "head", "inBad": "lossInBad", "inGood": "lossInGood",
        "silently": "drop",
        // DNS.
        "answer": "reply", "flaw": "malformed", "turns": "sequence", "answered": "reply",
        "fromElsewhere": "wrongSource",
        "malformed": "wrongCount",
        // The origin and proxies.
        "answer": "response", "instead": "variants", "then": "replacedBy", "lacksCookie": "withoutCookie",
        "surplus": "trailingBytes",
        "label": "contentEncoding", "cut": "truncateBy", "flip": "corruptByteAt", "bomb": "zipBomb", "of": "for",
        "answer": "respond",
        // Checks.
        "names": "dnsQueries", "asked": "storeAccess", "kept": "content", "direct": "directConnections",
        "leftFiles": "filesLeft",
        "proxied": "proxyRequest", "streamed": "streamRead", "resumes": "resumeOffset", "classLoaded": "protocolClass",
        // Moments.
        "time": "sinceStart", "responseBody": "responseSent",
        // Outcomes.
        "storm": "flood",
    ]

    /// Returns the replacement of `old` if it is among the words allowed here.
    package static func replacement(for old: String, among allowed: [String]) -> String? {
        table.first { $0.key == old && allowed.contains($0.value) }?.value
    }

    /// Returns advice about an old form that was not replaced by a single word; otherwise nil.
    static func advice(for key: String, under what: String) -> String? {
        guard what == "resume" else { return nil }
        return "the key `\(key.shortened)` does not exist under `resume`, which starts or continues a task; "
            + "a task from resume data is `download: { resumeData: TASK }` or `upload: { resumeData: TASK }`"
    }
}
