import Foundation
import FoundationNetworking
import Testing

@testable import AdaptableSession

/// Orders of inputs to the machine of a load. Each test lists the inputs and compares the actions, without a connection,
/// a clock or a delegate; an exchange is a number here, and so is the run of a protocol class.
@Suite struct TaskLoadMachineTests {
    private typealias Machine = TaskLoadMachine<Int, Int>

    private var url: URL { URL(string: "http://a.example/")! }

    /// A machine after these inputs.
    private func machine(_ inputs: Machine.Input...) -> Machine {
        var machine = Machine()
        for input in inputs { _ = machine.handle(input) }
        return machine
    }

    /// A machine that receives the response of exchange 1.
    private func receiving(_ destination: TaskLoad.Destination = .delegate) -> Machine {
        machine(
            .resumed, .attempted, .requestedConnection, .queued(PoolRequestID(5)), .connected(1), .accepted(destination)
        )
    }

    /// A machine that discards at most 100 bytes of the response and then sends the request again.
    private func discarding() -> Machine {
        var machine = receiving(.none)
        _ = machine.handle(.discarded(limit: 100, then: .attempt))
        return machine
    }

    // MARK: Connections

    @Test func `the first resume begins the load and a later one only releases the suspension`() {
        var machine = Machine()
        #expect(machine.handle(.resumed) == [.begin])
        #expect(machine.phase == .between)
        #expect(machine.handle(.attempted) == [.attempt])
        #expect(machine.handle(.resumed) == [.hold(.suspended, false), .pauseBody(false), .updateReading])
    }

    @Test func `an idle connection that arrives inside the request for one is not overwritten by its number`() {
        var machine = machine(.resumed, .attempted, .requestedConnection)
        #expect(machine.phase == .seeking(nil))
        #expect(machine.handle(.connected(1)) == [.send(1)])
        #expect(machine.handle(.queued(PoolRequestID(5))) == [])
        #expect(machine.exchange == 1)
    }

    @Test func `a failure inside the request for a connection is not overwritten by its number`() {
        var machine = machine(.resumed, .attempted, .requestedConnection, .connectionFailed)
        _ = machine.handle(.queued(PoolRequestID(5)))
        #expect(machine.phase == .between)
        _ = machine.handle(.requestedConnection)
        _ = machine.handle(.queued(PoolRequestID(6)))
        #expect(machine.phase == .seeking(PoolRequestID(6)))
    }

    @Test func `a connection for a suspended task is returned, and requested again when the task is resumed`() {
        var machine = machine(.resumed, .requestedConnection, .queued(PoolRequestID(5)), .suspended)
        #expect(machine.handle(.connected(1)) == [.returnConnection])
        #expect(machine.phase == .parked)
        #expect(machine.handle(.resumed) == [.hold(.suspended, false), .waitForConnectivity])
        #expect(machine.phase == .between)
    }

    @Test func `a protocol class starts when the task is resumed, and stops when it has ended`() {
        var machine = machine(.resumed, .suspended)
        #expect(machine.handle(.served(7)) == [])
        #expect(machine.handle(.resumed) == [.hold(.suspended, false), .start(7), .updateReading])
        #expect(machine.handle(.consumer(isFull: true, holdsOutput: false)) == [.pauseRun(7, true)])
        #expect(machine.handle(.ended) == [.stop(7)])
    }

    // MARK: Heads

    @Test(arguments: [
        (401, false, Disposition.challenge(.server)), (401, true, .challenge(.server)), (407, true, .challenge(.proxy)),
        (407, false, .evaluate), (200, false, .evaluate), (302, true, .evaluate), (403, false, .evaluate),
    ])
    func `a head is a challenge by its status; 407 only of a proxy that forwards`(
        status: Int, isForwarded: Bool, disposition: Disposition
    ) {
        var machine = receiving(.none)
        #expect(machine.dispose(status: status, isForwarded: isForwarded) == disposition)
    }

    typealias Disposition = TaskLoadMachine<Int, Int>.Disposition

