import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

extension TaskProperty {
    func value(of task: URLSessionTask, _ registry: TaskRegistry, _ output: EventOutput) -> String? {
        switch self {
        case .response: (task.response as? HTTPURLResponse).map { "\($0.statusCode)" }
        case .identifier: "\(task.taskIdentifier)"
        case .classes:
            [
                task is URLSessionDataTask ? "data" : nil, task is URLSessionUploadTask ? "upload" : nil,
                task is URLSessionDownloadTask ? "download" : nil,
            ].compactMap(\.self).joined(separator: " ")
        case .callsInsideResume: "\(output.callsInsideResume)"
        case .handlerQueue: registry.handlerQueue(of: task.name)
        }
    }
}

extension SessionProperty {
    func value(of session: URLSession) -> String? {
        switch self {
        case .settings: session.configuration.settingsText
        }
    }
}

extension URLSessionConfiguration {
    /// Every setting that this library declares except the stores.
    fileprivate var settingsText: String {
        let headers = (httpAdditionalHeaders ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let proxies = (connectionProxyDictionary ?? [:]).map { "\($0.key): \($0.value)" }.sorted()
        let settings: [(String, Any)] = [
            ("timeoutIntervalForRequest", timeoutIntervalForRequest),
            ("timeoutIntervalForResource", timeoutIntervalForResource),
            ("allowsCellularAccess", allowsCellularAccess), ("isDiscretionary", isDiscretionary),
            ("connectionProxyDictionary", proxies),
            ("httpAdditionalHeaders", headers), ("httpMaximumConnectionsPerHost", httpMaximumConnectionsPerHost),
            ("requestCachePolicy", requestCachePolicy.rawValue), ("networkServiceType", networkServiceType.rawValue),
            ("httpShouldSetCookies", httpShouldSetCookies), ("httpCookieAcceptPolicy", httpCookieAcceptPolicy.rawValue),
        ]
        return settings.map { "\($0.0) \($0.1)" }.joined(separator: "; ")
    }
}
