@testable import Conformance

extension CheckCompletenessTests {
    private static let data = "first.didReceiveData"
    private static let end = "first.didComplete"

    static var examples: [String: Examples] {
        [
            "order": Examples(
                run: plain(), holds: ["[first.didReceiveResponse, \(data), \(end)]"],
                fails: ["": "[\(data), first.didReceiveResponse]"]),
            "sequence": Examples(
                run: plain(), holds: ["{ task: first, events: [didReceiveResponse, didReceiveData, didComplete] }"],
                fails: [
                    "task": "{ task: other, events: [didReceiveResponse, didReceiveData, didComplete] }",
                    "events": "{ task: first, events: [didReceiveResponse, didComplete] }",
                ]),
            "never": Examples(
                run: plain(), holds: ["first.didBecomeDownload", "{ event: \(data), after: \(end) }"],
                fails: [
                    "event": "{ event: \(data) }", "after": "{ event: \(data), after: first.didReceiveResponse }",
                    "before": "{ event: \(data), before: \(end) }",
                ]),
            "count": Examples(
                run: plain(), holds: ["{ event: \(data), equals: 2 }", "{ event: \(data), atLeast: 2, atMost: 2 }"],
                fails: [
                    "event": "{ event: \(end), equals: 2 }", "equals": "{ event: \(data), equals: 1 }",
                    "atLeast": "{ event: \(data), atLeast: 3 }", "atMost": "{ event: \(data), atMost: 1 }",
                ]),
            "before": Examples(
                run: plain(), holds: ["{ first: \(data), then: \(end) }"],
                fails: [
                    "first": "{ first: \(end), then: \(data) }",
                    "then": "{ first: \(data), then: first.didReceiveResponse }",
                ]),
            "consistent": Examples(
                run: failed(), holds: ["{ task: first }"], fails: ["task": "{ task: other }"]),
            "succeeds": Examples(
                run: plain(), holds: ["first", "[first]"], fails: ["": "all"]),
            "completes": Examples(
                run: failed(),
                holds: [
                    "{ task: first, error: timedOut, resumeData: absent }", "{ task: other, domain: own, code: 3 }",
                ],
                fails: [
                    "task": "{ task: other, error: timedOut }", "error": "{ task: first, error: none }",
                    "domain": "{ task: other, domain: mine }", "code": "{ task: other, domain: own, code: 4 }",
                    "resumeData": "{ task: first, error: timedOut, resumeData: present }",
                ]),
            "timing": Examples(
                run: plain(), holds: ["{ from: first.didReceiveResponse, to: \(end), atLeast: 4ms, atMost: 4ms }"],
                fails: [
                    "from": "{ from: start, to: \(end), atMost: 4ms }",
                    "to": "{ from: first.didReceiveResponse, to: \(data), atLeast: 4ms }",
                    "atLeast": "{ from: first.didReceiveResponse, to: \(end), atLeast: 5ms }",
                    "atMost": "{ from: first.didReceiveResponse, to: \(end), atMost: 3ms }",
                ]),
            "response": Examples(
                run: plain(),
                holds: [
                    "{ task: first, number: 1, status: 200, url: http://api.test/hello, headers: { Content-Type: text/plain } }"
                ],
                fails: [
                    "task": "{ task: other, status: 200 }", "number": "{ task: first, number: 2, status: 200 }",
                    "status": "{ task: first, status: 201 }", "url": "{ task: first, url: /other }",
                    "headers": "{ task: first, headers: { Content-Type: absent } }",
                ]),
            "body": Examples(
                run: plain(), holds: ["{ task: first, equals: /hello, length: 5 }", "{ task: first, text: hello }"],
                fails: [
                    "task": "{ task: other, text: hello }", "equals": "{ task: first, equals: /then }",
                    "version": "{ task: first, equals: /then, version: 2 }", "text": "{ task: first, text: hallo }",
                    "length": "{ task: first, length: 4 }",
                ]),
            "file": Examples(
                run: .resumed(),
                holds: [
                    "{ task: second, equals: /big, version: 1, length: 64KiB }",
                    "{ task: first, equals: /big, orNone: true }",
                ],
                fails: [
                    "orNone": "{ task: first, equals: /big, orNone: false }",
                    "task": "{ task: first, equals: /big }", "equals": "{ task: second, equals: /other }",
                    "version": "{ task: second, equals: /big, version: 2 }", "text": "{ task: second, text: hello }",
                    "length": "{ task: second, length: 1 }",
                ]),
            "retained": Examples(
                run: ClientCheckTests.run(),
                holds: ["{ task: second, equals: /big, version: 1, length: 64KiB, place: empty }"],
                fails: [
                    "task": "{ task: first, equals: /big }", "equals": "{ task: second, equals: /hello }",
                    "version": "{ task: second, equals: /hello, version: any }",
                    "text": "{ task: second, text: hello }",
                    "length": "{ task: second, length: 1 }", "content": "{ task: second, content: nothing }",
                    "place": "{ task: second, place: taken }",
                ]),
            "held": Examples(
                run: ClientCheckTests.run(), holds: ["{ task: first, at: redirect }"],
                fails: ["task": "{ task: second, at: redirect }", "at": "{ task: first, at: response }"]),
            "resumeOffset": Examples(
                run: .resumed(),
                holds: ["{ task: second, offset: sameAsOnTheWire }", "{ task: second, offset: 16384, request: 2 }"],
                fails: [
                    "task": "{ task: first, offset: sameAsOnTheWire }", "offset": "{ task: second, offset: 16385 }",
                    "request": "{ task: second, offset: sameAsOnTheWire, request: 1 }",
                ]),
            "progress": Examples(
                run: uneven(),
                holds: ["{ task: second, kind: download, final: 65536, expected: 65536, monotonic: true }"],
                fails: [
                    "task": "{ task: first, kind: download, final: 65536 }",
                    "kind": "{ task: second, kind: upload, final: 65536 }",
                    "final": "{ task: second, kind: download, final: 65535 }",
                    "expected": "{ task: second, kind: download, expected: -1 }",
                    "monotonic": "{ task: first, kind: download, monotonic: true }",
                ]),
            "waits": Examples(
                run: waiting(), holds: ["{ task: first }", "{ task: first, until: wifi }"],
                fails: ["task": "{ task: other }", "until": "{ task: first, until: end }"]),
            "challenge": Examples(
                run: questions(),
                holds: [
                    "{ task: first, number: 1, method: httpBasic, level: task, previousFailureCount: 0, realm: lab, host: api.test, count: 1 }"
                ],
                fails: [
                    "task": "{ task: other, number: 1 }", "number": "{ task: first, number: 2 }",
                    "method": "{ task: first, method: httpDigest }",
                    "level": "{ task: first, level: session }", "onlyLevel": "{ task: first, onlyLevel: session }",
                    "previousFailureCount": "{ task: first, previousFailureCount: 1 }",
                    "realm": "{ task: first, realm: x }", "host": "{ task: first, host: x.test }",
                    "count": "{ task: first, count: 2 }",
                    "atLeast": "{ task: first, atLeast: 2 }", "atMost": "{ task: first, atMost: 0 }",
                    "proxy": "{ task: first, proxy: true }",
                ]),
            "cached": Examples(
                run: cached(),
                holds: [
                    "{ task: first, number: 1, found: true, status: 200, text: hello, length: 5, memoryUsage: 1..6, diskUsage: 7 }",
                    "{ task: first, number: 2, found: false }",
                ],
                fails: [
                    "task": "{ task: other, found: true }", "number": "{ task: first, number: 3, found: true }",
                    "found": "{ task: first, found: false }", "status": "{ task: first, status: 201 }",
                    "text": "{ task: first, text: hallo }", "length": "{ task: first, length: 4 }",
                    "memoryUsage": "{ task: first, memoryUsage: 0..5 }", "diskUsage": "{ task: first, diskUsage: 6 }",
                ]),
            "redirect": Examples(
                run: questions(),
                holds: ["{ task: first, number: 1, status: 302, url: http://api.test/new, method: GET, count: 1 }"],
                fails: [
                    "task": "{ task: other, number: 1 }", "number": "{ task: first, number: 2 }",
                    "status": "{ task: first, status: 301 }",
                    "url": "{ task: first, url: http://api.test/old }", "method": "{ task: first, method: POST }",
                    "count": "{ task: first, count: 2 }", "atLeast": "{ task: first, atLeast: 2 }",
                    "atMost": "{ task: first, atMost: 0 }",
                ]),
            "inspected": Examples(
                run: questions(),
                holds: [
                    "{ task: first, number: 1, state: running, bytesReceived: 5, bytesSent: 6, expectedToReceive: 7, expectedToSend: 8 }"
                ],
                fails: [
                    "task": "{ task: other, state: running }", "number": "{ task: first, number: 2, state: running }",
                    "state": "{ task: first, state: completed }", "bytesReceived": "{ task: first, bytesReceived: 6 }",
                    "bytesSent": "{ task: first, bytesSent: 5 }",
                    "expectedToReceive": "{ task: first, expectedToReceive: 8 }",
                    "expectedToSend": "{ task: first, expectedToSend: 7 }",
                ]),
            "metrics": Examples(
                run: MetricsCheckTests.run(),
                holds: [
                    "{ task: first, transactions: 2, redirects: 1, lastsAtLeast: 5ms, number: 1, source: network, reused: false, protocol: h2, connects: true, secures: true, sent: 1, received: 2, decoded: 3 }",
                    "{ task: first, number: 2, reused: true, connects: false, secures: false }",
                ],
                fails: [
                    "task": "{ task: other, transactions: 2 }", "transactions": "{ task: first, transactions: 1 }",
                    "redirects": "{ task: first, redirects: 0 }", "lastsAtLeast": "{ task: first, lastsAtLeast: 6ms }",
                    "number": "{ task: first, number: 2, reused: false }", "source": "{ task: first, source: cache }",
                    "reused": "{ task: first, reused: true }", "protocol": "{ task: first, protocol: http/1.1 }",
                    "connects": "{ task: first, number: 2, connects: true }",
                    "secures": "{ task: first, secures: false }", "sent": "{ task: first, sent: 2 }",
                    "received": "{ task: first, received: 3 }", "decoded": "{ task: first, decoded: 2 }",
                ]),
            "callbacks": Examples(
                run: CallbackCheckTests.run(),
                holds: ["{ of: [first, second], atOnce: 2 }", "{ of: first, atOnce: 1, onQueue: true }"],
                fails: [
                    "of": "{ of: first, atOnce: 2 }", "atOnce": "{ of: [first, second], atOnce: 1 }",
                    "onQueue": "{ of: second, onQueue: true }",
                ]),
            "progressRead": Examples(
                run: CallbackCheckTests.run(),
                holds: [
                    "{ task: first, number: 3, percent: 100, joint: 50, cancelled: true, paused: true, described: true }"
                ],
                fails: [
                    "task": "{ task: second, percent: 0 }", "number": "{ task: first, number: 2, percent: 0 }",
                    "percent": "{ task: first, percent: 1 }", "joint": "{ task: first, number: 3, joint: 51 }",
                    "cancelled": "{ task: first, number: 3, cancelled: false }",
                    "paused": "{ task: first, paused: true }",
                    "described": "{ task: first, number: 2, described: true }",
                ]),
            "streamRead": Examples(
                run: CallbackCheckTests.stream(), holds: ["{ task: first, contains: hello, atEnd: true }"],
                fails: [
                    "task": "{ task: other, contains: hello }", "contains": "{ task: first, contains: hallo }",
                    "atEnd": "{ task: first, contains: hello, atEnd: false }",
                    "body": "{ task: first, contains: hello, body: /hello }",
                ]),
            "progressWatched": Examples(
                run: CallbackCheckTests.run(), holds: ["{ task: first, values: 3, last: 100 }"],
                fails: [
                    "task": "{ task: second, values: 3 }", "values": "{ task: first, values: 2 }",
                    "last": "{ task: first, values: 3, last: 99 }",
                ]),
            "invalidated": Examples(
                run: questions(),
                holds: [
                    "{ session: main }", "{ session: main, error: none }", "{ session: other, domain: own, code: 3 }",
                ],
                fails: [
                    "session": "{ session: other }", "error": "{ session: main, error: any }",
                    "domain": "{ session: other, domain: mine }", "code": "{ session: other, domain: own, code: 4 }",
                ]),
            "request": Examples(
                run: wire(),
                holds: [
                    "{ number: 1, method: POST, path: /hello, bodyText: hi, bodyBytes: 2, connection: 1, headers: { X-A: b }, rangeStart: 5 }",
                    "{ number: 2, sameConnectionAs: 1, bodyEquals: pattern }",
                    "{ number: 3, differentConnectionFrom: 1 }",
                    "{ number: 3, outranks: 1 }", "{ number: 1, protocol: http/1.1, priority: none }",
                    "{ number: 3, protocol: h2, priority: weight 201 }",
                ],
                fails: [
                    "number": "{ number: 4 }", "method": "{ number: 1, method: GET }",
                    "path": "{ number: 1, path: /x }",
                    "headers": "{ number: 1, headers: { X-A: absent } }", "rangeStart": "{ number: 1, rangeStart: 6 }",
                    "bodyBytes": "{ number: 1, bodyBytes: 3 }", "complete": "{ number: 1, complete: false }",
                    "bodyText": "{ number: 1, bodyText: ho }",
                    "protocol": "{ number: 3, protocol: http/1.1 }", "priority": "{ number: 3, priority: none }",
                    "bodyEquals": "{ number: 1, bodyEquals: pattern }", "connection": "{ number: 1, connection: 2 }",
                    "outranks": "{ number: 1, outranks: 3 }",
                    "sameConnectionAs": "{ number: 3, sameConnectionAs: 1 }",
                    "differentConnectionFrom": "{ number: 2, differentConnectionFrom: 1 }",
                ]),
            "requests": Examples(
                run: wire(), holds: ["{ count: 3 }", "{ count: 1, path: /hello, method: POST }"],
                fails: [
                    "count": "{ count: 2 }", "atLeast": "{ atLeast: 4 }", "atMost": "{ atMost: 2 }",
                    "path": "{ count: 3, path: /x }",
                    "method": "{ count: 3, method: POST }",
                ]),
            "connections": Examples(
                run: wire(), holds: ["{ count: 2 }"],
                fails: ["count": "{ count: 3 }", "atLeast": "{ atLeast: 3 }", "atMost": "{ atMost: 1 }"]),
            "openConnections": Examples(
                run: WireCheckTests.connections(),
                holds: ["{ count: 2 }", "{ host: api.test, atLeast: 1, atMost: 1 }"],
                fails: [
                    "host": "{ host: api.test, count: 2 }", "count": "{ count: 3 }", "atLeast": "{ atLeast: 3 }",
                    "atMost": "{ atMost: 1 }",
                ]),
            "closed": Examples(
                run: WireCheckTests.connections(), holds: ["{ connection: 1, by: server }"],
                fails: ["connection": "{ connection: 2, by: server }", "by": "{ connection: 1, by: client }"]),
            "tls": Examples(
                run: TLSCheckTests.run(),
                holds: [
                    "{ version: '1.3', serverName: api.test, alpn: h2, resumed: false, earlyData: notSent, clientCertificate: absent }",
                    "{ number: 2, version: ['1.2', '1.3'], resumed: true, earlyData: refused, clientCertificate: present, alpn: none }",
                    "{ count: 2 }",
                ],
                fails: [
                    "number": "{ number: 3 }", "version": "{ version: ['1.0', '1.2'] }",
                    "serverName": "{ serverName: other.test }",
                    "alpn": "{ alpn: http/1.1 }", "resumed": "{ number: 2, resumed: false }",
                    "earlyData": "{ earlyData: accepted }",
                    "clientCertificate": "{ clientCertificate: present }", "count": "{ count: 1 }",
                ]),
            "proxyRequest": Examples(
                run: proxied(),
                holds: [
                    "{ proxy: front, count: 2 }",
                    "{ proxy: front, number: 1, form: connect, target: 'API.test:443', refused: 407 }",
                    "{ proxy: front, number: 2, connected: true, headers: { Proxy-Authorization: present } }",
                ],
                fails: [
                    "proxy": "{ proxy: back, number: 1 }", "number": "{ proxy: front, number: 3 }",
                    "form": "{ proxy: front, form: absolute }",
                    "target": "{ proxy: front, target: 'api.test:80' }",
                    "refused": "{ proxy: front, number: 2, refused: 407 }",
                    "connected": "{ proxy: front, number: 1, connected: true }",
                    "headers": "{ proxy: front, headers: { Proxy-Authorization: present } }",
                    "count": "{ proxy: front, count: 1 }",
                    "atLeast": "{ proxy: front, atLeast: 3 }", "atMost": "{ proxy: front, atMost: 1 }",
                ]),
            "directConnections": Examples(
                run: proxied(), holds: ["{ count: 1 }"],
                fails: ["count": "{ count: 2 }", "atLeast": "{ atLeast: 2 }", "atMost": "{ atMost: 0 }"]),
            "dnsQueries": Examples(
                run: plain(),
                holds: ["{ host: api.test, type: A, count: 1 }", "{ host: api.test, atLeast: 2, atMost: 2 }"],
                fails: [
                    "host": "{ host: x.test, atLeast: 1 }", "type": "{ host: api.test, type: A, count: 2 }",
                    "count": "{ host: api.test, count: 1 }",
                    "atLeast": "{ host: api.test, atLeast: 3 }", "atMost": "{ host: api.test, atMost: 1 }",
                ]),
            "frames": Examples(
                run: wire(),
                holds: [
                    "{ type: RST_STREAM, count: 1 }",
                    "{ type: RST_STREAM, by: client, text: CANCEL, connection: 2, request: 3, atLeast: 1, atMost: 1 }",
                ],
                fails: [
                    "type": "{ type: GOAWAY, count: 1 }", "by": "{ type: RST_STREAM, by: server, count: 1 }",
                    "text": "{ type: RST_STREAM, text: NO_ERROR, count: 1 }",
                    "connection": "{ type: RST_STREAM, connection: 1, count: 1 }",
                    "request": "{ type: RST_STREAM, request: 1, count: 1 }", "count": "{ type: RST_STREAM, count: 2 }",
                    "atLeast": "{ type: RST_STREAM, atLeast: 2 }", "atMost": "{ type: RST_STREAM, atMost: 0 }",
                ]),
            "packets": Examples(
                run: plain(), holds: ["{ interface: wifi, direction: uplink, count: 6 }"],
                fails: [
                    "interface": "{ interface: cellular, direction: uplink, count: 6 }",
                    "direction": "{ interface: wifi, direction: downlink, count: 6 }",
                    "count": "{ interface: wifi, direction: uplink, count: 5 }",
                    "atLeast": "{ interface: wifi, direction: uplink, atLeast: 7 }",
                    "atMost": "{ interface: wifi, direction: uplink, atMost: 5 }",
                ]),
            "memory": Examples(run: memory(), holds: ["{ growth: 2KiB }"], fails: ["growth": "{ growth: 2047B }"]),
            "property": Examples(
                run: asked(),
                holds: [
                    "{ task: first, name: classes, is: data upload }",
                    "{ task: first, name: identifier, number: 2, is: 2, present: true }",
                    "{ task: first, name: classes, sameAs: other }",
                    "{ task: other, name: identifier, otherThan: first, present: false }",
                    "{ session: main, name: settings, is: a 1 }",
                ],
                fails: [
                    "task": "{ task: other, name: identifier, present: true }",
                    "session": "{ session: other, name: settings, present: true }",
                    "name": "{ task: first, name: response, present: true }",
                    "number": "{ task: first, name: identifier, number: 2, is: 1 }",
                    "is": "{ task: first, name: classes, is: data }",
                    "present": "{ task: other, name: identifier, present: true }",
                    "sameAs": "{ task: first, name: identifier, sameAs: other }",
                    "otherThan": "{ task: first, name: classes, otherThan: other }",
                ]),
            "listed": Examples(
                run: listed(),
                holds: [
                    "{ count: 2 }", "{ data: first, uploads: other }", "{ session: other, number: 2, count: 0 }",
                    "{ task: other, state: [suspended, running], expectsToSend: 5, expectsToReceive: -1 }",
                ],
                fails: [
                    "session": "{ session: other, data: first, uploads: other }",
                    "number": "{ number: 2, data: first, uploads: other }", "count": "{ count: 3 }",
                    "data": "{ data: [first, other], uploads: other }", "uploads": "{ data: first, uploads: first }",
                    "downloads": "{ data: first, uploads: other, downloads: first }",
                    "task": "{ number: 2, task: other }",
                    "state": "{ task: other, state: running }", "expectsToSend": "{ task: other, expectsToSend: 6 }",
                    "expectsToReceive": "{ task: first, expectsToReceive: -1 }",
                ]),
            "storeAccess": Examples(
                run: asked(),
                holds: [
                    "{ task: first, store: cookies, action: read }",
                    "{ task: first, store: cookies, action: read, count: 2 }",
                    "{ task: first, store: cookies, action: read, number: 2, url: 'http://b.test/' }",
                    "{ task: first, store: cache, action: write, count: 0 }",
                ],
                fails: [
                    "task": "{ task: other, store: cookies, action: read }",
                    "store": "{ task: first, store: credentials, action: read }",
                    "action": "{ task: first, store: cookies, action: write }",
                    "number": "{ task: first, store: cookies, action: read, number: 3, url: 'http://b.test/' }",
                    "url": "{ task: first, store: cookies, action: read, url: 'http://b.test/' }",
                    "count": "{ task: first, store: cookies, action: read, count: 1 }",
                ]),
            "protocolClass": Examples(
                run: loaded(),
                holds: [
                    "{ task: first }", "{ task: first, url: 'http://api.test/hello' }",
                    "{ task: first, class: 2, count: 2 }",
                    "{ task: other, count: 0 }",
                ],
                fails: [
                    "task": "{ task: other }", "class": "{ task: first, class: 2 }",
                    "url": "{ task: first, url: 'http://b.test/' }",
                    "count": "{ task: first, count: 2..3 }",
                ]),
            "filesLeft": Examples(
                run: asked(), holds: ["{ count: 2 }", "{ count: 1..3 }", "{ count: 0, below: elsewhere }"],
                fails: ["count": "{ count: 0 }", "below": "{ count: 2, below: elsewhere }"]),
            "relaunches": Examples(
                run: background(),
                holds: ["{ count: 2, argument: updates, apart: 400ms }", "{ atLeast: 1, atMost: 3 }"],
                fails: [
                    "count": "{ count: 1 }", "atLeast": "{ atLeast: 3 }", "atMost": "{ atMost: 1 }",
                    "argument": "{ count: 2, argument: photos }", "apart": "{ count: 2, apart: 2s }",
                ]),
            "connectionOwner": Examples(
                run: background(), holds: ["{ program: daemon, connection: 1 }"],
                fails: [
                    "program": "{ program: app, connection: 1 }", "connection": "{ program: daemon, connection: 2 }",
                ]),
            "deliveredOnce": Examples(
                run: background(), holds: ["{ session: main }", "{ session: main, inOrder: false }"],
                fails: ["session": "{ session: other }", "inOrder": "{ session: main, inOrder: true }"]),
            "begins": Examples(
                run: background(), holds: ["{ task: first, atLeast: 1s, atMost: 5s }"],
                fails: [
                    "task": "{ task: second, atMost: 5s }", "atLeast": "{ task: first, atLeast: 10s }",
                    "atMost": "{ task: first, atMost: 1s }",
                ]),
            "transfersWhile": Examples(
                run: background(), holds: ["{ power: external, batteryAtLeast: 40% }"],
                fails: ["power": "{ power: battery }", "batteryAtLeast": "{ batteryAtLeast: 50% }"]),
            "link": Examples(
                run: link(),
                holds: [
                    "{ interface: wifi, direction: downlink, means: probe, delayAtLeast: 10ms, delayAtMost: 10ms, lossAtLeast: 5%, lossAtMost: 5%, rateAtLeast: 2Mbit/s, rateAtMost: 2Mbit/s }"
                ],
                fails: [
                    "interface": "{ interface: cellular, direction: downlink, delayAtMost: 1s }",
                    "direction": "{ interface: wifi, direction: uplink, delayAtMost: 1s }",
                    "means": "{ interface: wifi, direction: downlink, means: traffic, delayAtMost: 1s }",
                    "delayAtLeast": "{ interface: wifi, direction: downlink, delayAtLeast: 11ms }",
                    "delayAtMost": "{ interface: wifi, direction: downlink, delayAtMost: 9ms }",
                    "lossAtLeast": "{ interface: wifi, direction: downlink, lossAtLeast: 6% }",
                    "lossAtMost": "{ interface: wifi, direction: downlink, lossAtMost: 4% }",
                    "rateAtLeast": "{ interface: wifi, direction: downlink, rateAtLeast: 3Mbit/s }",
                    "rateAtMost": "{ interface: wifi, direction: downlink, rateAtMost: 1Mbit/s }",
                ]),
        ]
    }
}
