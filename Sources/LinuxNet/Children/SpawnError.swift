/// Why a program could not be started.
package enum SpawnError: Error, Equatable, Sendable {
    case programNotFound(String, searched: [String])
    /// No process namespace, mount namespace or private mounts.
    case namespaces(SystemCallError)
    /// The child could not enter its network namespace.
    case network(SystemCallError)
    case mount(path: String, SystemCallError)
    case workingDirectory(SystemCallError)
    /// The program is there, but the kernel would not run it.
    case execution(SystemCallError)
    /// A pipe, a descriptor, a thread of ours.
    case system(SystemCallError)
    /// It was killed before it had begun.
    case endedEarly
}

extension SpawnError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programNotFound(let name, let searched) where searched.isEmpty:
            "there is no executable file \(name)"
        case .programNotFound(let name, let searched):
            "there is no program \(name) in \(searched.joined(separator: ":")); to mend it, install it or give its full path"
        case .namespaces(let error): "the program's own namespaces could not be made: \(error)"
        case .network(let error): "the program could not enter its network namespace: \(error)"
        case .mount(let path, let error): "\(path) could not be prepared for the program: \(error)"
        case .workingDirectory(let error): "the working directory cannot be used: \(error)"
        case .execution(let error): "the program cannot be run: \(error)"
        case .system(let error): error.description
        case .endedEarly: "the program's first process was killed before the program had begun (out of memory?)"
        }
    }
}
