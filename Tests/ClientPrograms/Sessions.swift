import Foundation
import FoundationNetworking

func configure() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.default
    _ = URLSessionConfiguration.ephemeral.identifier
    configuration.timeoutIntervalForRequest = 30
    configuration.timeoutIntervalForResource = 600
    configuration.allowsCellularAccess = true
    configuration.isDiscretionary = false
    configuration.networkServiceType = .default
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.connectionProxyDictionary = ["HTTPEnable": 1, "HTTPProxy": "proxy.test", "HTTPPort": 8080]
    configuration.httpAdditionalHeaders = ["User-Agent": "Client/1"]
    configuration.httpMaximumConnectionsPerHost = 4
    configuration.httpShouldSetCookies = true
    configuration.httpCookieAcceptPolicy = .always
    configuration.httpCookieStorage = HTTPCookieStorage.shared
    configuration.urlCache = nil
    configuration.urlCredentialStorage = URLCredentialStorage.shared
    configuration.protocolClasses = []
    let copy = configuration.copy() as! URLSessionConfiguration
    return copy
}

func makeTasks(_ session: URLSession, _ url: URL, _ data: Data) {
    var request = URLRequest(url: url, cachePolicy: .useProtocolCachePolicy, timeoutInterval: 5)
    request.httpMethod = "POST"
    let tasks: [URLSessionTask] = [
        session.dataTask(with: url),
        session.dataTask(with: request) { (data: Data?, response: URLResponse?, error: Error?) in
            if let http = response as? HTTPURLResponse { _ = (http.statusCode, http.value(forHTTPHeaderField: "ETag")) }
            _ = (data?.count, (error as? URLError)?.code == .timedOut)
        },
        session.uploadTask(with: request, from: data),
        session.uploadTask(with: request, from: data) { _, _, _ in },
        session.uploadTask(with: request, fromFile: url),
        session.uploadTask(with: request, fromFile: url) { _, _, _ in },
        session.uploadTask(withStreamedRequest: request),
        session.downloadTask(with: url),
        session.downloadTask(with: request) { (location: URL?, _, _) in _ = location?.path },
        session.downloadTask(withResumeData: data),
        session.downloadTask(withResumeData: data) { _, _, _ in },
    ]
    for task in tasks {
        task.priority = URLSessionTask.lowPriority
        task.taskDescription = "task"
        task.earliestBeginDate = Date(timeIntervalSinceNow: 1)
        task.countOfBytesClientExpectsToSend = 100
        task.countOfBytesClientExpectsToReceive = NSURLSessionTransferSizeUnknown
        task.delegate = nil
        if task.state == .suspended { task.resume() }
        task.suspend()
        let counts: [Int64] = [
            task.countOfBytesSent, task.countOfBytesReceived, task.countOfBytesExpectedToSend,
            task.countOfBytesExpectedToReceive,
        ]
        _ = (counts, task.taskIdentifier, task.progress.fractionCompleted, task.error?.localizedDescription)
        _ = (task.originalRequest?.url, task.currentRequest?.url, task.response?.url)
        task.cancel()
    }
    (tasks[7] as? URLSessionDownloadTask)?.cancel(byProducingResumeData: { (data: Data?) in _ = data?.count })
    session.sessionDescription = "session"
    _ = (session.configuration.httpMaximumConnectionsPerHost, session.delegate, session.delegateQueue.name)
    session.getTasksWithCompletionHandler { dataTasks, uploads, downloads in
        (dataTasks + uploads).forEach { $0.cancel() }
        downloads.forEach { $0.cancel() }
    }
    session.getAllTasks { $0.forEach { $0.cancel() } }
    session.flush { session.reset { session.finishTasksAndInvalidate() } }
    session.invalidateAndCancel()
}

func load(_ url: URL, _ request: URLRequest, _ file: URL) async throws -> Int {
    let session = URLSession(configuration: .ephemeral, delegate: nil, delegateQueue: OperationQueue.main)
    let (first, response) = try await URLSession.shared.data(from: url)
    let (second, _) = try await session.data(for: request, delegate: nil)
    let (third, _) = try await session.upload(for: request, from: first)
    let (fourth, _) = try await session.upload(for: request, fromFile: file)
    let (location, _) = try await session.download(from: url)
    _ = try await session.download(for: request)
    guard let http = response as? HTTPURLResponse, http.statusCode == 200 else { throw URLError(.badServerResponse) }
    return first.count + second.count + third.count + fourth.count + location.path.count
}
