import Foundation
import FoundationNetworking

// Members that Apple documents and FoundationNetworking lacks.

func configureBeyond() {
    let configuration = URLSessionConfiguration.background(withIdentifier: "client")
    configuration.waitsForConnectivity = true
    configuration.allowsExpensiveNetworkAccess = false
    configuration.allowsConstrainedNetworkAccess = false
    configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
    configuration.tlsMaximumSupportedProtocolVersion = tls_protocol_version_t.TLSv13
    configuration.sessionSendsLaunchEvents = true
    configuration.sharedContainerIdentifier = "group.client"
}

func loadBeyond(_ session: URLSession, _ url: URL, _ data: Data) async throws {
    let (bytes, response) = try await session.bytes(from: url)
    for try await byte in bytes where byte == 10 { bytes.task.cancel() }
    for try await line in try await session.bytes(for: URLRequest(url: url)).0.lines { _ = (line, response) }
    _ = try await session.download(resumeFrom: data)
    _ = session.uploadTask(withResumeData: data)
    _ = session.uploadTask(withResumeData: data) { _, _, _ in }
    let (dataTasks, uploads, downloads) = await session.tasks
    let count = await session.allTasks.count
    _ = (dataTasks.count, await uploads.first?.cancelByProducingResumeData(), count)
    _ = await downloads.first?.cancelByProducingResumeData()
    let stream = session.streamTask(withHostName: "h.test", port: 443)
    stream.startSecureConnection()
    stream.resume()
    try await stream.write(data, timeout: 5)
    let (read, isAtEnd) = try await stream.readData(ofMinLength: 1, maxLength: 100, timeout: 5)
    stream.write(data, timeout: 5) { _ in }
    stream.readData(ofMinLength: 1, maxLength: 1, timeout: 5) { _, _, _ in }
    _ = (read, isAtEnd)
    stream.closeWrite()
    stream.closeRead()
    stream.captureStreams()
    await session.flush()
    await session.reset()
}

final class DelegateBeyond: NSObject, URLSessionTaskDelegate {
    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) {}
    func urlSession(_ session: URLSession, didCreateTask task: URLSessionTask) {}
    func urlSession(_ session: URLSession, taskIsWaitingForConnectivity task: URLSessionTask) {}
    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceiveInformationalResponse response: HTTPURLResponse
    ) {}
    func urlSession(
        _ session: URLSession, task: URLSessionTask, needNewBodyStreamFrom offset: Int64,
        completionHandler: @escaping @Sendable (InputStream?) -> Void
    ) {
        completionHandler(nil)
    }
}

func useStoresOfTasks(_ task: URLSessionDataTask) throws {
    HTTPCookieStorage.shared.getCookiesFor(task) { (cookies: [HTTPCookie]?) in _ = cookies?.first?.sameSitePolicy }
    HTTPCookieStorage.shared.storeCookies([], for: task)
    _ = try URLCache(memoryCapacity: 1, diskCapacity: 1, directory: URL(fileURLWithPath: "/cache"))
}
