import Glibc
package import NetworkMonitor

/// The reason why a program could not be started.
package enum SpawnError: Error, Equatable, Sendable {
    case programNotFound(String, searched: [String])
    /// A process namespace, mount namespace or private mounts could not be created.
    case namespaces(SystemCallError)
    /// The child could not enter its network namespace.
    case network(SystemCallError)
    case mount(path: String, SystemCallError)
    case workingDirectory(SystemCallError)
    /// The file exists, but the kernel refused to execute it.
    case execution(SystemCallError)
    /// The kernel did not let the program give up its rights, or join its control group.
    case confinement(SystemCallError)
    /// A pipe, a descriptor or a thread of this process failed.
    case system(SystemCallError)
    /// The program's first process was killed before the program started.
    case endedEarly
}

extension SpawnError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programNotFound(let name, let searched) where searched.isEmpty:
            "not an executable file: \(name)"
        case .programNotFound(let name, let searched):
            "cannot find the program \(name) in \(searched.joined(separator: ":")); to fix it, install the program or give its full path"
        case .namespaces(let error): "cannot create the program's namespaces: \(error)"
        case .network(let error): "the program cannot enter its network namespace: \(error)"
        case .mount(let path, let error): "\(path) cannot be prepared for the program: \(error)"
        case .workingDirectory(let error): "cannot use the working directory: \(error)"
        case .execution(let error) where error.errno == EACCES:
            "cannot run the program: \(error); in a lab root has the rights of an ordinary user 0, so the folders of another user must be open to "
                + "all: to fix it, run without sudo, or chmod o+x these folders"
        case .execution(let error): "cannot run the program: \(error)"
        case .confinement(let error): "cannot confine the program: \(error)"
        case .system(let error): error.description
        case .endedEarly: "the program's first process was killed before the program started (out of memory?)"
        }
    }
}
