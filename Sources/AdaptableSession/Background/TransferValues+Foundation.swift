package import Foundation
package import FoundationNetworking
package import TransferProtocol

extension TransferRequest {
    /// The values of a request; nil without a URL.
    package init?(_ request: URLRequest) {
        guard let url = request.url else { return nil }
        let timeout = request.timeoutInterval
        self.init(
            url: url, method: request.httpMethod ?? "GET",
            headerFields: (request.allHTTPHeaderFields ?? [:]).sorted { $0.key < $1.key }
                .map { TransferHeaderField($0.key, $0.value) },
            body: request.httpBody.map { .data(bytes: $0) },
            // 60 s is the default of URLRequest, which cannot be distinguished from a missing timeout.
            timeout: timeout == 60 || !(timeout > 0) ? nil : timeout, allowsCellular: request.allowsCellularAccess)
    }

    /// The request as a session sends it, with a body in memory but not one in a file.
    package var urlRequest: URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        for field in headerFields { request.addValue(field.value, forHTTPHeaderField: field.name) }
        if case .data(let bytes) = body { request.httpBody = bytes }
        if let timeout { request.timeoutInterval = timeout }
        request.allowsCellularAccess = allowsCellular
        return request
    }
}

extension TransferResponse {
    /// The values of an HTTP response; nil for one without a URL.
    package init?(_ response: HTTPURLResponse) {
        guard let url = response.url else { return nil }
        self.init(
            url: url, status: response.statusCode, version: "HTTP/1.1",
            headerFields: response.allHeaderFields.map { TransferHeaderField("\($0.key)", "\($0.value)") }
                .sorted { $0.name < $1.name })
    }

    /// The response for a delegate; nil if Foundation refuses the values.
    package var urlResponse: HTTPURLResponse? {
        HTTPURLResponse(
            url: url, statusCode: status, httpVersion: version,
            headerFields: Dictionary(headerFields.map { ($0.name, $0.value) }) { "\($0), \($1)" })
    }
}

extension TransferFailure {
    /// The values of an error with which a task ended.
    package init(_ error: any Error) {
        guard let error = error as? URLError else {
            self.init(code: URLError.Code.unknown.rawValue, message: "\(error)")
            return
        }
        self.init(
            code: error.errorCode, message: error.localizedDescription, url: error.failingURL,
            resumeData: error.userInfo[AdaptableSession.downloadTaskResumeData] as? Data)
    }

    /// The error for a delegate.
    package var urlError: URLError {
        URLError.made(
            URLError.Code(rawValue: code) ?? .unknown, message, url,
            resumeData.map { [AdaptableSession.downloadTaskResumeData: $0] } ?? [:])
    }
}
