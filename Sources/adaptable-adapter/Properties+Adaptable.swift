import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

extension TaskProperty {
    func value(of task: AdaptableSessionTask, _ registry: TaskRegistry, _ output: EventOutput) -> String? {
        switch self {
        case .response: (task.response as? HTTPURLResponse).map { "\($0.statusCode)" }
        case .identifier: "\(task.taskIdentifier)"
        case .classes:
            [
                task is AdaptableSessionDataTask ? "data" : nil, task is AdaptableSessionUploadTask ? "upload" : nil,
                task is AdaptableSessionDownloadTask ? "download" : nil,
            ].compactMap(\.self).joined(separator: " ")
        case .callsInsideResume: "\(output.callsInsideResume)"
        case .handlerQueue: registry.handlerQueue(of: task.name)
        }
    }
}

extension SessionProperty {
    func value(of session: AdaptableSession) -> String? {
        switch self {
        case .settings: session.configuration.settingsText
        }
    }
}

extension AdaptableSessionConfiguration {
    /// Every setting except the stores.
    fileprivate var settingsText: String {
        let headers = (httpAdditionalHeaders ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let proxies = (connectionProxyDictionary ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let settings: [(String, Any)] = [
            ("timeoutIntervalForRequest", timeoutIntervalForRequest),
            ("timeoutIntervalForResource", timeoutIntervalForResource),
            ("waitsForConnectivity", waitsForConnectivity), ("allowsCellularAccess", allowsCellularAccess),
            ("allowsExpensiveNetworkAccess", allowsExpensiveNetworkAccess),
            ("allowsConstrainedNetworkAccess", allowsConstrainedNetworkAccess), ("connectionProxyDictionary", proxies),
            ("httpAdditionalHeaders", headers), ("httpMaximumConnectionsPerHost", httpMaximumConnectionsPerHost),
            ("requestCachePolicy", requestCachePolicy.rawValue), ("networkServiceType", networkServiceType.rawValue),
            ("httpShouldSetCookies", httpShouldSetCookies), ("httpCookieAcceptPolicy", httpCookieAcceptPolicy.rawValue),
            ("tlsMinimumSupportedProtocolVersion", tlsMinimumSupportedProtocolVersion),
            ("tlsMaximumSupportedProtocolVersion", tlsMaximumSupportedProtocolVersion),
        ]
        return settings.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    }
}
