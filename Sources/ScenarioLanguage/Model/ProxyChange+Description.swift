import Record

extension ProxyMoment {
    package var summary: String {
        switch event {
        case .request(let number): "request \(number) at the proxy \(proxy)"
        case .tunnel(let number): "connection \(number) through the proxy \(proxy)"
        case .carried(let direction, let bytes, let request):
            "byte \(bytes) \(direction.rawValue) of request \(request) at the proxy \(proxy)"
        }
    }
}

extension ProxyChange {
    static func summary(ofFaults count: Int) -> String {
        switch count {
        case 0: "no faults"
        case 1: "1 fault"
        default: "\(count) faults"
        }
    }

    package var summary: String {
        var parts: [String] = []
        switch access {
        case nil: break
        case .open: parts.append("requires no authentication")
        case .challenge: parts.append("requires credentials")
        case .login: parts.append("requires a login")
        }
        if let faults { parts.append(ProxyChange.summary(ofFaults: faults.count)) }
        return "proxy \(proxy): \(parts.joined(separator: ", "))"
    }
}
