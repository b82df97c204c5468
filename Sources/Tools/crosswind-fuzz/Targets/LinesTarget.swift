import AdapterProtocol

/// The lines of an adapter: each line is an event or an error, and an event is written as it was parsed.
struct LinesTarget: FuzzTarget {
    static let name = "lines"
    static let subject = "lines of adapters and of the harness: events and commands"

    /// Line templates; `#` is replaced with a number, `?` with a text.
    private static let templates = [
        #""event":"hello","implementation":{"name":?,"version":?,"language":?},"capabilities":{"a":true,"b":false}"#,
        #""event":"didReceiveResponse","task":?,"status":#,"url":?,"headers":[["Content-Length",?],[?,?]],"expectedLength":#"#,
        #""event":"didReceiveData","task":?,"length":#,"base64":?"#,
        #""event":"fileContent","task":?,"offset":#,"base64":"aGVsbG8=""#,
        #""event":"didSendBodyData","task":?,"sent":#,"totalSent":#,"expected":#"#,
        #""event":"didWriteData","task":?,"written":#,"totalWritten":#,"expected":#"#,
        #""event":"didResumeAtOffset","task":?,"offset":#,"expected":#"#,
        #""event":"didFinishDownloading","task":?,"length":#"#,
        #""event":"didComplete","task":?,"resumeDataLength":#,"error":{"domain":?,"code":#,"text":?}"#,
        #""event":"inspected","task":?,"state":?,"bytesReceived":#,"bytesSent":#,"expectedToReceive":#,"expectedToSend":#"#,
        #""event":"progressRead","task":?,"completed":#,"total":#,"fraction":#,"joint":#,"isCancelled":true,"isPaused":false"#,
        #""event":"cacheInspected","task":?,"base64":"aGVsbG8=","diskUsage":#,"memoryUsage":#,"response":{"expectedLength":#,"headers":[],"status":#,"url":?}"#,
        #""event":"didReceiveChallenge","task":?,"host":?,"level":"task","method":"httpBasic","previousFailureCount":#,"realm":?"#,
        #""event":"protocolLoad","task":?,"number":#,"url":?"#, #""event":"recalled","task":?,"length":#"#,
        #""event":?,"x":#"#, #""event":"log","text":?"#,
        #""command":"makeSession","session":?,"configuration":{"kind":"default","requestTimeout":#,"resourceTimeout":#,"maximumConnectionsPerHost":#}"#,
        #""command":"makeTask","task":?,"session":?,"kind":"data","url":?,"timeout":#,"priority":#,"body":{"length":#}"#,
        #""command":"stream","task":?,"action":"read","minimum":#,"maximum":#,"timeout":#"#,
        #""command":"resume","task":?"#,
    ]

    init() {}

    mutating func play(_ random: inout FuzzRandom) throws(FuzzFinding) -> Bool {
        var line = ""
        for character in random.pick(LinesTarget.templates) {
            switch character {
            case "#":
                line +=
                    random.happens(oneIn: 6)
                    ? random.pick(["1e400", "-1e400", "1.5", "1e18", "null", "true", "\"1\"", "0.1"])
                    : HostileText.number(&random)
            case "?":
                line += random.pick([
                    #""first""#, #""""#, #""\u0000""#, #""%""#, #""aGVsbG8=""#, #""=""#, #""http://h.test/""#, "null",
                    "[]", #""\ud800""#,
                ])
            default: line.append(character)
            }
        }
        let sequence = random.happens(oneIn: 4) ? HostileText.number(&random) : "1"
        line =
            "{\"v\":\(Wire.version),\"seq\":\(sequence),\"time\":\(random.happens(oneIn: 4) ? HostileText.number(&random) : "5"),\(line)}"
        if random.happens(oneIn: 100) {
            line =
                String(repeating: random.pick(["[", "{\"a\":", "{\"v\":1,\"event\":["]), count: random.below(2000))
                + line
        }
        var bytes = Array(line.utf8)
        if random.happens(oneIn: 3) { random.damage(&bytes) }
        if let command = try? AdapterCommand.decode(line: bytes) {
            guard
                (try? AdapterCommand.decode(line: command.command.encodedLine(sequence: command.sequence)))?.command
                    == command.command
            else {
                throw FuzzFinding("reading and writing changes the command", bytes)
            }
            return true
        }
        guard let event = try? SessionEvent.decode(line: bytes) else { return false }
        guard let again = try? SessionEvent.decode(line: event.encodedLine()) else {
            throw FuzzFinding("an event that cannot be read again", bytes)
        }
        if case .unknown = event.kind { return true }
        guard again == event else { throw FuzzFinding("reading and writing changes the event", bytes) }
        return true
    }
}
