import AdapterProtocol
import Foundation
import FoundationNetworking

/// A task that the library does not let clients make.
struct UnavailableTask: Error {}

/// Makes the task for a description, suspended.
struct TaskMaker<Session: ClientSession> {
    let session: Session
    let registry: TaskRegistry
    let output: EventOutput
    /// Makes a call of an asynchronous method.
    let call: (AsyncRequest) -> (@Sendable () async throws -> AsyncResult)?

    func task(_ description: TaskDescription, _ url: URL) throws -> any ClientTask {
        var request = URLRequest(url: url)
        if let method = description.method { request.httpMethod = method }
        for field in description.headers { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if let body = description.requestBody { request.httpBody = Data(body) }
        if let timeout = description.timeout { request.timeoutInterval = timeout.seconds }
        if let allowsCellularAccess = description.allowsCellularAccess {
            request.allowsCellularAccess = allowsCellularAccess
        }
        if let policy = description.cachePolicy { request.cachePolicy = policy.value }
        if let handlesCookies = description.handlesCookies { request.httpShouldHandleCookies = handlesCookies }
        if let mainDocument = description.mainDocument { request.mainDocumentURL = URL(string: mainDocument) }
        switch description.kind {
        case .stream:
            guard let task = session.stream(toHost: url.host ?? "", port: url.port ?? 0) else {
                throw UnavailableTask()
            }
            return task
        case .data:
            try setBody(of: description, on: &request)
            if let method = description.asyncMethod {
                return try asyncCall(method == .bytes ? .bytes(request) : .data(request), description)
            }
            return data(request, url, description)
        case .upload:
            if description.asyncMethod != nil { return try asyncCall(upload(of: description, request), description) }
            return try upload(request, description)
        case .download:
            try setBody(of: description, on: &request)
            if description.asyncMethod != nil {
                return try asyncCall(
                    resumeData(description).map { .resumedDownload($0) } ?? .download(request), description)
            }
            return download(request, url, description)
        }
    }

    private func setBody(of description: TaskDescription, on request: inout URLRequest) throws {
        if description.stream != nil {
            request.httpBodyStream = description.bodyStream
        } else {
            request.httpBody = try description.bodyData
        }
    }

    private func upload(of description: TaskDescription, _ request: URLRequest) throws -> AsyncRequest {
        if case .file(let path) = description.body { return .fileUpload(request, URL(fileURLWithPath: path)) }
        return .upload(request, try description.bodyData ?? Data())
    }

    /// Returns a call whose result is reported as that of a completion handler.
    private func asyncCall(_ request: AsyncRequest, _ description: TaskDescription) throws -> AsyncCall {
        guard let call = call(request) else { throw UnavailableTask() }
        let (data, file) = (dataHandler(description), fileHandler(description))
        return AsyncCall {
            do {
                switch try await call() {
                case .data(let body, let response): data?(body, response, nil)
                case .file(let place, let response):
                    file?(place, response, nil)
                    try? FileManager.default.removeItem(at: place)
                }
            } catch {
                data?(nil, nil, error)
            }
        }
    }

    private func data(_ request: URLRequest, _ url: URL, _ description: TaskDescription) -> any ClientTask {
        switch (description.isOfBareURL, dataHandler(description)) {
        case (true, nil): session.dataTask(with: url)
        case (false, nil): session.dataTask(with: request)
        case (true, let handler?): session.dataTask(with: url, completionHandler: handler)
        case (false, let handler?): session.dataTask(with: request, completionHandler: handler)
        }
    }

    private func upload(_ request: URLRequest, _ description: TaskDescription) throws -> any ClientTask {
        let handler = dataHandler(description)
        if let data = resumeData(description) {
            guard let task = session.resumedUpload(from: data, completionHandler: handler) else {
                throw UnavailableTask()
            }
            return task
        }
        // This form does not exist with a completion handler (UPLD-16), and the harness never requests one.
        if description.stream != nil { return session.uploadTask(withStreamedRequest: request) }
        return switch (description.body, handler) {
        case (.file(let path), nil): session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path))
        case (.file(let path), let handler?):
            session.uploadTask(with: request, fromFile: URL(fileURLWithPath: path), completionHandler: handler)
        case (_, nil): session.uploadTask(with: request, from: try description.bodyData ?? Data())
        case (_, let handler?):
            session.uploadTask(
                with: request, from: try description.bodyData ?? Data(), completionHandler: handler)
        }
    }

    private func download(_ request: URLRequest, _ url: URL, _ description: TaskDescription) -> any ClientTask {
        switch (resumeData(description), description.isOfBareURL, fileHandler(description)) {
        case (let data?, _, nil): session.downloadTask(withResumeData: data)
        case (nil, true, nil): session.downloadTask(with: url)
        case (nil, false, nil): session.downloadTask(with: request)
        case (let data?, _, let handler?): session.downloadTask(withResumeData: data, completionHandler: handler)
        case (nil, true, let handler?): session.downloadTask(with: url, completionHandler: handler)
        case (nil, false, let handler?): session.downloadTask(with: request, completionHandler: handler)
        }
    }

    /// Returns the resume data of the earlier task. An app without resume data can only start again; its absence shows
    /// in the earlier task's completion.
    private func resumeData(_ description: TaskDescription) -> Data? {
        guard let earlier = description.resumesFrom else { return nil }
        let data = registry.resumeData(of: earlier)
        if data == nil {
            output.emit(.log("\(earlier) did not leave resume data: \(description.task) starts from the beginning"))
        }
        return data
    }

    private func dataHandler(_ description: TaskDescription) -> DataHandler? {
        handler(description) { [registry, output] data, name in
            if registry.retainsDelivered(name) { registry.retained.retain(data, of: name) }
            output.emit(name, received: data)
        }
    }

    private func fileHandler(_ description: TaskDescription) -> FileHandler? {
        handler(description) { [registry, output] location, name in
            _ = registry.deliver(fileAt: location, of: name, to: output)
        }
    }

    /// Returns a completion handler that reports the content and the end of the task; nil for a task of the delegate.
    private func handler<Content>(
        _ description: TaskDescription, _ deliver: @escaping @Sendable (Content, TaskName) -> Void
    ) -> (@Sendable (Content?, URLResponse?, (any Error)?) -> Void)? {
        guard description.delivery == .completionHandler else { return nil }
        return { [registry, output, name = description.task, queue = session.delegateQueue] content, response, error in
            registry.recordHandler(of: name, onDelegateQueue: OperationQueue.current === queue)
            if let content { deliver(content, name) }
            output.emit(
                name,
                .completionHandler(
                    response.map { TaskEvent.Response($0) }, error.map { Failure($0) },
                    resumeDataLength: registry.end(name, error)))
        }
    }
}

extension TaskDescription {
    /// A new stream of the body.
    var bodyStream: InputStream? {
        switch body {
        case .bytes(let bytes) where stream?.fails == true: FailingStream(data: Data(bytes))
        case .bytes(let bytes): InputStream(data: Data(bytes))
        case .file(let path): InputStream(fileAtPath: path)
        case nil: nil
        }
    }

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
