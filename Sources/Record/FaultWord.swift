/// The words of an origin's fault effects in scenario files and in the record.
package enum FaultWord: String, CaseIterable, Hashable, Sendable {
    case close, closeWithoutNotify, reset, halfClose, stopReading, stall, pause, throttle, dribble, garbage, noise
    case tlsGarbage, tlsAlert, respond, status
    case goAway, resetStream, settings, closeWindow, openWindow, pingFlood, frame, silence

    /// True if a client may take bytes for part of the body that the origin does not count.
    package var sendsUncountedBytes: Bool { [.garbage, .noise, .tlsGarbage].contains(self) }

    /// True if the response continues, so that it is not known at the fault how much of it the client can have received.
    package var letsResponseContinue: Bool {
        [.pause, .throttle, .dribble, .stopReading, .respond, .status].contains(self)
    }
}
