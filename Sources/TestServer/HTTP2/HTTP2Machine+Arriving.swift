import NIOCore
import Scenario

/// How the body of a request is taken in: as far as its pace allows, and not past a place where a fault is to happen.
extension HTTP2Machine {
    /// True when something was taken.
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

    /// What has come of this stream, in pieces of its pace; the end of the request is behind the last of them. Windows are granted only for what
    /// was taken, so that a throttled client sends as slowly, after the window that it had.
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
    /// Something that belongs before the next byte of the request has yet to happen.
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
