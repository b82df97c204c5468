import AdapterProtocol

/// The fields about background transfers.
extension Examples {
    static var transferring: SessionConfiguration {
        var configuration = SessionConfiguration()
        configuration.kind = .background
        configuration.identifier = "updates"
        configuration.isDiscretionary = true
        configuration.sendsLaunchEvents = false
        configuration.sharedContainer = "group"
        return configuration
    }

    static var delayed: TaskDescription {
        var task = TaskDescription(task: "seventh", kind: .download, url: "http://api.test/big")
        task.session = "other"
        task.earliestBegin = .milliseconds(3_600_500)
        task.expectedToSend = 200
        task.expectedToReceive = 65_536
        task.storesResumeData = true
        task.policies.delayedRequest = .replace
        task.policies.replacementURL = "http://api.test/other"
        return task
    }
}
