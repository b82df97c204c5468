import Foundation
import FoundationNetworking
import NIOCore
import Synchronization

/// Content codings, decoded between the network and the consumer of the body.
extension TaskLoad {
    private var encoding: ContentEncoding { ContentEncoding(policy: policies.encodings) }

    func offerEncodings(_ fields: inout HeaderFields, _ url: URL) {
        if let offer = encoding.offer(for: url, fields: fields) { fields["Accept-Encoding"] = offer }
    }

    /// Prepares the decoder for the body of the final response. Returns the response as the application sees it.
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
        if let decoder {
            decoder.append(Array(bytes.readableBytesView))
        } else {
            consume(Data(bytes.readableBytesView))
        }
        updateReading()
    }

    /// Delivers decoded pieces until the decoder is empty or the task has to pause.
    func processDecoded() {
        guard let decoder else { return }
        do throws(ContentDecodingError) {
            while !isEnded, !needsPause, isWanted, let piece = try decoder.next() { consume(Data(piece)) }
        } catch {
            cannotDecode(error)
        }
    }

    /// False once the program has suspended or cancelled the task. Both reach the event loop as messages, behind the
    /// current turn; a few KiB can decode to many MiB in one turn, which must not be delivered as a whole before that.
    private var isWanted: Bool {
        switch task.facts.withLock({ $0.state }) {
        case .suspended: !policies.tasks.suspensionStops
        case .canceling: false
        case .running, .completed: true
        }
    }

    /// Finishes decoding. Returns false when the body was incomplete; the task has failed then.
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
