import AdapterProtocol

/// The fields about callbacks and progress.
extension Examples {
    static var queued: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.delegateQueue = DelegateQueue(width: 4)
        return configuration
    }

    static var stalling: TaskDescription {
        var task = TaskDescription(task: "fifth", kind: .data, url: "http://api.test/a")
        task.watchesProgress = true
        task.jointProgress = "both"
        task.policies.blockedCallbacks = [.didComplete, .didReceiveData]
        return task
    }

    static var described: ProgressReading {
        var reading = ProgressReading(completed: 1, total: large, fraction: 0.25)
        reading.isCancelled = true
        reading.description = "25% completed"
        reading.additionalDescription = "1 of 4 \"bytes\""
        reading.joint = 0.125
        return reading
    }
}
