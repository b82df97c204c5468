import ArgumentParser
import Lab

struct SetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change the network of a running lab.",
        discussion: """
            crosswind set wifi down                      a state: up, down, noRoute, noAddress, noCarrier, blackhole, …
            crosswind set wifi flaky-wifi                a profile
            crosswind set wifi rate=1Mbit/s loss=2%      effects, added to the current condition, in both directions
            crosswind set wifi lte uplink.delay=300ms       a profile with one direction changed
            crosswind set dns slow.test=nxdomain         what the DNS servers reply (origin, servfail, silent, addresses)
            crosswind set dns '*=origin' delay=2s        every DNS reply delayed
            crosswind set wifi flapping.times=5 flapping.downFor=1s flapping.upFor=2s
            crosswind set renumber wifi                  new addresses
            crosswind set nat64 on                       IPv6 only, with NAT64 and DNS64
            crosswind set connections wifi end=drop      kills open connections
            crosswind set wifi down , cellular up        two changes, one after the other

            The words are those under `set:` in scenarios. Exit status 3: no lab is running.
            """)

    @OptionGroup var live: RunningLab

    @Argument(parsing: .remaining, help: "The interface, nat64, dns, renumber or connections, and the changes.")
    var words: [String] = []

    func run() throws {
        let request: ControlRequest
        do throws(ControlError) { request = .set(try SetCommandParser.read(words)) } catch {
            throw stop(Status.usage, "\(error)")
        }
        switch try RunningLab.send(try live.open(), request) {
        case .done(let changes): for change in changes { print(change) }
        case .refused(let reason): throw stop(Status.usage, reason)
        case .lab, .view, .seen: throw stop(Status.machine, "unexpected reply from the lab")
        }
    }
}
