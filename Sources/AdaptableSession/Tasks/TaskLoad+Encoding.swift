import Foundation
import FoundationNetworking
import NIOCore

/// Content codings, taken off between the wire and whoever wants the body.
extension TaskLoad {
    private var encoding: ContentEncoding { ContentEncoding(policy: policies.encodings) }

    func offerEncodings(_ fields: inout HeaderFields, _ url: URL) {
        if let offer = encoding.offer(for: url, fields: fields) { fields["Accept-Encoding"] = offer }
    }

    /// Prepares for the body of the answer that counts; gives the response as the program sees it.
    func decode(_ response: HTTPURLResponse) -> HTTPURLResponse {
        decoder = nil
        let plan = encoding.plan(method: request.httpMethod ?? "GET", status: response.statusCode, fields: fields)
        guard case .decode(let codings) = plan else { return response }
        decoder = ContentDecoder(codings, policy: policies.encodings)
        let visible = encoding.visible(fields, plan)
        return response.url.flatMap {
            HTTPURLResponse(
                url: $0, statusCode: response.statusCode, httpVersion: "HTTP/1.1", headerFields: visible.dictionary)
        } ?? response
    }

    func receive(_ bytes: ByteBuffer) {
        guard let decoder else { return consume(Data(bytes.readableBytesView)) }
        decoder.append(Array(bytes.readableBytesView))
        updateReading()
    }

    /// Hands on decoded pieces until the decoder is drained or the task has to pause. Not to be called while it runs.
    func processDecoded() {
        guard let decoder else { return }
        isDecoding = true
        defer { isDecoding = false }
        do throws(ContentDecodingError) {
            while !isEnded, !needsPause, let piece = try decoder.next() { consume(Data(piece)) }
        } catch {
            cannotDecode(error)
        }
    }

    /// False: the body was not whole, and the task has been told.
    func finishDecoding() -> Bool {
        guard let decoder else { return true }
        do throws(ContentDecodingError) {
            try decoder.finish()
            return true
        } catch {
            cannotDecode(error)
            return false
        }
    }

    private func cannotDecode(_ error: ContentDecodingError) {
        finish(URLError.made(error.code, "\(error)", request.url))
    }
}
