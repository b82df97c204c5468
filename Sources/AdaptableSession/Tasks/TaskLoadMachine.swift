import Foundation
import FoundationNetworking

/// The state of a task's load as a value: its phase, its suspension, the decision that it waits for, and the use of the
/// response. Calls of the application and events of the network are inputs; `TaskLoad` performs the actions in order.
/// `Exchange` and `Run` are the driver's handles of an exchange and of a protocol class's load.
struct TaskLoadMachine<Exchange, Run> {
    enum Phase {
        /// Not resumed yet.
        case created
        /// Between two exchanges: the load queries stores, waits for a network or a delay, or delivers a complete
        /// response.
        case between
        /// Waits for a connection. The number is nil until the pool has returned it; an idle connection arrives before.
        case seeking(PoolRequestID?)
        /// A connection became available while the task was suspended and was given to others; the task requests one
        /// again when it is resumed.
        case parked
        case exchanging(Exchange, Reception)
        /// A protocol class loads the request.
        case served(Run)
        /// Keeps a complete stored body until the task is resumed (TASK-08).
        case holding(Data)
        case ended
    }

    /// The use of an exchange's response.
    struct Reception: Equatable {
        enum Body: Equatable {
            case wanted
            /// Discards the body of a redirect or a challenge, up to this many bytes, so that the connection can be
            /// reused.
            case discarded(left: Int, then: TaskLoad.Continuation)
        }

        var body = Body.wanted
        /// True while the request timer is stopped because received data is not consumed.
        var holdsTimer = false
    }

    /// The request's body on a connection that is not yet authenticated, which would refuse it: only the last message
    /// of the authentication handshake is processed as a request.
    enum BodyUse: Equatable {
        case sent
        case withheld
        /// The server processed a request without its body; from now on the body is sent with every message.
        case alwaysSent
    }

    enum Input {
        case resumed
        case suspended
        /// The current request is sent, or sent again.
        case attempted
        case requestedConnection
        case queued(PoolRequestID)
        case connected(Exchange)
        case connectionFailed
        case began(hasBody: Bool, isNegotiating: Bool)
        case served(Run)
        /// The rest of the response is not needed. `limit` is nil if its end is not awaited.
        case discarded(limit: Int?, then: TaskLoad.Continuation)
        case receivedUnwanted(Int)
        case discardingTimedOut
        case accepted(TaskLoad.Destination)
        /// The state of the body's consumer: full or not, and output for it that the decoder holds.
        case consumer(isFull: Bool, holdsOutput: Bool)
        case receivedStored(Data)
        case exchangeEnded
        case exchangeFailed(RetryDecision)
        /// The load leaves its exchange or protocol class early.
        case left
        /// The delegate or a store is called.
        case asked(TaskLoad.Decider)
        case decided
        case ended
    }

    enum Action {
        case begin
        case attempt
        case waitForConnectivity
        case returnConnection
        case send(Exchange)
        case start(Run)
        case pauseBody(Bool)
        case pause(Exchange, Bool)
        case pauseRun(Run, Bool)
        case updateReading
        case hold(LoadTimers.Hold, Bool)
        case limitDiscarding
        case proceed(TaskLoad.Continuation)
        case deliver(Data)
        case completeBody
        case recover(RetryDecision)
        case withdraw(PoolRequestID)
        case leave(Exchange)
        case stop(Run)
    }

    enum Disposition: Equatable {
        case challenge(TaskLoad.ChallengeSource)
        case repeatWithBody, evaluate
    }

    private(set) var phase = Phase.created
    private(set) var isSuspended = false
    private(set) var destination = TaskLoad.Destination.none
    private(set) var bodyUse = BodyUse.sent
    /// The delegate or store whose decision is pending; decisions with an earlier number are ignored.
    private(set) var decider: TaskLoad.Decider?
    private(set) var decision = 0
    private let suspensionStops: Bool

    init(suspensionStops: Bool = true) { self.suspensionStops = suspensionStops }

    var isEnded: Bool { if case .ended = phase { true } else { false } }
    var isBetween: Bool { if case .between = phase { true } else { false } }
    var isSeeking: Bool { if case .seeking = phase { true } else { false } }
    var exchange: Exchange? { if case .exchanging(let exchange, _) = phase { exchange } else { nil } }
    var run: Run? { if case .served(let run) = phase { run } else { nil } }
    /// True while nothing is delivered, regardless of the consumer.
    var isHeld: Bool { isSuspended || decider != nil }
    var isDiscarding: Bool {
        if case .exchanging(_, let reception) = phase, reception.body != .wanted { true } else { false }
    }

    func awaits(_ number: Int) -> Bool { decider != nil && decision == number && !isEnded }

