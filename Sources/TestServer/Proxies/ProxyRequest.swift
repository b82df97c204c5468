import AdapterProtocol
import Record

/// A client's request to a proxy, independent of the protocol.
struct ProxyRequest: Hashable {
    var form: ProxyFact.Form
    var target: ProxyTarget
    var headers: [HeaderField] = []
    /// The bytes sent to the target before the client's further bytes.
    var preface: [UInt8] = []
    /// True if body bytes may follow immediately, so that a refusal must close the connection.
    var hasBody = false
    /// The head with which credentials are verified; SOCKS does not have one.
    var head: RequestHead?
}