    @Test
    func `a body is withheld while the connection authenticates, until the server processes a request without it`() {
        var machine = receiving(.none)
        _ = machine.handle(.began(hasBody: true, isNegotiating: true))
        #expect(machine.bodyUse == .withheld)
        // The challenge continues the handshake; the next message decides again.
        #expect(machine.dispose(status: 401, isForwarded: false) == .challenge(.server))
        _ = machine.handle(.began(hasBody: true, isNegotiating: false))
        #expect(machine.bodyUse == .sent)
        #expect(machine.dispose(status: 200, isForwarded: false) == .evaluate)
        _ = machine.handle(.began(hasBody: true, isNegotiating: true))
        #expect(machine.dispose(status: 200, isForwarded: false) == .repeatWithBody)
        _ = machine.handle(.began(hasBody: true, isNegotiating: true))
        #expect(machine.bodyUse == .alwaysSent)
        #expect(machine.dispose(status: 200, isForwarded: false) == .evaluate)
    }

    @Test func `a request without a body withholds nothing`() {
        var machine = receiving(.none)
        _ = machine.handle(.began(hasBody: false, isNegotiating: true))
        #expect(machine.dispose(status: 200, isForwarded: false) == .evaluate)
    }

    // MARK: Reading

    @Test func `the end of an exchange waits for the output that the decoder holds`() {
        var machine = receiving()
        #expect(machine.handle(.consumer(isFull: false, holdsOutput: true)) == [.pause(1, true)])
        #expect(machine.handle(.consumer(isFull: false, holdsOutput: false)) == [.pause(1, false)])
        #expect(machine.handle(.exchangeEnded) == [.leave(1), .completeBody])
        #expect(machine.handle(.exchangeEnded) == [])
    }

    @Test func `a task that is suspended while it decodes reads nothing until it is resumed`() {
        var machine = receiving()
        #expect(machine.handle(.suspended) == [.hold(.suspended, true), .pauseBody(true), .updateReading])
        #expect(machine.isHeld)
        for holdsOutput in [true, false] {
            #expect(machine.handle(.consumer(isFull: false, holdsOutput: holdsOutput)) == [.pause(1, true)])
        }
        _ = machine.handle(.resumed)
        #expect(!machine.isHeld)
        #expect(machine.handle(.consumer(isFull: false, holdsOutput: false)) == [.pause(1, false)])
    }

