package import AdapterProtocol
package import ScenarioLanguage

extension Scenario {
    /// Returns the reason why nothing can happen to one of these tasks, for a check that failed; nil if every task is
    /// started by a step. A task that only exists may be what a scenario is about, so this alone is not an error.
    package func misuse(of tasks: [TaskName]) -> String? {
        tasks.first(where: isNeverStarted).map { task in
            "no step starts \(task): it is created with `resume: false`; add the step `resume: \(task)`"
        }
    }

    /// The tasks whose events the steps wait for.
    var awaitedTasks: [TaskName] {
        script.compactMap { step in
            if case .await(let trigger) = step, case .event(let task, _, _) = trigger.moment { task } else { nil }
        }
    }

    private func isNeverStarted(_ task: TaskName) -> Bool {
        var isCreated = false
        for step in script {
            switch step {
            case .task(let description, body: _, let starts) where description.task == task:
                if starts { return false }
                isCreated = true
            case .command(.resume(task)): return false
            case .task, .command, .await, .change, .app, .launch, .daemon: continue
            }
        }
        return isCreated
    }
}

extension Check {
    /// The tasks that the check's fields name. Found by reflection, so that a check need not list its fields twice.
    var namedTasks: [TaskName] {
        var tasks: [TaskName] = []
        for (_, value) in Mirror(reflecting: self).children {
            if let task = value as? TaskName { tasks.append(task) }
            if let event = value as? EventReference, let task = event.task { tasks.append(task) }
            if let events = value as? [EventReference] { tasks += events.compactMap(\.task) }
        }
        return tasks
    }
}
