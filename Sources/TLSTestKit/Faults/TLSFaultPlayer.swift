import NIOCore
package import OpenSSLTLS

extension TLSServerHandler {
    /// Creates a handler that plays the faults of a plan. `faults` nil means that the handshake runs without stopping.
    package convenience init(context: TLSContext, faults: TLSFaultPlan?) throws(TLSError) {
        guard let faults else {
            try self.init(context: context)
            return
        }
        let breakpoints = HandshakeBreakpoints(Set(TLSBreakpoint.allCases))
        let connection = try TLSConnection(server: context, gate: breakpoints)
        let player = TLSFaultPlayer(plan: faults, breakpoints: breakpoints, connection: connection)
        self.init(connection) { player.paused(at: $0, $1, $2) }
    }
}

/// Plays the faults of a plan at the breakpoints of one handshake.
private struct TLSFaultPlayer {
    let plan: TLSFaultPlan
    let breakpoints: HandshakeBreakpoints
    let connection: TLSConnection

    func paused(at breakpoint: TLSBreakpoint, _ handler: TLSHandler, _ context: ChannelHandlerContext) {
        let hello = connection.hello ?? TLSClientHello(serverName: nil, alpn: [])
        if let fault = plan(breakpoint, hello) {
            play(fault, handler, context)
        } else {
            handler.continueHandshake(context)
        }
    }

    private func play(_ fault: TLSFault, _ handler: TLSHandler, _ context: ChannelHandlerContext) {
        if case .pause(let time) = fault {
            context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(time)) {
                handler.continueHandshake(context)
            }
            return
        }
        handler.stop()
        switch fault {
        case .stall, .pause: break
        case .reset: context.fireUserInboundEventTriggered(TLSResetRequested())
        case .close: context.close(mode: .all, promise: nil)
        case .halfClose: handler.closeBehind([], .output, context, promise: nil)
        case .garbage(let bytes): handler.closeBehind(bytes, .all, context, promise: nil)
        case .alert(let alert):
            do throws(TLSError) {
                try breakpoints.sendAlert(alert, over: connection)
            } catch {
                context.fireErrorCaught(error)
            }
            handler.closeBehind(connection.drainCiphertext(), .all, context, promise: nil)
        }
    }
}
