import AdapterProtocol
import Scenario

/// What a client asks of a proxy, whichever protocol it says it in.
struct ProxyRequest: Hashable {
    var form: ProxyFact.Form
    var target: ProxyTarget
    var headers: [HeaderField] = []
    /// What the target is sent before the client's further bytes.
    var preface: [UInt8] = []
    /// Body bytes may follow at once, so that a refusal cannot keep the connection.
    var hasBody = false
    /// For judging credentials; SOCKS has none.
    var head: RequestHead?
}
