import AdapterProtocol
import LinkEngines
import NetworkMonitor
import Record
import ScenarioLanguage

/// Changes that other terminals and programs inside the lab request.
extension InteractiveLabController {
    private static let cause = "on request"

    /// Makes changes at once: those of `set:` in scenarios, and `nat64`.
    func set(_ change: JSONValue) throws(ControlError) -> [String] {
        var fields = change.object ?? [:]
        let nat64 = fields.removeValue(forKey: "nat64")
        guard nat64 == nil || nat64?.boolean != nil else { throw .malformed("`nat64` is not true or false") }
        // Read before the first change is made: an invalid request changes nothing.
        let changes = fields.isEmpty && nat64 != nil ? [] : try network.changes(.object(fields))
        let moving = moving
        var words: [String] = []
        if let isOn = nat64?.boolean { words += try setNAT64(isOn) }
        for case .link(let kind, _) in changes { player.endSteps(of: kind) }
        words += try apply(player.start(changes, because: .request, at: MonotonicClock.now()))
        observe(.change(change, moving: moving))
        report(words, because: Self.cause)
        return words
    }

    private func setNAT64(_ isOn: Bool) throws(ControlError) -> [String] {
        guard isOn != (network.plan.nat64 != nil) else { return [] }
        let plan = isOn ? NAT64Plan() : nil
        do throws(LabError) { try driver.setNAT64(plan, for: process) } catch { throw .malformed("\(error)") }
        network.setNAT64(plan)
        return [isOn ? "NAT64 on" : "NAT64 off"]
    }

    /// Replaces the faults of the origin; those of the start return with `reset`.
    func setFaults(_ list: [JSONValue]) throws(ControlError) -> [String] {
        var faults: [Fault] = []
        if !list.isEmpty {
            switch OriginFaultsReader.read(JSONValue.list(list).line, from: "faults", in: start.origin) {
            case .failure(let found): throw .malformed(found.errors.map(\.message).joined(separator: "\n"))
            case .success(let found): faults = found
            }
        }
        driver.servers.setFaults(faults)
        observe(.faults)
        let words = ["\(faults.count) fault\(faults.count == 1 ? "" : "s") at the origin"]
        report(words, because: Self.cause)
        return words
    }

    /// Adds a change to the timeline. `when` counts from now. Returns the moment in words, counted from the start.
    func add(_ when: JSONValue, _ change: JSONValue?, waiting reply: ControlServer.Reply?) throws(ControlError)
        -> String
    {
        var trigger: Trigger
        switch TimelineReader.moment(when.line, from: "when", in: network.plan) {
        case .failure(let found): throw .malformed(found.errors.map(\.message).joined(separator: "\n"))
        case .success(let found): trigger = found
        }
        if change?.object?["nat64"] != nil {
            throw .malformed("`nat64` can be changed at once only; write it in `set`")
        }
        let changes = try change.map { change throws(ControlError) in try network.changes(change) } ?? []
        trigger.moment = player.tracker.fromNow(trigger.moment, at: MonotonicClock.now())
        if case .packet(let kind, let direction, let count) = trigger.moment {
            do throws(LabError) {
                let number = try driver.lab.addBreakpoint(kind, direction, packetsFromNow: count)
                trigger.moment = .packet(kind, direction, count: number)
            } catch {
                throw .malformed("\(error)")
            }
        } else if let breakpoint = trigger.moment.breakpoint {
            driver.servers.add(breakpoint)
        }
        player.add(TimelineEntry(trigger: trigger, changes: changes))
        if let change { observe(.planned(change, trigger)) }
        added[trigger, default: []] += reply.map { [$0] } ?? []
        return trigger.summary
    }

    /// Restores the network, the names and the origin of the start, and removes added moments.
    func reset() throws(ControlError) -> [String] {
        for breakpoint in player.removeAdded() { driver.servers.release(breakpoint) }
        for reply in added.values.joined() { reply(.refused("the lab was reset before the moment was reached")) }
        added = [:]
        driver.servers.setFaults(start.origin.faults)
        let moving = moving
        var words = try setNAT64(start.network.nat64 != nil)
        do throws(LabError) { try driver.servers.replaceDNSRules(start.network.dns.rules) } catch {
            throw .malformed("\(error)")
        }
        for kind in start.network.interfaces.map(\.kind) { player.endSteps(of: kind) }
        let changes = network.differences(to: start.network)
        words += try apply(player.start(changes, because: .request, at: MonotonicClock.now()))
        observe(.reset(moving: moving))
        report(words, because: "reset")
        return words
    }
}