    mutating func handle(_ input: Input) -> [Action] {
        if isEnded { return [] }
        switch input {
        case .resumed: return resumed()
        case .suspended:
            guard suspensionStops else { return [] }
            isSuspended = true
            return [.hold(.suspended, true), .pauseBody(true), .updateReading]
        case .attempted:
            phase = .between
            return [.attempt]
        case .requestedConnection: phase = .seeking(nil)
        case .queued(let id): if case .seeking(nil) = phase { phase = .seeking(id) }
        case .connected(let exchange):
            phase = isSuspended ? .parked : .exchanging(exchange, Reception())
            if isSuspended { return [.returnConnection] }
            destination = .none
            return [.send(exchange)]
        case .connectionFailed: phase = .between
        case .began(let hasBody, let isNegotiating):
            if bodyUse != .alwaysSent { bodyUse = hasBody && isNegotiating ? .withheld : .sent }
        case .served(let run):
            phase = .served(run)
            destination = .none
            return isSuspended ? [] : [.start(run)]
        case .discarded(let limit, let next): return discard(limit, next)
        case .receivedUnwanted(let count): return discarded(count)
        case .discardingTimedOut:
            guard isDiscarding else { return [] }
            return isSuspended ? [.limitDiscarding] : leave()
        case .accepted(let destination):
            self.destination = destination
            return [.updateReading]
        case .consumer(let isFull, let holdsOutput): return read(isFull, holdsOutput)
        case .receivedStored(let body):
            guard isSuspended else { return [.deliver(body)] }
            phase = .holding(body)
        case .exchangeEnded:
            guard exchange != nil else { return [] }
            return isDiscarding ? leave() : leave() + [.completeBody]
        case .exchangeFailed(let decision): return isDiscarding ? leave() : leave() + [.recover(decision)]
        case .left: return leave()
        case .asked(let decider):
            decision += 1
            return setDecider(decider) + [.updateReading]
        case .decided: return setDecider(nil)
        case .ended: return end()
        }
        return []
    }

    private mutating func resumed() -> [Action] {
        isSuspended = false
        let release = Action.hold(.suspended, false)
        switch phase {
        case .created:
            phase = .between
            return [.begin]
        case .parked:
            phase = .between
            return [release, .waitForConnectivity]
        case .holding(let body):
            phase = .between
            return [release, .deliver(body)]
        case .served(let run): return [release, .start(run), .updateReading]
        case .seeking, .exchanging, .between: return [release, .pauseBody(false), .updateReading]
        case .ended: return []
        }
    }

    /// Decides about a response head, before its content is evaluated.
    mutating func dispose(status: Int, isForwarded: Bool) -> Disposition {
        if status == 401 { return .challenge(.server) }
        if status == 407, isForwarded { return .challenge(.proxy) }
        guard bodyUse == .withheld else { return .evaluate }
        bodyUse = .alwaysSent
        return .repeatWithBody
    }

    // MARK: Reading

    /// Reads only while everything received is consumed. The end of an exchange follows the decoder's last piece, so
    /// the exchange stays paused while the decoder holds output.
    private mutating func read(_ isFull: Bool, _ holdsOutput: Bool) -> [Action] {
        switch phase {
        case .served(let run): return [.pauseRun(run, isHeld || isFull)]
        case .exchanging(let exchange, var reception):
            let hold: [Action] = reception.holdsTimer == isFull ? [] : [.hold(.delivering, isFull)]
            reception.holdsTimer = isFull
            phase = .exchanging(exchange, reception)
            return hold + [.pause(exchange, isHeld || isFull || holdsOutput)]
        case .created, .between, .seeking, .parked, .holding, .ended: return []
        }
    }

    private mutating func discard(_ limit: Int?, _ next: TaskLoad.Continuation) -> [Action] {
        guard let limit, case .exchanging(let exchange, var reception) = phase else {
            return leave() + [.proceed(next)]
        }
        reception.body = .discarded(left: limit, then: next)
        phase = .exchanging(exchange, reception)
        return [.limitDiscarding, .updateReading]
    }

    private mutating func discarded(_ count: Int) -> [Action] {
        guard case .exchanging(let exchange, var reception) = phase,
            case .discarded(let left, let next) = reception.body
        else { return [] }
        if left < count { return leave() }
        reception.body = .discarded(left: left - count, then: next)
        phase = .exchanging(exchange, reception)
        return []
    }

    private mutating func setDecider(_ new: TaskLoad.Decider?) -> [Action] {
        let old = decider
        decider = new
        return (old == .delegate) == (new == .delegate) ? [] : [.hold(.deciding, new == .delegate)]
    }

    // MARK: Leaving

    /// Leaves the exchange or the protocol class, and continues with the step that waits for the end of a discarded
    /// body.
    private mutating func leave() -> [Action] {
        switch phase {
        case .exchanging(let exchange, let reception):
            phase = .between
            let release: [Action] = reception.holdsTimer ? [.hold(.delivering, false)] : []
            switch reception.body {
            case .wanted: return release + [.leave(exchange)]
            case .discarded(_, let next): return release + [.leave(exchange), .proceed(next)]
            }
        case .served(let run):
            phase = .between
            return [.stop(run)]
        case .created, .between, .seeking, .parked, .holding, .ended: return []
        }
    }

    private mutating func end() -> [Action] {
        let old = phase
        phase = .ended
        decider = nil
        switch old {
        case .seeking(let id): return id.map { [.withdraw($0)] } ?? []
        case .exchanging(let exchange, _): return [.leave(exchange)]
        case .served(let run): return [.stop(run)]
        case .created, .between, .parked, .holding, .ended: return []
        }
    }
}

extension TaskLoadMachine.Action: Equatable where Exchange: Equatable, Run: Equatable {}
extension TaskLoadMachine.Phase: Equatable where Exchange: Equatable, Run: Equatable {}

extension TaskLoad {
    typealias Machine = TaskLoadMachine<Exchange, ProtocolRun>

    /// The step after a discarded body.
    enum Continuation: Equatable {
        case attempt
        case follow(RedirectStep, URLRequest)
        case continueUpload
        /// Delivers the stored response that a 304 confirmed.
        case serveStored
    }

    /// The receiver of a response's body.
    enum Destination: Equatable {
        /// The response has not been evaluated, or its body is not needed.
        case none
        case delegate, handler, file
    }

    /// The side whose decision is awaited. The request timer stops for the delegate.
    enum Decider: Equatable { case delegate, store }

    /// The sender of a challenge: the server, the proxy of a forwarded request, or the proxy before it opens a tunnel.
    enum ChallengeSource: Equatable { case server, proxy, tunnel }
}
