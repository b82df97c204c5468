// An adapter whose client works without a network: it responds with the request's body. scripts/adapters/kits/check compares its lines.
import Foundation

struct Echo: Client {
    let name = "echo"
    let version = "1"
    let capabilities = "data upload download delegate completionHandler cancel responseDisposition"
    let reports: String? = "didReceiveResponse didReceiveData didComplete"

    func makeSession(_ configuration: JSON) {
        emit("log", ["text": .text(String(decoding: configuration.line, as: UTF8.self))])
    }

    func load(_ session: Void, _ task: LoadTask) async throws {
        emit("log", ["text": .text(String(decoding: task.description.line, as: UTF8.self))])
        let path = task.url.replacing("http://echo.test", with: "")
        // Ends with the error of a cancelled task.
        if path == "/wait" { try await Task.sleep(for: .seconds(60)) }
        if path.hasPrefix("/fail/"), let kind = Failure.Kind(rawValue: String(path.dropFirst(6))) { throw Failure(kind, "as\nasked") }
        if path == "/redirect" { task.redirect(status: 302, url: task.url, method: "GET") }
        let body = try task.body() ?? Data()
        if task.response(status: 200, url: task.url, headers: task.headers, expected: Int64(body.count)), !body.isEmpty { task.receive(body) }
    }
}

@main
enum Main {
    static func main() { run(Echo()) }
}
