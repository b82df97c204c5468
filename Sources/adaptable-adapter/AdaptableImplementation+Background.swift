import AdaptableSession
import AdapterProtocol
import AdapterSupport
import Foundation

extension AdaptableImplementation {
    func backgroundConfiguration(_ settings: SessionConfiguration, identifier: String) -> AdaptableSessionConfiguration?
    {
        let configuration = AdaptableSessionConfiguration.background(withIdentifier: identifier)
        if let isDiscretionary = settings.isDiscretionary { configuration.isDiscretionary = isDiscretionary }
        if let sendsLaunchEvents = settings.sendsLaunchEvents {
            configuration.sessionSendsLaunchEvents = sendsLaunchEvents
        }
        if let folder = settings.sharedContainer {
            // NSHomeDirectory() is that of the user database, not the private folder of the lab.
            let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
            configuration.sharedContainerIdentifier = "\(home)/\(folder)"
        }
        // A launch of this program by the daemon would not be connected to the harness.
        configuration.launchCommand = ProcessInfo.processInfo.environment["CROSSWIND_LAUNCH_COMMAND"].map { [$0] } ?? []
        return configuration
    }

    func schedule(_ task: any ClientTask, _ description: TaskDescription) {
        guard let task = task as? AdaptableSessionTask else { return }
        if let delay = description.earliestBegin { task.earliestBeginDate = TransferTime.date(after: delay) }
    }

    func enter(_ state: ApplicationState) { AdaptableSession.isApplicationInBackground = state == .background }
}
