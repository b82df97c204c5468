/// The commands of a program that the daemon has not answered, which are sent again after a reconnection, and the
/// durable events that the program has taken. Every command may be repeated without another effect.
package struct CommandWindow: Sendable {
    private var last = 0
    private var pending: [TransferCommandLine] = []
    private var lastEvent: Int64 = 0

    package init() {}

    /// The commands that were not answered, in order.
    package var unanswered: [TransferCommandLine] { pending }

    /// Numbers a command and keeps it until its reply.
    package mutating func append(_ command: TransferCommand) -> TransferCommandLine {
        last += 1
        let line = TransferCommandLine(number: last, command: command)
        pending.append(line)
        return line
    }

    /// Removes a command that was answered; nil if it is unknown.
    package mutating func answered(_ number: Int) -> TransferCommand? {
        guard let index = pending.firstIndex(where: { $0.number == number }) else { return nil }
        return pending.remove(at: index).command
    }

    /// Forgets the events: the daemon begins to count again with another store.
    package mutating func restartEvents() { lastEvent = 0 }

    /// Returns true for a durable event that this process has not taken yet. Events arrive in order, and again after a
    /// reconnection.
    package mutating func takes(event number: Int64) -> Bool {
        guard number > lastEvent else { return false }
        lastEvent = number
        return true
    }
}