    @Test func `a full consumer stops the request timer once and restarts it once`() {
        var machine = receiving()
        #expect(
            machine.handle(.consumer(isFull: true, holdsOutput: false)) == [.hold(.delivering, true), .pause(1, true)])
        #expect(machine.handle(.consumer(isFull: true, holdsOutput: false)) == [.pause(1, true)])
        #expect(
            machine.handle(.consumer(isFull: false, holdsOutput: false)) == [
                .hold(.delivering, false), .pause(1, false),
            ])
        _ = machine.handle(.consumer(isFull: true, holdsOutput: false))
        #expect(machine.handle(.left) == [.hold(.delivering, false), .leave(1)])
    }

    @Test func `suspension changes nothing when the policy ignores it`() {
        var machine = Machine(suspensionStops: false)
        #expect(machine.handle(.suspended) == [])
        #expect(!machine.isHeld)
    }

    // MARK: Decisions

    @Test func `only the delegate stops the request timer; both pause reading`() {
        var machine = receiving(.none)
        #expect(machine.handle(.asked(.delegate)) == [.hold(.deciding, true), .updateReading])
        #expect(machine.isHeld)
        #expect(machine.handle(.decided) == [.hold(.deciding, false)])
        #expect(machine.handle(.asked(.store)) == [.updateReading])
        #expect(machine.isHeld)
        #expect(machine.handle(.decided) == [])
        #expect(!machine.isHeld)
    }

    @Test func `a decision counts once, and not after a later question`() {
        var machine = machine(.resumed, .asked(.delegate))
        let first = machine.decision
        #expect(machine.awaits(first))
        #expect(machine.handle(.asked(.store)) == [.hold(.deciding, false), .updateReading])
        #expect(!machine.awaits(first))
        let second = machine.decision
        #expect(machine.awaits(second))
        _ = machine.handle(.decided)
        #expect(!machine.awaits(second))
    }

    @Test func `a task cancelled during a challenge leaves its exchange and ignores the decision`() {
        var machine = receiving(.none)
        #expect(machine.dispose(status: 401, isForwarded: false) == .challenge(.server))
        _ = machine.handle(.asked(.delegate))
        let decision = machine.decision
        #expect(machine.handle(.ended) == [.leave(1)])
        #expect(!machine.awaits(decision))
        #expect(machine.handle(.decided) == [])
        #expect(machine.handle(.discarded(limit: 100, then: .attempt)) == [])
        #expect(machine.isEnded)
    }

    // MARK: Discarded bodies

    @Test func `a discarded body ends with the exchange, and the next step follows`() {
        let next = URLRequest(url: url)
        let step = RedirectStep(request: next, sendsBody: false, crossesOrigin: false, withheldFields: [])
        var machine = receiving(.none)
        #expect(
            machine.handle(.discarded(limit: 100, then: .follow(step, next))) == [.limitDiscarding, .updateReading])
        #expect(machine.isDiscarding)
        #expect(machine.handle(.receivedUnwanted(100)) == [])
        #expect(machine.handle(.exchangeEnded) == [.leave(1), .proceed(.follow(step, next))])
        #expect(machine.phase == .between)
    }

    @Test func `the next step follows a failed exchange too: its response was not needed`() {
        var machine = discarding()
        #expect(machine.handle(.exchangeFailed(.fail)) == [.leave(1), .proceed(.attempt)])
        machine = receiving()
        #expect(
            machine.handle(.exchangeFailed(.repeat(onFreshConnection: true)))
                == [.leave(1), .recover(.repeat(onFreshConnection: true))])
    }

    @Test func `a body longer than the limit closes its connection`() {
        var machine = discarding()
        #expect(machine.handle(.receivedUnwanted(60)) == [])
        #expect(machine.handle(.receivedUnwanted(41)) == [.leave(1), .proceed(.attempt)])
        #expect(machine.handle(.receivedUnwanted(1)) == [])
    }

    @Test func `a response whose end is not awaited is left at once`() {
        var machine = receiving(.none)
        #expect(
            machine.handle(.discarded(limit: nil, then: .continueUpload)) == [.leave(1), .proceed(.continueUpload)])
    }

    @Test func `after a challenge before a tunnel, the next step follows at once`() {
        var machine = machine(.resumed, .requestedConnection, .connectionFailed)
        #expect(machine.handle(.discarded(limit: 100, then: .attempt)) == [.proceed(.attempt)])
    }

    @Test func `the time for discarding does not pass while the task is suspended`() {
        var machine = discarding()
        _ = machine.handle(.suspended)
        #expect(machine.handle(.discardingTimedOut) == [.limitDiscarding])
        _ = machine.handle(.resumed)
        #expect(machine.handle(.discardingTimedOut) == [.leave(1), .proceed(.attempt)])
        #expect(machine.handle(.discardingTimedOut) == [])
    }

    @Test func `a new exchange starts without the state of the one before`() {
        var machine = discarding()
        _ = machine.handle(.consumer(isFull: true, holdsOutput: false))
        _ = machine.handle(.exchangeEnded)
        #expect(machine.handle(.attempted) == [.attempt])
        _ = machine.handle(.connected(2))
        #expect(!machine.isDiscarding)
        #expect(machine.destination == .none)
        #expect(machine.handle(.consumer(isFull: false, holdsOutput: false)) == [.pause(2, false)])
    }

    // MARK: Stored bodies

    @Test func `a stored body is delivered immediately, or when a suspended task is resumed`() {
        let body = Data("stored".utf8)
        var machine = machine(.resumed, .attempted)
        #expect(machine.handle(.receivedStored(body)) == [.deliver(body)])
        _ = machine.handle(.suspended)
        #expect(machine.handle(.receivedStored(body)) == [])
        #expect(machine.handle(.suspended) == [.hold(.suspended, true), .pauseBody(true), .updateReading])
        #expect(machine.handle(.resumed) == [.hold(.suspended, false), .deliver(body)])
        #expect(machine.handle(.resumed) == [.hold(.suspended, false), .pauseBody(false), .updateReading])
    }

    @Test func `a task cancelled while it keeps a stored body does not deliver it`() {
        var machine = machine(.resumed, .suspended, .receivedStored(Data("stored".utf8)), .ended)
        #expect(machine.handle(.resumed) == [])
    }

    // MARK: The end

    @Test func `an ended load withdraws its request for a connection and ignores everything that follows`() {
        var machine = machine(.resumed, .requestedConnection, .queued(PoolRequestID(5)))
        #expect(machine.handle(.ended) == [.withdraw(PoolRequestID(5))])
        // A download that requests its remainder attempts again after its file is written, which may be after the end.
        let inputs: [Machine.Input] = [
            .attempted, .resumed, .suspended, .connected(1), .served(7), .exchangeFailed(.fail), .left, .ended,
            .accepted(.delegate), .discarded(limit: nil, then: .attempt), .asked(.delegate),
        ]
        for input in inputs { #expect(machine.handle(input) == []) }
        #expect(machine.phase == .ended)
    }
}
