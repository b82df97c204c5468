import ScenarioLanguage
import NIOCore

/// Processes the body of a request: as far as its pace allows, and not past a position with a fault.
extension HTTP2Machine {
    /// Returns true when something was processed.
    mutating func processArrivals(_ now: Int64, _ origin: inout OriginState) -> Bool {
        guard case .open = phase else { return false }
        var hasReceived = false
        for id in turns {
            do throws(HTTP2Violation) {
                if try processArrived(id, now, &origin) { hasReceived = true }
            } catch {
                refuse(error)
            }
        }
        return hasReceived
    }

    /// Processes the received bytes of this stream, in pieces of its pace, and then the end of the request. Windows are
    /// granted only for processed bytes, so that a throttled client, after its initial window, sends at the same pace.
    mutating func processArrived(_ id: Int, _ now: Int64, _ origin: inout OriginState) throws(HTTP2Violation) -> Bool {
        var hasReceived = false
        while var stream = streams[id], !stream.waitsAtPlace(now), stream.arrived.readableBytes > 0 {
            var size = stream.arrived.readableBytes
            if let stop = stream.bodyStops.first {
                size = Int(min(Int64(size), max(1, stop - stream.inspection.count)))
            }
            stream.pace?.forgetIdleTime(at: now)
            pace?.forgetIdleTime(at: now)
            size = min(size, stream.pace?.pieceSize ?? size, pace?.pieceSize ?? size)
            let due = max(stream.pace?.due(after: size) ?? now, pace?.due(after: size) ?? now)
            stream.readyAt = due > now ? due : nil
            guard due <= now, let part = stream.arrived.readSlice(length: size) else {
                streams[id] = stream
                return hasReceived
            }
            stream.pace?.spend(size)
            pace?.spend(size)
            stream.arrived.discardReadBytes()
            stream.pendingBytes += size
            stream.inspection.update(part)
            stream.steps += stream.reachedBodyStops().map { .point(.requestBody($0)) }
            streams[id] = stream
            hasReceived = true
            grant(id)
        }
        guard let stream = streams[id], stream.endsWithArrived, !stream.isReceived, stream.arrived.readableBytes == 0,
            !stream.waitsAtPlace(now)
        else { return hasReceived }
        try endRequest(id, now, &origin)
        return true
    }
}

extension HTTP2Stream {
    /// Returns true if a fault or a pause must come before the next byte of the request.
    fileprivate func waitsAtPlace(_ now: Int64) -> Bool {
        if let resumesAt, resumesAt > now, response == nil { return true }
        return steps.contains { step in
            switch step {
            case .point(.requestHead), .point(.requestBody), .point(.reusedRequest): true
            case .effect(let fault): fault.delay == nil && response == nil
            case .point, .interim, .proceed, .delay, .respond, .head, .fragment, .body, .breakpoint, .end, .finished:
                false
            }
        }
    }
}
