import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation
import FoundationNetworking

/// Makes the task for a description, suspended.
struct TaskMaker {
    let session: AdaptableSession
    let registry: TaskRegistry
    let output: EventOutput

    func task(_ description: TaskDescription, _ url: URL) throws -> AdaptableSessionTask {
        var request = URLRequest(url: url)
        if let method = description.method { request.httpMethod = method }
        for field in description.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if let body = description.requestBody { request.httpBody = Data(body) }
        if let timeout = description.timeout { request.timeoutInterval = timeout.adaptable }
        if let policy = description.cachePolicy { request.cachePolicy = policy.adaptable }
        if let allowsCellularAccess = description.allowsCellularAccess {
            request.allowsCellularAccess = allowsCellularAccess
        }
        if let handlesCookies = description.handlesCookies { request.httpShouldHandleCookies = handlesCookies }
        if let mainDocument = description.mainDocument { request.mainDocumentURL = URL(string: mainDocument) }
        switch description.kind {
        case .stream: return session.streamTask(withHostName: url.host ?? "", port: url.port ?? 0)
        case .data:
            request.httpBody = try description.bodyData
            return data(request, url, description)
        case .upload: return try upload(request, description)
        case .download:
            request.httpBody = try description.bodyData
            return download(request, url, description)
        }
    }

    private func data(_ request: URLRequest, _ url: URL, _ description: TaskDescription) -> AdaptableSessionTask {
        switch (description.isOfBareURL, description.delivery) {
        case (true, .delegate): session.dataTask(with: url)
        case (false, .delegate): session.dataTask(with: request)
        case (true, .completionHandler): session.dataTask(with: url, completionHandler: finish(description.task))
        case (false, .completionHandler): session.dataTask(with: request, completionHandler: finish(description.task))
        }
    }

    private func upload(_ request: URLRequest, _ description: TaskDescription) throws -> AdaptableSessionTask {
        if let earlier = description.resumesFrom {
            if let data = registry.resumeData(of: earlier) {
                return switch description.delivery {
                case .delegate: session.uploadTask(withResumeData: data)
                case .completionHandler:
                    session.uploadTask(withResumeData: data, completionHandler: finish(description.task))
                }
            }
            output.emit(.log("\(earlier) left no resume data: \(description.task) starts again"))
        }
        // This form does not exist with a completion handler (UPLD-16), and the harness never requests one.
        if description.stream != nil { return session.uploadTask(withStreamedRequest: request) }
        return switch (description.body, description.delivery) {
        case (.file(let path), .delegate): session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        case (.file(let path), .completionHandler):
            session.uploadTask(
                with: request, fromFile: URL(fileURLWithPath: path), completionHandler: finish(description.task))
        case (_, .delegate): session.uploadTask(with: request, from: try description.bodyData ?? Data())
        case (_, .completionHandler):
            session.uploadTask(
                with: request, from: try description.bodyData ?? Data(), completionHandler: finish(description.task))
        }
    }

    private func download(_ request: URLRequest, _ url: URL, _ description: TaskDescription) -> AdaptableSessionTask {
        var resumeData: Data?
        if let earlier = description.resumesFrom {
            resumeData = registry.resumeData(of: earlier)
            // An app without resume data can only start again; its absence shows in the earlier task's completion.
            if resumeData == nil {
                output.emit(.log("\(earlier) left no resume data: \(description.task) starts again"))
            }
        }
        switch (resumeData, description.isOfBareURL, description.delivery) {
        case (let data?, _, .delegate): return session.downloadTask(withResumeData: data)
        case (nil, true, .delegate): return session.downloadTask(with: url)
        case (nil, false, .delegate): return session.downloadTask(with: request)
        case (let data?, _, .completionHandler):
            return session.downloadTask(withResumeData: data, completionHandler: finishDownload(description.task))
        case (nil, true, .completionHandler):
            return session.downloadTask(with: url, completionHandler: finishDownload(description.task))
        case (nil, false, .completionHandler):
            return session.downloadTask(with: request, completionHandler: finishDownload(description.task))
        }
    }

    private func finish(_ name: TaskName) -> @Sendable (Data?, URLResponse?, (any Error)?) -> Void {
        { [registry, output, queue = session.delegateQueue] data, response, error in
            registry.recordHandler(of: name, onDelegateQueue: OperationQueue.current === queue)
            if let data {
                if registry.retainsDelivered(name) { registry.retained.retain(data, of: name) }
                output.emit(name, received: data)
            }
            output.emit(
                name,
                .completionHandler(
                    response.map { TaskEvent.Response($0) }, error.map { Failure($0) },
                    resumeDataLength: registry.keepResumeData(from: error, of: name)))
        }
    }

    private func finishDownload(_ name: TaskName) -> @Sendable (URL?, URLResponse?, (any Error)?) -> Void {
        { [registry, output, queue = session.delegateQueue] location, response, error in
            registry.recordHandler(of: name, onDelegateQueue: OperationQueue.current === queue)
            if let location { _ = registry.deliver(fileAt: location, of: name, to: output) }
            output.emit(
                name,
                .completionHandler(
                    response.map { TaskEvent.Response($0) }, error.map { Failure($0) },
                    resumeDataLength: registry.keepResumeData(from: error, of: name)))
        }
    }
}

extension TaskDescription {
    fileprivate var bodyData: Data? {
        get throws {
            switch body {
            case .bytes(let bytes): Data(bytes)
            case .file(let path): try Data(contentsOf: URL(fileURLWithPath: path))
            case nil: nil
            }
        }
    }
}
