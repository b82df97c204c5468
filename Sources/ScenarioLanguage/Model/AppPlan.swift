package import Record

/// A change of the app's process: the adapter plays the app.
package enum AppAction: String, CaseIterable, Hashable, Sendable {
    /// SIGTERM.
    case terminate
    /// SIGKILL.
    case crash
    /// SIGSTOP.
    case suspend
    case `continue`
    /// Notifies the app that it enters the background.
    case background
    case foreground
    /// A new process in the same private folder, with the background sessions of the earlier one.
    case launch

    /// True if the app does not run afterwards.
    package var ends: Bool { self == .terminate || self == .crash }
}

/// A signal to the processes that the app has started and that outlive it.
package enum DaemonAction: String, CaseIterable, Hashable, Sendable { case terminate, crash, suspend, `continue` }

/// A change of the power supply; nil: as before.
package struct PowerChange: Hashable, Sendable {
    package var isExternal: Bool?
    package var battery: Int?
    package init(isExternal: Bool? = nil, battery: Int? = nil) {
        self.isExternal = isExternal
        self.battery = battery
    }

    package func applied(to state: PowerState) -> PowerState {
        PowerState(isExternal: isExternal ?? state.isExternal, battery: battery ?? state.battery)
    }
}

/// The disk that holds the client's files.
package enum DiskState: String, CaseIterable, Hashable, Sendable {
    /// No further byte can be written.
    case full
    case free
}

/// The clock of background transfers, which programs find in an environment variable.
package struct ClockPlan: Hashable, Sendable {
    /// Seconds of this clock in one second.
    package var scale: Int
    /// Added to the wall clock.
    package var offset: Duration
    package init(scale: Int = 1, offset: Duration = .zero) {
        self.scale = scale
        self.offset = offset
    }

    /// Returns a description of an offset for the record, such as `7200.0 seconds behind`.
    package static func summary(ofOffset offset: Duration) -> String {
        if offset == .zero { return "right" }
        return offset < .zero ? "\(.zero - offset) behind" : "\(offset) ahead"
    }
}

extension Scenario {
    /// True if the app may have several processes, which share daemons and files.
    package var hasSeveralProcesses: Bool {
        script.contains { step in
            switch step {
            case .app, .launch, .daemon: true
            case .task, .command, .await, .change: false
            }
        }
    }

    /// The power supply at the start; nil if the client sees none.
    package var initialPower: PowerState? {
        let changesIt = changes.contains { if case .power = $0 { true } else { false } }
        return power ?? (changesIt ? PowerState() : nil)
    }

    /// The clock of background transfers at the start; nil: the machine's, for the whole run.
    package var initialClock: ClockPlan? {
        let changesIt = changes.contains { if case .program(.clock) = $0 { true } else { false } }
        return clock ?? (changesIt ? ClockPlan() : nil)
    }

    /// True if the disk that holds the client's files becomes full.
    package var fillsDisk: Bool { changes.contains(.disk(.full)) }

    /// The changes of the timeline and of the steps.
    private var changes: [NetworkChange] {
        var changes = timeline.flatMap(\.changes)
        for case .change(let more) in script { changes += more }
        return changes
    }
}
