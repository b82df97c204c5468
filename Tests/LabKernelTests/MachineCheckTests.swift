import Glibc
import LabKernel
import Testing

extension KernelTests {
    struct MachineCheckTests {
        @Test func `every check runs and leaves nothing behind`() {
            _ = MachineCheck.all()
            let before = openDescriptors()
            let checks = MachineCheck.all()
            #expect(openDescriptors() == before)
            #expect(Set(checks.map(\.name)).count == checks.count)
            #expect(checks.contains { $0.name == "network namespaces" && $0.isOK })
            for check in checks {
                if case .missing(let reason, let fix) = check.outcome {
                    #expect(!reason.isEmpty && !fix.isEmpty)
                }
            }
        }

        @Test func `the check of netem agrees with the kernel`() throws {
            let check = MachineCheck.qdisc("netem", required: false, .netem(NetemQdisc(), bottleneck: nil))
            #expect(check.isOK == Machine.hasNetem)
        }
    }
}

struct RootlessErrorTests {
    @Test func `an error names the step and a fix`() {
        let threads = RootlessError(stage: .makingNamespaces, errno: EINVAL)
        #expect(threads.description.contains("call reenterIfNeeded first in main"))
        let none = RootlessError(stage: .makingNamespaces, errno: ENOSPC)
        #expect(none.description.contains("user.max_user_namespaces"))
    }
}
