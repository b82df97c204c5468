import LabKernel
package import LinkEngines

/// The rights to create namespaces: as root, or inside a new user namespace.
package enum Privilege {
    /// The reason why namespaces cannot be created, if any. Set once at start-up.
    package static var problem: String? {
        Rootless.mayAdminister ? nil : "not allowed to administer the network, and a user namespace cannot be created"
    }

    /// True when the program runs as root of the machine or its container, not as uid 0 of a user namespace that it has made.
    static var isRootOfMachine: Bool {
        Rootless.mayAdminister && !Rootless.hasReentered
    }

    /// Restarts the program inside new user, mount and network namespaces when an ordinary user started it. Must be
    /// called before any thread is created.
    package static func acquire() throws(LabError) {
        do throws(RootlessError) {
            try Rootless.reenterIfNeeded()
        } catch {
            throw .machine("this user is not allowed to create namespaces: \(error)", fix: error.fix)
        }
    }
}
