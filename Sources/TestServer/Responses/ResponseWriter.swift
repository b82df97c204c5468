import AdapterProtocol
import HTTPFields
import ScenarioLanguage

/// Adds the framing fields to a response: its length, the presence of a body, and the persistence of the connection.
struct ResponseWriter {
    let head: RequestHead
    let date: HTTPDate

    /// `fields` replace fields of the same name that this server would write, so that a scenario can make it send wrong
    /// ones.
    func plan(
        _ status: Int, _ fields: [HeaderField], body: ResponsePlan.Body = .bytes([]),
        framing: Resource.Framing = .contentLength,
        overriding: [HeaderField] = []
    ) -> ResponsePlan {
        let hasBody = status >= 200 && status != 204 && status != 304
        // HTTP/1.0 does not support chunks (RFC 9112 §6.1).
        let framing = framing == .chunked && head.minorVersion == 0 ? .untilClose : framing
        var headers = [HeaderField("Date", date.description)] + fields
        var closes = !head.keepsConnection
        if hasBody {
            switch framing {
            case .contentLength: headers.append(HeaderField("Content-Length", String(body.count)))
            case .chunked: headers.append(HeaderField("Transfer-Encoding", "chunked"))
            case .untilClose: closes = true
            }
        }
        let hasCloseOption = overriding.contains {
            $0.name.equalsIgnoringCase("connection") && $0.value.equalsIgnoringCase("close")
        }
        if hasCloseOption { closes = true }
        if closes {
            headers.append(HeaderField("Connection", "close"))
        } else if head.minorVersion == 0 {
            headers.append(HeaderField("Connection", "keep-alive"))
        }
        headers.removeAll { own in overriding.contains { $0.name.equalsIgnoringCase(own.name) } }
        let sendsBody = hasBody && head.method != "HEAD"
        return ResponsePlan(
            status: status, headers: headers + overriding, body: sendsBody ? body : .bytes([]),
            framing: sendsBody ? framing : .contentLength, closes: closes, withheld: sendsBody ? .bytes([]) : body)
    }

    func text(_ status: Int, _ text: String, _ fields: [HeaderField] = []) -> ResponsePlan {
        plan(
            status, fields + [HeaderField("Content-Type", "text/plain; charset=utf-8")],
            body: .bytes(Array((text + "\n").utf8)))
    }
}
